import type { Reports } from '../output.ts';
import type { Secrets } from '../secrets.ts';
import type { Line } from './messages.ts';

/** The reports of a member: its documents go to the fleet, which puts them in order, shows and saves them. */
export function relayedReports(line: Line, secrets: Secrets): Reports {
  let read: ReadonlySet<string> = new Set();
  const relay =
    (type: 'add' | 'show'): Reports['add'] =>
    (document, look = {}) =>
      line.tell({ type, document: secrets.hiddenIn(document), look: secrets.hiddenIn(look) });
  return {
    add: relay('add'),
    show: relay('show'),
    spare(files) {
      read = files;
    },
    async finish() {
      line.tell({ type: 'read', files: [...read] });
      return [];
    },
  };
}
