/** For any account and any configuration: apply converges in one run, and orders do not matter. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Change } from '../../src/core/model/change.ts';
import type { Json, JsonObject } from '../../src/core/model/json.ts';
import type { Plan } from '../../src/core/model/plan.ts';
import { createTestProject } from '../support/harness.ts';
import { assertAsyncProperty } from '../support/property.ts';
import { account, CASES, hasOddEntry, quirks, TIMEOUT } from './accounts.ts';
import { configuration } from './configurations.ts';
import { waitingChanges } from './invariants.ts';

const OPEN = 'weakening: allow\nplayback_loss: allow\nlimits: { delete: { count: 1000, percent: 100 }, update: { percent: 100 } }\n';
const ownership = fc.constantFrom('shared', 'exclusive');

function files(sections: JsonObject): { readonly [file: string]: string } {
  return { 'config/a.yaml': JSON.stringify(sections) };
}

/** The same value with the members of every object in the opposite order; lists keep theirs. */
function reversed(value: Json): Json {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([member, part]) => [member, reversed(part)]),
  );
}

/** Returns the changes of a plan without their source locations. */
function withoutPlaces({ changes }: Plan): readonly Change[] {
  return changes.map(({ declared: _declared, ...change }) => change);
}

function addressesOf(changes: readonly Change[]): readonly string[] {
  return changes.map(({ address }) => address).sort();
}

/** Deletes of policies that could not be declared until the apply between two plans deleted a policy of the same name. */
function namesakesOfDeleted(before: Plan, after: Plan): readonly Change[] {
  const deletedNames = new Set(before.changes.filter(isPolicyDelete).map(({ name }) => name));
  const kept = new Set(before.findings.filter(({ code }) => code === 'cannot-be-declared').map(({ address }) => address));
  return after.changes.filter((change) => isPolicyDelete(change) && kept.has(change.address) && deletedNames.has(change.name));
}

function isPolicyDelete({ action, kind }: Change): boolean {
  return action === 'delete' && kind === 'drm-policy';
}

test(
  'after one apply nothing is left but what `identity` or `unknown-fields` blocks, what must come after it, and namesakes of deleted policies',
  async () => {
    await assertAsyncProperty(
      fc.asyncProperty(account, configuration, ownership, quirks, async (seed, sections, owner, how) => {
        const project = await createTestProject(files(sections), { seed, quirks: how, target: `${OPEN}ownership: ${owner}` });
        const before = await project.plan();
        const blocked = before.document.changes.filter((change) => change.blocked !== null);
        for (const change of blocked) expect(['identity', 'unknown-fields']).toContain(change.blocked?.check);
        const waiting = waitingChanges(before.document);
        if (waiting.length > 0) expect(blocked.length).toBeGreaterThan(0);
        project.emulator.clearRequests();
        const applied = await project.apply('--yes', '--skip-blocked');
        expect(applied).toMatchObject({ code: blocked.length > 0 ? 4 : 0, document: { verified: true, summary: { failed: 0 } } });
        expect(project.writes()).toHaveLength(before.document.cost.writes);
        const after = await project.plan();
        const namesakes = namesakesOfDeleted(before.document, after.document);
        expect(addressesOf(after.document.changes.filter((change) => change.blocked === null))).toEqual(
          addressesOf([...waiting, ...namesakes]),
        );
        expect(addressesOf(after.document.changes)).toEqual(addressesOf([...blocked, ...waiting, ...namesakes]));
        project.emulator.clearRequests();
        await project.run('apply', '--yes', '--skip-blocked');
        expect(project.writes()).toEqual(after.document.requests.map(({ method, path }) => `${method} ${path}`));
        expect(after.document.requests).toHaveLength(namesakes.length);
        await project.close();
      }),
      { numRuns: CASES },
    );
  },
  TIMEOUT,
);

test(
  'a plan does not depend on the order of the account, of the sources, or on how the service responds',
  async () => {
    await assertAsyncProperty(
      fc.asyncProperty(account, configuration, ownership, quirks, async (seed, sections, owner, how) => {
        const first = await createTestProject(files(sections), { seed, target: `${OPEN}ownership: ${owner}` });
        const again = await createTestProject(files(Object.fromEntries(Object.entries(sections).toReversed())), {
          seed: first.emulator.dump(),
          quirks: hasOddEntry(seed) ? { ...how, numericStrings: false } : how,
          target: `${OPEN}ownership: ${owner}`,
        });
        again.write('upkeep.yaml', first.read('upkeep.yaml').replace(first.emulator.url, again.emulator.url));
        again.write('config/a.yaml', JSON.stringify(reversed(sections)));
        const [one, other] = [await first.plan(), await again.plan()];
        expect(withoutPlaces(other.document)).toEqual(withoutPlaces(one.document));
        expect(other.document.requests).toEqual(one.document.requests);
        expect(other.document.summary).toEqual(one.document.summary);
        await Promise.all([first.close(), again.close()]);
      }),
      { numRuns: Math.ceil(CASES / 2) },
    );
  },
  TIMEOUT,
);
