/** The members of a fleet in this process, so that roads over several targets run without processes; what is said goes through JSON, as between them. */
import { memberWorld, type Outside } from '../src/cli/fleet/member.ts';
import { isTold, type StartMember } from '../src/cli/fleet/messages.ts';
import { main } from '../src/cli/main.ts';

/** Starts members here, with this outside world and the environment that the fleet gives them. */
export function membersHere(outside: Omit<Outside, 'env'>): () => Promise<StartMember> {
  return async () =>
    ({ target, argv, env }, hear) => {
      const tell = (told: unknown): void => {
        const message: unknown = JSON.parse(JSON.stringify(told));
        if (!isTold(message)) throw new Error(`no message of a member: ${JSON.stringify(message)}`);
        hear(message);
      };
      const { world, order } = memberWorld(target, tell, { ...outside, env });
      return { order, ended: main(argv, world) };
    };
}
