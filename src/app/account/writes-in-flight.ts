/** The writes that were sent and not answered yet, which an immediate exit names. */
import type { ApiRequest, ApiService } from '../../core/kinds/kind.ts';

/** A service that remembers its writes in flight. */
export interface WatchedService extends ApiService {
  /** Returns a sentence about the writes in flight; null where there are none. */
  inFlight(): string | null;
}

/** Maximum number of writes that are named. */
const MAX_NAMED = 5;

/** Returns a service that sends by another one. */
export function watchWrites(service: ApiService): WatchedService {
  const sent = new Map<ApiRequest, string>();
  return {
    async send(request, addresses = []) {
      if (request.method === 'GET') return await service.send(request, addresses);
      sent.set(
        request,
        `${request.method} ${request.path}${addresses.length === 0 ? '' : ` (${addresses.slice(0, MAX_NAMED).join(', ')})`}`,
      );
      try {
        return await service.send(request, addresses);
      } finally {
        sent.delete(request);
      }
    },
    inFlight() {
      const [first, ...others] = [...sent.values()].slice(0, MAX_NAMED);
      if (first === undefined) return null;
      const more = sent.size > MAX_NAMED ? ` and ${sent.size - MAX_NAMED} more` : '';
      return `in flight, and perhaps carried out: ${[first, ...others].join(', ')}${more}; the next plan shows what was done`;
    },
  };
}
