/** Reading what a code host answers. */
import { isObject } from '../model/json.ts';
import { unusable } from './errors.ts';

/** A member of an object; undefined where it is null or missing, or there is no object. */
export function member(value: unknown, name: string): unknown {
  return isObject(value) ? (value[name] ?? undefined) : undefined;
}

/** Gives up an answer that lacks a member. @throws CodeHostError */
export function lacks(doing: string, what: string): never {
  throw unusable(doing, `it has no ${what}`);
}

/** The hash of a commit. */
export function asHash(value: unknown): string | undefined {
  return typeof value === 'string' && /^[0-9a-f]{40,64}$/.test(value) ? value : undefined;
}
