/** Lays out the settings of all policies as a matrix: a row for each setting, a column for policies with equal settings. */
import type { KindOverview, PolicyOverview } from '../../core/model/account-overview.ts';
import { compareStrings } from '../../core/model/finding.ts';
import { isJsonObject, type Json, type JsonObject, type Path, pointer, stableJson } from '../../core/model/json.ts';
import { fieldName } from '../text/field-diff.ts';

/** The settings of policies. */
export interface PolicyMatrix {
  /** The policies of each column, with equal settings. */
  readonly columns: readonly (readonly PolicyOverview[])[];
  /** The settings that are not at their default in every policy, by DRM system. */
  readonly groups: readonly { readonly title: string; readonly rows: readonly PolicyRow[] }[];
  /** Number of settings that are at their default in every policy. */
  readonly atDefault: number;
}

/** One setting. */
export interface PolicyRow {
  readonly name: string;
  /** Whether not all columns have the same value. */
  readonly isDifferent: boolean;
  /** A value for each column; null where the policy does not have the setting. */
  readonly cells: readonly PolicyCell[];
}

/** The value of a setting in one column. */
export interface PolicyCell {
  readonly value: string | null;
  readonly isDefault: boolean;
}

type Policies = Extract<KindOverview, { readonly type: 'policies' }>;

/** Lays out policies. Columns are sorted by the first name in each. */
export function policyMatrixOf({ policies, defaults, systems }: Policies): PolicyMatrix {
  const columns = columnsOf(policies);
  const values = columns.map(([first]) => leavesOf(first?.settings ?? {}));
  const defaultValues = leavesOf(defaults);
  const paths = unionInOrder([defaultValues, ...values].map((leaves) => [...leaves.keys()]));
  const rows = paths.map((path) => ({ path, row: rowOf(path, values, defaultValues) }));
  const shown = rows.filter(({ row }) => row.cells.some(({ isDefault }) => !isDefault));
  const topOf = (path: string) => path.split('/')[1] ?? '';
  const tops = [...new Set([...Object.keys(systems), ...shown.map(({ path }) => topOf(path))])];
  return {
    columns,
    groups: tops.flatMap((top) => {
      const own = shown.filter(({ path }) => topOf(path) === top).map(({ row }) => row);
      return own.length === 0 ? [] : [{ title: Object.hasOwn(systems, top) ? (systems[top] ?? top) : top, rows: own }];
    }),
    atDefault: rows.length - shown.length,
  };
}

function columnsOf(policies: readonly PolicyOverview[]): PolicyMatrix['columns'] {
  const bySettings = new Map<string, PolicyOverview[]>();
  const sorted = policies.toSorted((a, b) => compareStrings(a.name, b.name) || compareStrings(a.id, b.id));
  for (const policy of sorted) {
    const text = stableJson(policy.settings);
    const equal = bySettings.get(text);
    if (equal) equal.push(policy);
    else bySettings.set(text, [policy]);
  }
  return [...bySettings.values()];
}

function rowOf(path: string, values: readonly ReadonlyMap<string, string>[], defaults: ReadonlyMap<string, string>): PolicyRow {
  const defaultValue = defaults.get(path) ?? null;
  const cells = values.map((leaves): PolicyCell => {
    const value = leaves.get(path) ?? null;
    return { value, isDefault: value === null || value === defaultValue };
  });
  const [, ...rest] = path.split('/').slice(1);
  const name = fieldName(`/${rest.join('/')}`) || 'all of it';
  return { name, isDifferent: new Set(cells.map(({ value }) => value)).size > 1, cells };
}

function leavesOf(settings: JsonObject): ReadonlyMap<string, string> {
  const leaves = new Map<string, string>();
  const visit = (value: Json, path: Path): void => {
    if (isJsonObject(value) && Object.keys(value).length > 0)
      for (const [key, member] of Object.entries(value)) visit(member, [...path, key]);
    else leaves.set(pointer(path), typeof value === 'string' ? value : stableJson(value));
  };
  visit(settings, []);
  return leaves;
}

/** Merges lists of paths: a path that an earlier list lacks comes after the one before it in its own list. */
function unionInOrder(lists: readonly (readonly string[])[]): readonly string[] {
  const merged: string[] = [];
  for (const list of lists) {
    const known = new Set(merged);
    let at = 0;
    for (const path of list) {
      if (known.has(path)) at = merged.indexOf(path) + 1;
      else merged.splice(at++, 0, path);
    }
  }
  return merged;
}
