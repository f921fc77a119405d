/** The words that a recording keeps: those that the API documents define, and so say nothing about an account (design section 14, rule 3). */
import type { KindWords } from '../core/kinds/recording.ts';
import { isObject } from '../core/model/json.ts';

/** What the values of a member may be that are kept. */
export interface MemberVocabulary {
  readonly isNumber: boolean;
  readonly isBoolean: boolean;
  readonly words: ReadonlySet<string>;
}

/** What a recording keeps. */
export interface Vocabulary {
  /** The members that the documents name. */
  readonly members: ReadonlyMap<string, MemberVocabulary>;
  readonly pathSegments: ReadonlySet<string>;
  /** Names of query parameters. */
  readonly parameters: ReadonlySet<string>;
  /** Members with an error text of the service, of which the words of `ERROR_WORDS` are kept. */
  readonly errorTexts: ReadonlySet<string>;
}

/** What the answers of all kinds share, and the parameters by which a probe asks for a page. */
const SHARED: KindWords = {
  paths: [],
  parameters: ['limit', 'page_size', 'per_page'],
  texts: ['@id', 'id', '_id', 'owner', 'msg', 'title', 'items'],
  numbers: ['total_items', 'status_code', 'error', 'limit', 'page_size', 'per_page'],
  values: {
    '@type': ['Collection', 'Error'],
    code: [
      ...['not_found', 'bad_request', 'unauthorized', 'forbidden', 'conflict', 'unsupported_media_type', 'reused', 'failed'],
      ...['too_many_requests', 'internal_server_error', 'service_unavailable', 'unprocessable_entity'],
    ],
  },
  errorTexts: ['msg', 'title'],
};

/** The words of error texts that are kept, so that a reader sees what was refused. */
const ERROR_WORDS = new Set(
  `a about account accepted access active all already an and api are asset assets at authentication authorization authorized bad be been
  before body by cannot clock could credential credentials definition delete deleted denied desc does duplicate duplicates empty error exceeded
  exist exists expired failed far field fields for forbidden format found from get has have id ids in internal invalid is it item items json key
  limit list many match may missing more msg must name needed needs no not object of on only or other out owner parameter path patch permission
  playlist playlists policies policy policy_name post rate read refused rejected request requests required scope sent server service sig
  signature slicer slicers string supported take takes temporarily text than that the this time timed timestamp to token too unauthorized
  unavailable unknown unsupported value was were with wrong`.split(/\s+/),
);

/**
 * Builds the vocabulary of these schemas of sources, whose names and values are those of the API documents, of the words of the kinds, and of
 * what all answers share.
 */
export function createVocabulary(schemas: readonly unknown[], kindWords: readonly KindWords[]): Vocabulary {
  const members = new Map<string, { isNumber: boolean; isBoolean: boolean; words: Set<string> }>();
  const memberOf = (name: string) => {
    const member = members.get(name) ?? { isNumber: false, isBoolean: false, words: new Set<string>() };
    members.set(name, member);
    return member;
  };
  for (const schema of schemas) {
    for (const { name, part } of namedParts(schema)) {
      const member = memberOf(name);
      const types = [part.type].flat();
      const values = [part.enum ?? []].flat();
      member.isNumber ||= types.includes('integer') || types.includes('number') || values.some((value) => typeof value === 'number');
      member.isBoolean ||= types.includes('boolean');
      for (const value of values) if (typeof value === 'string') member.words.add(value);
      // Where other values are possible, the documented ones are examples.
      for (const value of [part.examples ?? []].flat()) if (isConstant(value)) member.words.add(value);
    }
  }
  const words = [SHARED, ...kindWords];
  for (const { texts = [], numbers = [], booleans = [], values = {} } of words) {
    for (const name of texts) memberOf(name);
    for (const name of numbers) memberOf(name).isNumber = true;
    for (const name of booleans) memberOf(name).isBoolean = true;
    for (const [name, kept] of Object.entries(values)) for (const word of kept) memberOf(name).words.add(word);
  }
  return {
    members,
    pathSegments: new Set(words.flatMap(({ paths }) => paths.flatMap((path) => path.split('/').filter((segment) => segment !== '')))),
    parameters: new Set(words.flatMap(({ parameters = [] }) => parameters)),
    errorTexts: new Set(words.flatMap(({ errorTexts = [] }) => errorTexts)),
  };
}

/** A part of a schema that describes the value of a member, or of its elements. */
interface NamedPart {
  readonly name: string;
  readonly part: { readonly [keyword: string]: unknown };
}

function namedParts(schema: unknown): readonly NamedPart[] {
  const definitions = isObject(schema) && isObject(schema.definitions) ? schema.definitions : {};
  const seen = new Set<string>();
  const partsOf = (value: unknown, name: string | null): readonly NamedPart[] => {
    if (!isObject(value)) return [];
    if (typeof value.$ref === 'string') {
      const [, definition = ''] = /^#\/definitions\/(.*)$/.exec(value.$ref) ?? [];
      const visit = `${name} ${definition}`;
      if (seen.has(visit) || !Object.hasOwn(definitions, definition)) return [];
      seen.add(visit);
      return partsOf(definitions[definition], name);
    }
    const alternatives = [value.items, value.additionalProperties, value.anyOf, value.oneOf].flat();
    const properties = isObject(value.properties) ? Object.entries(value.properties) : [];
    return [
      ...(name === null ? [] : [{ name, part: value }]),
      ...alternatives.flatMap((each) => partsOf(each, name)),
      ...properties.flatMap(([inner, part]) => partsOf(part, inner)),
    ];
  };
  return partsOf(schema, null);
}

/** Decides whether an example of a value is a constant of the documents, such as `PLATFORM_UNVERIFIED`. */
function isConstant(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$/.test(value);
}

/** Decides whether a word of an error text is kept. */
export function isErrorWord(word: string): boolean {
  return ERROR_WORDS.has(word.toLowerCase());
}
