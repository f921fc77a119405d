import { createRedactor, type Redact } from '../../core/api-client/redact.ts';

/**
 * The credentials of a run, redacted from its output (design section 4, rule 10): an account or a YAML file may repeat them in any text.
 * The API client redacts them, and the signatures, in its own errors.
 */
export interface Secrets {
  /** The signatures of all requests in flight, which the API clients redact. */
  readonly signatures: Set<string>;
  /** Redacts an API key or a token from now on, in the output of every target. */
  add(secret: string): void;
  /** Redacts an owner from now on, in this output only: another target's output may name it. */
  addOwner(owner: string): void;
  /** Returns the text with all secrets redacted, whole or in part. */
  redact(text: string): string;
  /** Returns plain data with secrets redacted in every string, also in member names. */
  redactIn<Data>(data: Data): Data;
  /** Creates the secrets of one of several targets: the API keys and tokens of the whole run, and an owner of its own. */
  forTarget(): Secrets;
}

/** Minimum length of a secret, characters: redacting shorter ones would mask ordinary words. */
export const MIN_SECRET_LENGTH = 12;

/** A growing set of secrets and its redactor. */
interface KnownSecrets {
  add(secret: string): void;
  isEmpty(): boolean;
  readonly redact: Redact;
}

/** Creates the secrets of a run, empty at first. */
export function createSecrets(): Secrets {
  return secretsWith(createKnownSecrets(), new Set());
}

/** Creates secrets with owners of their own; `shared` are the API keys and tokens of all targets. */
function secretsWith(shared: KnownSecrets, signatures: Set<string>): Secrets {
  const owners = createKnownSecrets();
  const redact: Redact = (text) => owners.redact(shared.redact(text));
  return {
    signatures,
    add: shared.add,
    addOwner: owners.add,
    redact,
    redactIn(data) {
      if (shared.isEmpty() && owners.isEmpty()) return data;
      const text = JSON.stringify(data);
      if (redact(text) === text) return data;
      return JSON.parse(text, (_name, value) => {
        if (typeof value === 'string') return redact(value);
        if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
        return Object.fromEntries(Object.entries(value).map(([name, member]) => [redact(name), member]));
      });
    },
    forTarget: () => secretsWith(shared, signatures),
  };
}

function createKnownSecrets(): KnownSecrets {
  const known = new Set<string>();
  let redact = createRedactor([]);
  return {
    add(secret) {
      if (secret.length < MIN_SECRET_LENGTH) return;
      known.add(secret);
      redact = createRedactor([...known]);
    },
    isEmpty: () => known.size === 0,
    redact: (text) => redact(text),
  };
}
