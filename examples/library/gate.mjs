// @ts-check
// Says whether a merge request may be merged without a person, by what `plan` decides of its commit: exit code 0 if it may be, 1 if a person
// has to decide, 2 if nobody can tell. It runs in a clone of the merge request, with the credentials that read the account:
//
//     node gate.mjs FOLDER refs/remotes/origin/main
import { plan, UpkeepError } from 'upkeep';

/** @import { Hold, PlanDocument } from 'upkeep' */

const [folder = '.', trustFrom = 'refs/remotes/origin/main'] = process.argv.slice(2);

/**
 * Decides whether the merge is what a hold waits for: an earlier target carries the commit once it is merged. What the target itself has taken
 * back is another matter. @param {Hold} hold @param {string} own
 */
function isLiftedByMerge({ rule, target }, own) {
  return rule === 'dirty' || rule === 'not-on-branch' || (rule === 'promotion' && target !== own);
}

/** Returns the exit code for one target, and why. @param {PlanDocument} document @returns {[code: 0 | 1 | 2, why: string]} */
function answerOf({ target, verdict, decision, findings }) {
  // A merge can lower a safeguard without any change of the account.
  const lowered = findings.find(({ code }) => code === 'safeguard-lowered');
  if (decision === undefined || decision.status === 'unknown') return [2, verdict];
  if (lowered !== undefined) return [1, lowered.summary];
  switch (decision.status) {
    case 'ready':
    case 'nothing':
      return [0, verdict];
    case 'waits':
      return [decision.holds.every((hold) => isLiftedByMerge(hold, target)) ? 0 : 1, verdict];
    default:
      return [1, verdict];
  }
}

async function main() {
  // What the merge request says of its own safeguards does not count, only what the branch says.
  const { documents } = await plan({ project: folder, targets: ['*'], trustFrom });
  const answers = documents.map((document) => ({ target: document.target, answer: answerOf(document) }));
  for (const { target, answer } of answers) console.log(`${target}: ${['merge', 'ask', 'cannot tell'][answer[0]]}: ${answer[1]}`);
  return Math.max(...answers.map(({ answer: [code] }) => code));
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof UpkeepError)) throw error;
  console.error(`${error.message}\n  what to do: ${error.hint}`);
  process.exitCode = 2;
}
