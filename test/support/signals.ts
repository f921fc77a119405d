/** Signals that a test sends until a program has ended: the second request to stop counts only a second after the first. */

/** A running program. */
interface Signalled {
  readonly ended: Promise<unknown>;
  signal(signal: NodeJS.Signals): void;
}

/** Sends a signal again and again, until the program has ended. */
export function signalUntilItEnds(run: Signalled, signal: NodeJS.Signals): void {
  const again = setInterval(() => run.signal(signal), 50);
  run.ended.then(
    () => clearInterval(again),
    () => clearInterval(again),
  );
}
