/**
 * Recognizes live objects whose name may be a desired name in another form: the API documents do not promise that a service keeps a name as
 * it was sent (design section 3, identity).
 */
import type { CollectionKind, DesiredResource, LiveObject } from '../kinds/kind.ts';
import { groupBy } from '../model/collections.ts';
import { type JsonObject, stableJson } from '../model/json.ts';

/** Decides whether a resource is matched by its name at all. */
export function hasNameToMatch({ matchKeys }: DesiredResource): boolean {
  return matchKeys.some((matchKey) => 'remoteName' in matchKey);
}

/**
 * Returns a function that finds the objects whose name may be another form of the desired name: equal after trimming, normalizing and
 * unescaping, or a prefix of it, where the content is equal, too. The resource never matches such an object:
 * it only blocks the create.
 */
export function createNameFormSearch(
  kind: CollectionKind,
  objects: readonly LiveObject[],
): (desired: DesiredResource) => readonly LiveObject[] {
  const forms = new Map(objects.map((object) => [object, commonForm(object.remoteName)]));
  const byForm = groupBy(objects, (object) => forms.get(object));
  const byContent = groupBy(objects, (object) => contentOf(kind, object.fields));
  return (desired) => {
    if (!hasNameToMatch(desired)) return [];
    const form = commonForm(desired.remoteName ?? '');
    const equalForm = form === '' ? [] : (byForm.get(form) ?? []);
    const beginnings = (byContent.get(contentOf(kind, desired.fields)) ?? []).filter((object) => {
      const beginning = forms.get(object) ?? '';
      return beginning === '' ? form === '' : form.startsWith(beginning);
    });
    return [...new Set([...equalForm, ...beginnings])].filter((object) => kind.whyNotBindable?.(desired, object) === undefined);
  };
}

/** Whether the object has the content that the resource declares, whatever its name. */
export function hasContentOf(kind: CollectionKind, desired: DesiredResource, object: LiveObject): boolean {
  return contentOf(kind, object.fields) === contentOf(kind, desired.fields);
}

function contentOf({ contentFields }: CollectionKind, fields: JsonObject): string {
  return stableJson(Object.fromEntries(contentFields.map((name) => [name, fields[name] ?? null])));
}

/**
 * Unescapes, decomposes (NFD) and trims a name, so that its altered forms are equal. Decomposed, a name that was cut within an accented
 * character is still a prefix.
 */
function commonForm(name: string): string {
  return unescapeHtml(name).normalize('NFD').trim();
}

const CHARACTERS: { readonly [entity: string]: string } = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** Replaces character references, also those that were escaped more than once. */
function unescapeHtml(text: string): string {
  return text
    .replace(/&(?:amp;)+/g, '&')
    .replace(/&(?:([a-z]{2,4})|#(\d{1,6})|#x([0-9a-f]{1,5}));/gi, (reference, entity, decimal, hex) => {
      if (entity !== undefined) return CHARACTERS[String(entity).toLowerCase()] ?? reference;
      return String.fromCodePoint(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal));
    });
}
