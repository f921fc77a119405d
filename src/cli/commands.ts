/** The commands, their arguments and flags (design section 5). */

import type { ExitCode } from '../app/exit-codes.ts';
import { CI_SYSTEMS, SHELLS } from '../app/options.ts';
import type { CliContext } from '../app/runtime.ts';
import { IMPACT_SIDES } from '../model/impact.ts';
import {
  Argument,
  allow,
  baseFlag,
  type Command,
  codeHostFlags,
  collect,
  commentFlags,
  listFlags,
  loggingFlags,
  NONE,
  Option,
  onlyOrigin,
  planningFlags,
  projectFlags,
  refFlag,
  refuseFlagsBefore,
  reportFlags,
  textOrJsonFlags,
  wholeNumber,
} from './flags.ts';

/** The action of a parsed command line; it loads the code of the command. */
export type Action = (io: CliContext) => Promise<ExitCode>;

/** Receives the action of the command that was named. */
export type onCommand = (action: Action) => void;

/**
 * A command: its summary in the help, and a function that defines its arguments, flags and action. `whole` creates the command line with
 * all flags.
 */
interface Entry {
  readonly summary: string;
  readonly hidden?: true;
  readonly define: (command: Command, chosen: onCommand, whole: () => Command) => unknown;
}

/** Defines `drift accept`, a subcommand of `drift`. */
function defineDriftAccept(drift: Command, chosen: onCommand) {
  const accept = drift.createCommand('accept').copyInheritedSettings(drift);
  return textOrJsonFlags(
    projectFlags(
      accept
        .description('write what was edited by hand into the YAML that declares it; the account is not written to')
        .argument('<addresses...>', 'for example playlist/evening-block; globs as for --only')
        .option('--dry-run', 'print the diff, and write nothing')
        .option('--shared', 'also where other targets read the same value, and change with it')
        .addOption(new Option('--allow <check>', 'also accept changes that loosen protection').choices(['loosening'] as const)),
    ),
  ).action((addresses, options) => {
    refuseFlagsBefore(drift, accept);
    chosen(async (io) => (await import('./commands/drift-accept.ts')).driftAccept(io, addresses, options));
  });
}

/** Every command by its name, in the order of the help. */
export const COMMANDS: { readonly [name: string]: Entry } = {
  init: {
    summary: 'begin a project: commented, valid, with a CI recipe; overwrites nothing',
    define: (command, chosen) =>
      loggingFlags(
        command
          .argument('[folder]', 'where; it may hold files already', '.')
          .option('--base-url <url>', 'address of the service; asked for on a terminal')
          .option('--name <target>', 'name of the target')
          .addOption(new Option('--ci <system>', 'CI recipe').choices(CI_SYSTEMS))
          .option('--from-live', 'write down what the account holds now'),
      ).action((folder, options) => chosen(async (io) => (await import('./commands/init.ts')).init(io, folder, options))),
  },
  validate: {
    summary: 'check the configuration; needs no network',
    define: (command, chosen) =>
      reportFlags(projectFlags(command)).action((options) =>
        chosen(async (io) => (await import('./commands/validate.ts')).validate(io, options)),
      ),
  },
  plan: {
    summary: 'show what apply would do; writes nothing',
    define: (command, chosen) =>
      planningFlags(
        command
          .addOption(allow())
          .option('--base <ref>', 'find the origin of differences from this commit instead of the last applied one')
          .addOption(onlyOrigin())
          .option('--detailed-exitcode', 'exit 2 when there are changes, 4 when some are blocked')
          .option('--requests', 'list the requests that apply would send')
          .option('--unmanaged', 'list the live objects that nobody declares'),
      ).action((options) => chosen(async (io) => (await import('./commands/plan.ts')).plan(io, options))),
  },
  apply: {
    summary: 'plan, ask, write in order, verify',
    define: (command, chosen) =>
      planningFlags(
        command
          .option('--yes', 'do not ask')
          .option('--plan <file>', 'apply the changes of a saved plan, and only if they stand unchanged')
          .option('--expect <fingerprint>', 'apply only if the plan has this fingerprint')
          .addOption(allow())
          .addOption(onlyOrigin())
          .addOption(
            new Option('--lock-timeout <seconds>', 'how long to wait for a lock that another run holds')
              .default(0)
              .argParser(wholeNumber(0, 86_400)),
          )
          .option('--skip-blocked', 'apply the rest when changes are blocked or a kind is incomplete')
          .option('--requests', 'list the requests before they are sent'),
      ).action((options) => chosen(async (io) => (await import('./commands/apply.ts')).apply(io, options))),
  },
  drift: {
    summary: 'show whether the account was changed by hand',
    define: (command, chosen) =>
      codeHostFlags(planningFlags(command.helpCommand(false).option('--issue', 'open, update or close an issue for each target')))
        .action((options) => chosen(async (io) => (await import('./commands/drift.ts')).drift(io, options)))
        .addCommand(defineDriftAccept(command, chosen)),
  },
  impact: {
    summary: 'show which devices play what under the policies; writes nothing',
    define: (command, chosen) =>
      refFlag(
        reportFlags(
          projectFlags(
            command
              .argument('[address]', 'address of a policy, or a glob', '*')
              .addOption(
                new Option('--device <glob>', 'only these classes of devices; may be repeated').default(NONE, 'all').argParser(collect),
              )
              .addOption(new Option('--of <side>', 'under which policies').choices(IMPACT_SIDES).default('difference'))
              .option('--why', 'list the rules behind each answer'),
          ),
        ),
      ).action((address, options) => chosen(async (io) => (await import('./commands/impact.ts')).impactCommand(io, address, options))),
  },
  show: {
    summary: 'show a saved report in another format',
    define: (command, chosen) =>
      reportFlags(
        command
          .argument('<file>', 'a file written with --out json=FILE')
          .option('--requests', 'list the requests of a plan')
          .option('--why', 'list the rules behind a report on devices'),
      ).action((file, options) => chosen(async (io) => (await import('./commands/show.ts')).show(io, file, options))),
  },
  comment: {
    summary: 'put saved plans on a pull request, one comment per target',
    define: (command, chosen) =>
      commentFlags(command).action((options) => chosen(async (io) => (await import('./commands/comment.ts')).comment(io, options))),
  },
  export: {
    summary: 'write the live account as YAML',
    define: (command, chosen) =>
      loggingFlags(
        projectFlags(
          command
            .option('--dir <folder>', 'write files into this new or empty folder instead of stdout')
            .option('--assets', 'write a catalogue of the assets too, with names that the service knows'),
        ),
      ).action((options) => chosen(async (io) => (await import('./commands/export.ts')).exportCommand(io, options))),
  },
  targets: {
    summary: 'list the targets, also as a matrix for CI',
    define: (command, chosen) =>
      listFlags(command).action((options) => chosen(async (io) => (await import('./commands/targets.ts')).targets(io, options))),
  },
  history: {
    summary: 'list the applies in the ledger, or show one',
    define: (command, chosen) =>
      reportFlags(projectFlags(command.argument('[entry]', 'ID of an entry, or its beginning'))).action((entry, options) =>
        chosen(async (io) => (await import('./commands/history.ts')).history(io, entry, options)),
      ),
  },
  undo: {
    summary: 'show the plan back to the configuration before an apply',
    define: (command, chosen) =>
      baseFlag(
        command
          .argument('[entry]', 'ID of an entry, or its beginning; without it the last one')
          .addOption(allow())
          .option('--requests', 'list the requests that apply would send'),
      ).action((entry, options) => chosen(async (io) => (await import('./commands/undo.ts')).undo(io, entry, options))),
  },
  unlock: {
    summary: 'release a lock that was left behind',
    define: (command, chosen) =>
      loggingFlags(projectFlags(command.requiredOption('--id <id>', 'ID of the lock: naming it is the confirmation'))).action((options) =>
        chosen(async (io) => (await import('./commands/unlock.ts')).unlockCommand(io, options)),
      ),
  },
  explain: {
    summary: 'explain what a field means, or why a resource is planned as it is',
    define: (command, chosen) =>
      reportFlags(
        projectFlags(command.argument('[address-or-field]', 'for example drm_policies.fairplay.lease, or playlist/evening-block')),
      ).action((word, options) => chosen(async (io) => (await import('./commands/explain.ts')).explain(io, word, options))),
  },
  doctor: {
    summary: 'check whether upkeep can run with this setup; writes nothing',
    define: (command, chosen) =>
      reportFlags(projectFlags(command)).action((options) =>
        chosen(async (io) => (await import('./commands/doctor.ts')).doctor(io, options)),
      ),
  },
  emulate: {
    summary: 'run both services on this machine',
    define: (command, chosen) =>
      command
        .requiredOption('--owner <id>', 'user ID of the account; invent one')
        .requiredOption('--api-key <key>', 'API key of the account; invent one')
        .addOption(new Option('--port <number>', 'port, 0 = any that is free').default(0).argParser(wholeNumber(0, 65_535)))
        .option('--host <address>', 'address to listen on', '127.0.0.1')
        .option('--data <file>', 'keep the state in this file across restarts')
        .option('--seed <file>', 'fill an account that is new from this JSON file')
        .addOption(new Option('--latency <ms>', 'milliseconds before every answer').default(0).argParser(wholeNumber(0, 600_000)))
        .option('--faults <file>', 'misbehave by the rules of this JSON file')
        .action((options) => chosen(async (io) => (await import('./commands/emulate.ts')).emulate(io, options))),
  },
  completion: {
    summary: 'print the script that completes commands, flags, targets and addresses',
    define: (command, chosen) =>
      command
        .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
        .action((shell) => chosen(async (io) => (await import('./commands/completion.ts')).completion(io, shell))),
  },
  complete: {
    summary: 'print the completions of a command line',
    hidden: true,
    define: (command, chosen, whole) =>
      command
        .argument('[words...]', 'the words so far; the last one is to be completed')
        .action((words) => chosen(async (io) => (await import('./commands/complete.ts')).complete(io, words, whole()))),
  },
};
