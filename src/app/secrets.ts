import { createRedactor, type Redact } from '../api-client/redact.ts';

/**
 * The credentials of a run, kept out of what it shows (design section 4, rule 10): an account or a YAML file may repeat them in any text.
 * The service hides them in its own errors, along with the signatures, which nobody else ever sees.
 */
export interface Secrets {
  /** The signatures of the requests of all targets that are in flight, which the services of the run hide. */
  readonly signatures: Set<string>;
  /** Hides an API key or a token from now on, in the output of every target. */
  add(secret: string): void;
  /** Hides an owner from now on, in this output only: another target's output may name it. */
  addOwner(owner: string): void;
  /** The text without them, whole or in part. */
  hidden(text: string): string;
  /** The same for every text in plain data, names of members included. */
  hiddenIn<Data>(data: Data): Data;
  /** Creates the secrets of one of several targets: the API keys and tokens of the whole run, and an owner of its own. */
  forTarget(): Secrets;
}

/** A shorter one is no secret, and hiding it would blot out ordinary words; characters. */
const SHORTEST = 12;

/** Secrets that become more. */
interface KnownSecrets {
  add(secret: string): void;
  isEmpty(): boolean;
  readonly hide: Redact;
}

/** Creates the secrets of a run, with nothing to hide yet. */
export function createSecrets(): Secrets {
  return secretsWith(knownSecrets(), new Set());
}

function secretsWith(shared: KnownSecrets, signatures: Set<string>): Secrets {
  const owners = knownSecrets();
  const hidden: Redact = (text) => owners.hide(shared.hide(text));
  return {
    signatures,
    add: shared.add,
    addOwner: owners.add,
    hidden,
    hiddenIn(data) {
      if (shared.isEmpty() && owners.isEmpty()) return data;
      const text = JSON.stringify(data);
      if (hidden(text) === text) return data;
      return JSON.parse(text, (_name, value) => {
        if (typeof value === 'string') return hidden(value);
        if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
        return Object.fromEntries(Object.entries(value).map(([name, member]) => [hidden(name), member]));
      });
    },
    forTarget: () => secretsWith(shared, signatures),
  };
}

function knownSecrets(): KnownSecrets {
  const known = new Set<string>();
  let hide = createRedactor([]);
  return {
    add(secret) {
      if (secret.length < SHORTEST) return;
      known.add(secret).add(JSON.stringify(secret).slice(1, -1));
      hide = createRedactor([...known]);
    },
    isEmpty: () => known.size === 0,
    hide: (text) => hide(text),
  };
}
