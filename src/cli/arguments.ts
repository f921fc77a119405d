import { IMPACT_SIDES } from '../model/impact.ts';
import type { Exit } from './exit.ts';
import {
  Argument,
  about,
  allow,
  Command,
  collect,
  comparing,
  listing,
  NONE,
  noise,
  Option,
  onlyOrigin,
  planning,
  referring,
  reporting,
  wholeNumber,
} from './flags.ts';
import type { Io } from './io.ts';
import { CI_SYSTEMS, SHELLS } from './options.ts';

export { CommanderError } from './flags.ts';

/** What a parsed command line does; the command's own code is loaded only now. */
export type Action = (io: Io) => Promise<Exit>;

/** The command line (design section 5). `chosen` is told the action of the command that was named. */
export function commandLine(version: string, chosen: (action: Action) => void): Command {
  const program = new Command('upkeep')
    .description('Keeps a streaming account the way a git repository says it should be.')
    .version(version)
    .addHelpText('after', EXIT_CODES);

  noise(
    program
      .command('init')
      .description('begin a project: commented, valid, with a CI recipe; overwrites nothing')
      .argument('[folder]', 'where; it may hold files already', '.')
      .option('--base-url <url>', 'address of the service; asked for on a terminal')
      .option('--name <target>', 'name of the target')
      .addOption(new Option('--ci <system>', 'CI recipe').choices(CI_SYSTEMS))
      .option('--from-live', 'write down what the account holds now'),
  ).action((folder, options) => chosen(async (io) => (await import('./commands/init.ts')).init(io, folder, options)));
  reporting(about(program.command('validate').description('check the configuration; needs no network'))).action((options) =>
    chosen(async (io) => (await import('./commands/validate.ts')).validate(io, options)),
  );
  planning(
    program
      .command('plan')
      .description('show what apply would do; writes nothing')
      .addOption(allow())
      .option('--base <ref>', 'tell the origin of differences by this commit instead of the one last applied')
      .addOption(onlyOrigin())
      .option('--detailed-exitcode', 'exit 2 when there are changes, 4 when some are held')
      .option('--requests', 'list the requests that apply would send')
      .option('--unmanaged', 'list the live objects that nobody declares'),
  ).action((options) => chosen(async (io) => (await import('./commands/plan.ts')).plan(io, options)));
  planning(
    program
      .command('apply')
      .description('plan, ask, write in order, verify')
      .option('--yes', 'do not ask')
      .option('--plan <file>', 'apply the changes of a saved plan, and only if they stand unchanged')
      .option('--expect <fingerprint>', 'apply only if the plan has this fingerprint')
      .addOption(allow())
      .addOption(onlyOrigin())
      .addOption(
        new Option('--lock-timeout <seconds>', 'wait so long for a lock that is held').default(0).argParser(wholeNumber(0, 86_400)),
      )
      .option('--skip-held', 'apply the rest when something is held or a kind is incomplete')
      .option('--requests', 'list the requests before they are sent'),
  ).action((options) => chosen(async (io) => (await import('./commands/apply.ts')).apply(io, options)));
  planning(program.command('drift').description('tell whether the account was changed by hand')).action((options) =>
    chosen(async (io) => (await import('./commands/drift.ts')).drift(io, options)),
  );
  referring(
    reporting(
      about(
        program
          .command('impact')
          .description('show which devices play what under the policies; writes nothing')
          .argument('[address]', 'address of a policy, or a glob', '*')
          .addOption(
            new Option('--device <glob>', 'only these classes of devices; may be repeated').default(NONE, 'all').argParser(collect),
          )
          .addOption(new Option('--of <side>', 'under which policies').choices(IMPACT_SIDES).default('difference'))
          .option('--why', 'list the rules behind each answer'),
      ),
    ),
  ).action((address, options) => chosen(async (io) => (await import('./commands/impact.ts')).impactCommand(io, address, options)));
  reporting(
    program
      .command('show')
      .description('show a saved report in another format')
      .argument('<file>', 'a file written with --out json=FILE')
      .option('--requests', 'list the requests of a plan')
      .option('--why', 'list the rules behind a report on devices'),
  ).action((file, options) => chosen(async (io) => (await import('./commands/show.ts')).show(io, file, options)));
  noise(
    about(
      program
        .command('export')
        .description('write the live account as YAML')
        .option('--dir <folder>', 'write files into this new or empty folder instead of stdout')
        .option('--assets', 'write a catalogue of the assets too, with names that the service knows'),
    ),
  ).action((options) => chosen(async (io) => (await import('./commands/export.ts')).exportCommand(io, options)));
  listing(program.command('targets').description('list the targets, also as a matrix for CI')).action((options) =>
    chosen(async (io) => (await import('./commands/targets.ts')).targets(io, options)),
  );
  reporting(
    about(
      program
        .command('history')
        .description('list the applies in the ledger, or show one')
        .argument('[entry]', 'ID of an entry, or its beginning'),
    ),
  ).action((entry, options) => chosen(async (io) => (await import('./commands/history.ts')).history(io, entry, options)));
  comparing(
    program
      .command('undo')
      .description('show the plan back to the configuration before an apply')
      .argument('[entry]', 'ID of an entry, or its beginning; without it the last one')
      .addOption(allow())
      .option('--requests', 'list the requests that apply would send'),
  ).action((entry, options) => chosen(async (io) => (await import('./commands/undo.ts')).undo(io, entry, options)));
  noise(
    about(
      program
        .command('unlock')
        .description('release a lock that was left behind')
        .requiredOption('--id <id>', 'ID of the lock: naming it is the confirmation'),
    ),
  ).action((options) => chosen(async (io) => (await import('./commands/unlock.ts')).unlockCommand(io, options)));
  reporting(
    about(
      program
        .command('explain')
        .description('tell what a field means, or why a resource is planned as it is')
        .argument('[address-or-field]', 'for example drm_policies.fairplay.lease, or playlist/evening-block'),
    ),
  ).action((word, options) => chosen(async (io) => (await import('./commands/explain.ts')).explain(io, word, options)));
  reporting(about(program.command('doctor').description('look whether the set-up would carry a run; writes nothing'))).action((options) =>
    chosen(async (io) => (await import('./commands/doctor.ts')).doctor(io, options)),
  );
  program
    .command('emulate')
    .description('run both services on this machine')
    .requiredOption('--owner <id>', 'user ID of the account; invent one')
    .requiredOption('--api-key <key>', 'API key of the account; invent one')
    .addOption(new Option('--port <number>', 'port, 0 = any that is free').default(0).argParser(wholeNumber(0, 65_535)))
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--data <file>', 'keep the state in this file across restarts')
    .option('--seed <file>', 'fill an account that is new from this JSON file')
    .addOption(new Option('--latency <ms>', 'milliseconds before every answer').default(0).argParser(wholeNumber(0, 600_000)))
    .option('--faults <file>', 'misbehave by the rules of this JSON file')
    .action((options) => chosen(async (io) => (await import('./commands/emulate.ts')).emulate(io, options)));
  program
    .command('completion')
    .description('print the script that completes commands, flags, targets and addresses')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .action((shell) => chosen(async (io) => (await import('./commands/completion.ts')).completion(io, shell)));
  program
    .command('complete', { hidden: true })
    .argument('[words...]', 'the words so far; the last one is to be completed')
    .action((words) => chosen(async (io) => (await import('./commands/complete.ts')).complete(io, words, program)));
  return program;
}

const EXIT_CODES = `
Exit codes:
  0 done    1 error    2 changes pending    3 drift    4 held or not confirmed
  5 some changes failed    6 stale plan    7 credentials refused
  8 invalid configuration or usage    9 locked    10 incomplete read
  130 interrupted`;
