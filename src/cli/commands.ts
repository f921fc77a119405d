/** The commands, their arguments and flags (design section 5). */

import { askedAddress } from '../core/kinds/asked-address.ts';
import type { ExitCode } from '../core/model/exit-codes.ts';
import { IMPACT_SIDES } from '../core/model/impact.ts';
import { OVERRIDDEN_NAMES } from '../core/safety/overrides.ts';
import {
  Argument,
  accountFlags,
  allowFlag,
  appendAddress,
  appendValue,
  atFlag,
  CI_SYSTEMS,
  type Command,
  codeHostFlags,
  commentFlags,
  exportFlags,
  exportReportFlags,
  formatFlags,
  fullFlag,
  listFlags,
  loggingFlags,
  NO_VALUES,
  Option,
  onlyFlag,
  onlyOriginFlag,
  planningFlags,
  projectFlags,
  recordFlag,
  refFlag,
  refuseFlagsBefore,
  reportFlags,
  SHELLS,
  sinceFlag,
  textOrJsonFlags,
  trustFlag,
  wholeNumber,
} from './flags.ts';
import type { CliContext } from './status-line.ts';

/** The action of a parsed command line; it loads the code of the command. */
export type CommandAction = (io: CliContext) => Promise<ExitCode>;

/** Receives the action of the command that was named. */
export type OnCommand = (action: CommandAction) => void;

/** The headings of the commands in the help, in this order. */
export const COMMAND_GROUPS = ['Daily', 'Setting up', 'CI', 'More'] as const;

/**
 * A command: its group, an example and its summary in the help, and a function that defines its arguments, flags and action. `whole` creates the command line with
 * all flags.
 */
interface CommandEntry {
  readonly group: (typeof COMMAND_GROUPS)[number];
  readonly example: string;
  readonly summary: string;
  readonly hidden?: true;
  readonly define: (command: Command, onCommand: OnCommand, whole: () => Command) => unknown;
}

function defineDriftAccept(drift: Command, onCommand: OnCommand) {
  const accept = drift.createCommand('accept').copyInheritedSettings(drift);
  return textOrJsonFlags(
    recordFlag(
      projectFlags(
        accept
          .description('write what was edited by hand into the YAML that declares it; the account is not changed')
          .argument('<addresses...>', 'for example playlist/evening-block; globs as for --only', appendAddress)
          .option('--dry-run', 'print the diff, and write nothing')
          .option('--shared', 'also accept values that other targets read, too, and change with it')
          .addOption(new Option('--allow <check>', 'also accept changes that weaken protection').choices(['weakening'] as const)),
      ),
    ),
  ).action((addresses, options) => {
    refuseFlagsBefore(drift, accept);
    onCommand(async (io) => (await import('./commands/drift-accept.ts')).driftAcceptCommand(io, addresses, options));
  });
}

/** Every command by its name, in the order of the help. */
export const COMMANDS: { readonly [name: string]: CommandEntry } = {
  init: {
    group: 'Setting up',
    example: 'upkeep init content --ci github',
    summary: 'create a project: commented, valid, with a CI recipe; overwrites nothing',
    define: (command, onCommand) =>
      textOrJsonFlags(
        recordFlag(
          exportFlags(
            command
              .argument('[folder]', 'where; it may hold files already', '.')
              .option('--base-url <url>', 'address of the service; asked for on a terminal')
              .option('--name <target>', 'name of the target')
              .addOption(new Option('--ci <system>', 'CI recipe').choices(CI_SYSTEMS))
              .option('--from-live', 'export what the account holds now into the new project'),
          ),
        ),
      ).action((folder, options) => onCommand(async (io) => (await import('./commands/init.ts')).initCommand(io, folder, options))),
  },
  validate: {
    group: 'Daily',
    example: 'upkeep validate',
    summary: 'check the configuration; needs no network',
    define: (command, onCommand) =>
      trustFlag(reportFlags(projectFlags(command))).action((options) =>
        onCommand(async (io) => (await import('../app/validate.ts')).validateTargets(io, options)),
      ),
  },
  plan: {
    group: 'Daily',
    example: 'upkeep plan --target production --out html=plan.html',
    summary: 'show what apply would do; writes nothing',
    define: (command, onCommand) =>
      planningFlags(
        trustFlag(command)
          .addOption(allowFlag())
          .option('--base <ref>', 'find the origin of differences from this commit instead of the last applied one')
          .addOption(onlyOriginFlag())
          .option('--detailed-exitcode', 'exit 2 when there are changes, 4 when some are blocked')
          .option('--requests', 'list the requests that apply would send')
          .option('--undeclared', 'list the live objects that nobody declares'),
      ).action((options) => onCommand(async (io) => (await import('../app/plan-target.ts')).planTargets(io, options))),
  },
  diff: {
    group: 'CI',
    example: 'upkeep diff --base refs/remotes/origin/main',
    summary: 'show what changes between two commits; needs no credentials and no network',
    define: (command, onCommand) =>
      reportFlags(projectFlags(command))
        .option('--base <ref>', 'compare with this commit, whose settings count; by default where the work branched off from `branch`')
        .option('--head <ref>', 'compare this commit instead of the work tree; `promoted` is what every target of `after` has carried')
        .addOption(onlyFlag())
        .addOption(fullFlag())
        .option('--detailed-exitcode', 'exit 2 when there are changes, 4 when some are blocked')
        .option('--requests', 'list the requests that apply would send')
        .action((options) => onCommand(async (io) => (await import('../app/diff-commits.ts')).diffTargets(io, options))),
  },
  apply: {
    group: 'Daily',
    example: 'upkeep apply --target production',
    summary: 'plan, ask, write in order, verify',
    define: (command, onCommand) =>
      planningFlags(
        command
          .option('--yes', 'do not ask')
          .option('--plan <file>', 'apply the changes of a saved plan, only if they are unchanged')
          .option(
            '--expect <fingerprint>',
            'apply only if the plan has this fingerprint; with --plan, also override what that plan overrides',
          )
          .addOption(allowFlag())
          .addOption(onlyOriginFlag())
          .addOption(
            new Option('--lock-timeout <seconds>', 'how long to wait for a lock that another run holds')
              .default(0)
              .argParser(wholeNumber(0, 86_400)),
          )
          .option('--skip-blocked', 'apply the rest when changes are blocked or a kind is incomplete')
          .option('--requests', 'list the requests before they are sent'),
      ).action((options) => onCommand(async (io) => (await import('./commands/apply.ts')).applyCommand(io, options))),
  },
  test: {
    group: 'Daily',
    example: 'upkeep test',
    summary: 'run the tests of a configuration and its guards; needs no network',
    define: (command, onCommand) =>
      loggingFlags(
        formatFlags(
          command
            .argument('[files...]', 'files *.test.yaml; all below the folder of upkeep.yaml where none is named')
            .option('--project <path>', 'upkeep.yaml, or the folder that holds it'),
          ['text', 'json', 'junit', 'github'],
        ),
      ).action((files, options) => onCommand(async (io) => (await import('../app/run-tests.ts')).runTests(io, files, options))),
  },
  drift: {
    group: 'Daily',
    example: 'upkeep drift --target production',
    summary: 'show whether the account was changed by hand',
    define: (command, onCommand) =>
      codeHostFlags(planningFlags(command.helpCommand(false).option('--issue', 'open, update or close an issue for each target')))
        .action((options) => onCommand(async (io) => (await import('./commands/drift.ts')).driftCommand(io, options)))
        .addCommand(defineDriftAccept(command, onCommand)),
  },
  impact: {
    group: 'More',
    example: 'upkeep impact drm-policy/premium --of live --why',
    summary: 'show which devices play what under the policies; writes nothing',
    define: (command, onCommand) =>
      refFlag(
        reportFlags(
          recordFlag(
            projectFlags(
              command
                .argument('[address]', 'address of a policy, or a glob', askedAddress, '*')
                .addOption(
                  new Option('--device <glob>', 'only these classes of devices; may be repeated')
                    .default(NO_VALUES, 'all')
                    .argParser(appendValue),
                )
                .addOption(new Option('--of <side>', 'under which policies').choices(IMPACT_SIDES).default('difference'))
                .option('--why', 'list the rules behind each answer'),
            ),
          ),
        ),
      ).action((address, options) => onCommand(async (io) => (await import('./commands/impact.ts')).impactCommand(io, address, options))),
  },
  show: {
    group: 'CI',
    example: 'upkeep show plan.json --format html --out text=plan.txt',
    summary: 'show a saved report in another format',
    define: (command, onCommand) =>
      reportFlags(
        command
          .argument('<file>', 'a file written with --out json=FILE')
          .option('--requests', 'list the requests of a plan')
          .addOption(fullFlag())
          .option('--why', 'list the rules behind a report on devices'),
      ).action((file, options) => onCommand(async (io) => (await import('./commands/show.ts')).showCommand(io, file, options))),
  },
  comment: {
    group: 'CI',
    example: 'upkeep comment --plan plan.json',
    summary: 'post saved plans on a pull request, one comment per target',
    define: (command, onCommand) =>
      commentFlags(command).action((options) =>
        onCommand(async (io) => (await import('./commands/comment.ts')).commentCommand(io, options)),
      ),
  },
  export: {
    group: 'Setting up',
    example: 'upkeep export --target production --dir config',
    summary: 'write the live account as YAML, or show it on one HTML page',
    define: (command, onCommand) =>
      exportReportFlags(
        recordFlag(
          projectFlags(
            exportFlags(
              command
                .option('--dir <folder>', 'write files into this new or empty folder instead of stdout')
                .addOption(atFlag('the account in HTML')),
            ),
          ),
        ),
      ).action((options) => onCommand(async (io) => (await import('./commands/export.ts')).exportCommand(io, options))),
  },
  targets: {
    group: 'CI',
    example: 'upkeep targets --format github-matrix',
    summary: 'list the targets, also as a matrix for CI',
    define: (command, onCommand) =>
      listFlags(command).action((options) => onCommand(async (io) => (await import('./commands/targets.ts')).targetsCommand(io, options))),
  },
  history: {
    group: 'Daily',
    example: "upkeep history 'playlist/kids-*' --since 2027-03-01",
    summary: 'list the applies in the ledger, or what changed a resource, or show one apply',
    define: (command, onCommand) =>
      reportFlags(
        projectFlags(
          command
            .argument('[address-or-entry]', 'address of a resource, or a glob; or the ID of an entry, or its beginning', askedAddress)
            .option('--actor <glob>', 'only applies by these users, for example ada@*')
            .addOption(new Option('--check <name>', 'only applies that overrode this safety check or condition').choices(OVERRIDDEN_NAMES))
            .addOption(sinceFlag())
            .addOption(new Option('--limit <n>', 'the newest applies, n at most').argParser(wholeNumber(1, 1_000_000))),
        ),
      ).action((what, options) => onCommand(async (io) => (await import('../app/show-history.ts')).historyTargets(io, what, options))),
  },
  undo: {
    group: 'Daily',
    example: 'upkeep undo --target production',
    summary: 'show the plan back to the configuration before an apply',
    define: (command, onCommand) =>
      accountFlags(
        command
          .argument('[entry]', 'ID of an entry, or its beginning; without it the last one')
          .addOption(allowFlag())
          .option('--requests', 'list the requests that apply would send'),
      ).action((entry, options) => onCommand(async (io) => (await import('./commands/undo.ts')).undoCommand(io, entry, options))),
  },
  unlock: {
    group: 'More',
    example: 'upkeep unlock --target production --id 4f2a9c01',
    summary: 'release a lock that was left behind',
    define: (command, onCommand) =>
      loggingFlags(projectFlags(command.requiredOption('--id <id>', 'ID of the lock: naming it is the confirmation'))).action((options) =>
        onCommand(async (io) => (await import('./commands/unlock.ts')).unlockCommand(io, options)),
      ),
  },
  explain: {
    group: 'Daily',
    example: 'upkeep explain playlist/evening-block',
    summary: 'explain what a field or a finding means, or why a resource is planned as it is',
    define: (command, onCommand) =>
      reportFlags(
        recordFlag(
          projectFlags(
            command
              .argument(
                '[address-or-field]',
                'for example drm_policies.fairplay.lease, asset-expires, or playlist/evening-block',
                askedAddress,
              )
              .addOption(atFlag('a playlist')),
          ),
        ),
      ).action((word, options) => onCommand(async (io) => (await import('./commands/explain.ts')).explainCommand(io, word, options))),
  },
  doctor: {
    group: 'Setting up',
    example: 'upkeep doctor --target production',
    summary: 'check whether upkeep can run with this setup; writes nothing',
    define: (command, onCommand) =>
      reportFlags(recordFlag(projectFlags(command))).action((options) =>
        onCommand(async (io) => (await import('../app/doctor/target.ts')).doctorTargets(io, options)),
      ),
  },
  probe: {
    group: 'Setting up',
    example: 'upkeep probe --target staging',
    summary: 'find out how the service behaves where its documents leave questions open; only reads, unless told otherwise',
    define: (command, onCommand) =>
      reportFlags(
        recordFlag(
          projectFlags(
            command
              .option('--write', 'also ask with scratch objects of its own, and remove them')
              .option('--asset <id>', 'with --write: an asset without an asset playlist, for the questions that need one')
              .option('--yes', 'do not ask'),
          ),
        ),
      ).action((options) => onCommand(async (io) => (await import('./commands/probe.ts')).probeCommand(io, options))),
  },
  emulate: {
    group: 'More',
    example: 'upkeep emulate --owner 0123456789abcdef0123456789abcdef --api-key invented',
    summary: 'emulate both services on this machine',
    define: (command, onCommand) =>
      command
        .requiredOption('--owner <id>', 'user ID of the account; invent one')
        .requiredOption('--api-key <key>', 'API key of the account; invent one')
        .addOption(new Option('--port <number>', 'port; 0 = any free one').default(0).argParser(wholeNumber(0, 65_535)))
        .option('--host <address>', 'address to listen on', '127.0.0.1')
        .option('--data <file>', 'keep the state in this file across restarts')
        .option('--seed <file>', 'fill a new account from this JSON file')
        .addOption(new Option('--latency <ms>', 'delay of each response, milliseconds').default(0).argParser(wholeNumber(0, 600_000)))
        .option('--faults <file>', 'inject the faults that this JSON file describes')
        .option('--quirks <file>', 'behave as the service of this result of `upkeep probe`')
        .option('--replay <file>', 'answer from this recording, and from nothing else')
        .addOption(
          new Option('--scoped-key <file>', 'also accept this scoped key; a file that does not exist is written; may be repeated')
            .default(NO_VALUES, 'none')
            .argParser(appendValue),
        )
        .action((options) => onCommand(async (io) => (await import('./commands/emulate.ts')).emulateCommand(io, options))),
  },
  completion: {
    group: 'More',
    example: 'upkeep completion bash',
    summary: 'print the script that completes commands, flags, targets and addresses',
    define: (command, onCommand) =>
      command
        .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
        .action((shell) => onCommand(async (io) => (await import('./commands/completion.ts')).completionCommand(io, shell))),
  },
  complete: {
    group: 'More',
    example: 'upkeep complete plan --',
    summary: 'print the completions of a command line',
    hidden: true,
    define: (command, onCommand, whole) =>
      command
        .argument('[words...]', 'the words so far; the last one is to be completed')
        .action((words) => onCommand(async (io) => (await import('./commands/complete.ts')).completeCommand(io, words, whole()))),
  },
};
