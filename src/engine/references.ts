/** References: whether what the resources name elsewhere in the service is there, asked before planning (`check` of a target). Reads, and writes nothing. */
import { type Kind, type LookUp, type Mention, type References, type Service, ServiceError } from '../kinds/kind.ts';
import { compareFindings, type Finding, type Severity } from '../model/finding.ts';
import type { Plan } from '../model/plan.ts';
import { belongs } from './belong.ts';
import { inScope, leftOut } from './column.ts';
import { findingAt } from './desired/findings.ts';
import type { Run } from './run.ts';

/** What was asked, and what came of it. */
export interface Checked {
  /** Unsorted. An error among them means that a resource would refer to nothing. */
  readonly findings: readonly Finding[];
  /** Requests. */
  readonly reads: number;
}

/** Codes of these findings that no kind names, for `rules`. */
export const REFERENCE_CODES = ['references-not-checked'];

type Asked = Pick<Run, 'target' | 'declaration' | 'rules' | 'kinds' | 'service' | 'only'>;

/** Looks up the references of all kinds that the target checks and that are managed and within `--only`; each ID is asked about once. */
export async function checkReferences(run: Asked): Promise<Checked> {
  const checked = await Promise.all(run.kinds.map((kind) => checkKind(kind, run)));
  return { findings: checked.flatMap(({ findings }) => findings), reads: checked.reduce((sum, { reads }) => sum + reads, 0) };
}

/** A plan with what the check found and cost. */
export function withChecked(plan: Plan, { findings, reads }: Checked): Plan {
  const cost = { ...plan.cost, reads: plan.cost.reads + reads };
  return { ...plan, findings: [...plan.findings, ...findings].sort(compareFindings), cost };
}

async function checkKind(kind: Kind, run: Asked): Promise<Checked> {
  const { references } = kind;
  const asks = references !== undefined && run.target.check[references.name] === true && run.rules[references.code] !== 'off';
  if (!asks || leftOut(kind, run)) return { findings: [], reads: 0 };
  const resources = run.declaration.resources.filter(({ address }) => belongs(kind, address) && inScope(run.only, address));
  const mentions = resources.flatMap((resource) =>
    references.mentions(resource).map((mention) => ({ ...mention, address: resource.address })),
  );
  const askable = mentions.filter((mention) => mention.beyond === undefined);
  const ids = [...new Set(askable.map(({ id }) => id))];
  const lookUps = references.lookUps(ids, run.target.service.referenceApi);
  const { absent, unasked } = await carryOut(lookUps, run.service);
  const said = [
    ...mentions.flatMap((mention) => beyondReach(mention, references)),
    ...askable.filter(({ id }) => absent.has(id)).map((mention) => notFound(mention, references, run)),
    ...unasked.map((each) => notChecked(each, ids.length, askable, references)),
  ];
  return { findings: said.flatMap((each) => findingOf(each, run)), reads: lookUps.length };
}

/** IDs of which nothing is known, and why. */
interface Unasked {
  readonly fault: ServiceError;
  readonly ids: ReadonlySet<string>;
}

/** Carries look-ups out, side by side as far as the service allows. Each may fail on its own: what the others found still counts. */
async function carryOut(
  lookUps: readonly LookUp[],
  service: Service,
): Promise<{ readonly absent: ReadonlySet<string>; readonly unasked: readonly Unasked[] }> {
  const absent = new Set<string>();
  const faults = new Map<string, { fault: ServiceError; ids: Set<string> }>();
  const carry = async ({ ids, ask }: LookUp): Promise<void> => {
    try {
      const known = await ask(service);
      for (const id of ids) if (!known.has(id)) absent.add(id);
    } catch (fault) {
      if (!(fault instanceof ServiceError)) throw fault;
      const alike = faults.get(fault.message) ?? { fault, ids: new Set<string>() };
      for (const id of ids) alike.ids.add(id);
      faults.set(fault.message, alike);
    }
  };
  await Promise.all(lookUps.map(carry));
  return { absent, unasked: [...faults.values()] };
}

type Placed = Mention & { readonly address: string };

/** What is to be said, before the rules have had their say about its severity. */
interface Said {
  readonly code: string;
  readonly severity: Severity;
  readonly mention: Pick<Mention, 'path' | 'inFile'>;
  readonly summary: string;
  readonly hint: string;
  readonly address?: string;
}

function notFound(mention: Placed, { noun, code }: References, { declaration }: Asked): Said {
  const { id, alias, address } = mention;
  const given = alias && declaration.place(alias.path);
  const where = given ? `the ID of \`${alias.name}\` in ${given.file}, line ${given.line}` : 'the ID';
  const summary = `the service has no ${noun} ${id}${alias ? `, for which \`${alias.name}\` stands` : ''}`;
  return { code, severity: 'error', mention, summary, hint: `Correct ${where}, or create the ${noun} first.`, address };
}

function beyondReach(mention: Placed, { noun }: References): readonly Said[] {
  const { id, beyond, address } = mention;
  if (beyond === undefined) return [];
  const summary = `whether there is a ${noun} ${id} was not checked: ${beyond}`;
  return [{ code: 'references-not-checked', severity: 'warning', mention, summary, hint: 'Check it by hand.', address }];
}

/** One finding for all that could not be asked for the same reason; it stands at the section of the first of them. */
function notChecked({ fault, ids }: Unasked, all: number, mentions: readonly Placed[], { name }: References): Said {
  const first = mentions.find(({ id }) => ids.has(id));
  const summary = `${ids.size} of ${all} ${name} were not checked: ${fault.message}`;
  const mention = { path: first?.path.slice(0, 1) ?? [] };
  return { code: 'references-not-checked', severity: 'warning', mention, summary, hint: fault.advice };
}

function findingOf({ severity: usual, mention, ...words }: Said, { rules, declaration }: Asked): readonly Finding[] {
  const severity = rules[words.code] ?? usual;
  return severity === 'off' ? [] : [findingAt(mention.inFile ?? declaration.place(mention.path), { ...words, severity })];
}
