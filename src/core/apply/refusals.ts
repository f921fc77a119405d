/** Stops writing where the service refuses the key (design section 4, rule 7). */
import type { ApiError, Kind } from '../kinds/kind.ts';

/** Number of writes that a 401 must refuse before writing ends: one alone may come from a signature. */
const REFUSED_TO_STOP = 2;

/** What the service has refused in this apply. */
export class Refusals {
  #refusedKeys = 0;
  #everything: string | null = null;
  readonly #byKind = new Map<Kind, string>();

  /** Records the error of a write of a kind. */
  record(kind: Kind, { category, status, what }: ApiError): void {
    if (category !== 'credentials') return;
    if (status === 401) {
      this.#refusedKeys += 1;
      if (this.#refusedKeys >= REFUSED_TO_STOP) this.#everything ??= `not sent, because the service refuses the key: ${what}`;
    }
    if (status === 403 && !this.#byKind.has(kind))
      this.#byKind.set(kind, `not sent, because the key may not write any ${kind.name}: ${what}`);
  }

  /** Returns why no change of a kind is sent any more; undefined where changes are sent. */
  reasonFor(kind: Kind): string | undefined {
    return this.#everything ?? this.#byKind.get(kind);
  }
}
