import { hiding } from '../service/secrets.ts';

/**
 * The credentials of a run, kept out of what it shows (design section 4, rule 10): an account or a YAML file may repeat them in any text.
 * The service hides them in its own errors, along with the signatures, which nobody else ever sees.
 */
export interface Secrets {
  /** Hides this too from now on. */
  add(secret: string): void;
  /** The text without them, whole or in part. */
  hidden(text: string): string;
  /** The same for every text in plain data, names of members included. */
  hiddenIn<Data>(data: Data): Data;
}

/** A shorter one is no secret, and hiding it would blot out ordinary words; characters. */
const SHORTEST = 12;

/** Nothing to hide yet. */
export function createSecrets(): Secrets {
  const known = new Set<string>();
  let hidden = hiding([]);
  return {
    add(secret) {
      if (secret.length < SHORTEST) return;
      known.add(secret).add(JSON.stringify(secret).slice(1, -1));
      hidden = hiding([...known]);
    },
    hidden: (text) => hidden(text),
    hiddenIn(data) {
      if (known.size === 0) return data;
      const text = JSON.stringify(data);
      if (hidden(text) === text) return data;
      return JSON.parse(text, (_name, value) => {
        if (typeof value === 'string') return hidden(value);
        if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
        return Object.fromEntries(Object.entries(value).map(([name, member]) => [hidden(name), member]));
      });
    },
  };
}
