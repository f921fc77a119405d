import { EXIT, type Exit, Stop } from '../exit.ts';

/** A code host that does not do what it is asked for. `status` is that of its answer; null where there was none. */
export class HostError extends Stop {
  readonly status: number | null;

  constructor(exit: Exit, code: string, summary: string, hint: string, status: number | null) {
    super(exit, code, summary, hint);
    this.name = 'HostError';
    this.status = status;
  }
}

/** The error for an answer that lacks something: `what` names it. */
export function unusable(doing: string, what: string): HostError {
  const summary = `${doing}: the answer cannot be used: ${what}`;
  return new HostError(EXIT.error, 'host-answer', summary, 'check that the address is that of the API, and not of a proxy or a page', null);
}
