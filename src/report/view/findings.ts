import { groupBy, listOf } from '../../core/model/collections.ts';
import { countFindings, type Finding, LOWERED_CODE } from '../../core/model/finding.ts';
import type { ErrorReport } from '../../core/model/plan.ts';
import type { Options } from '../document.ts';
import { visible } from '../escape.ts';
import type { PaintText } from '../text/colors.ts';
import { excerptAround } from '../text/layout.ts';
import { count } from './labels.ts';
import { type Line, type Link, noDetail, type ViewItem, type ViewSection } from './model.ts';

const COLUMNS = ['Severity', 'Place', 'Finding'] as const;

/** Returns where something is declared. */
export type SourceLinks = (place: Pick<Finding, 'file' | 'line' | 'column'>) => Link | undefined;

/** Decides whether a finding is about a setting that will hold less back. Reports list these before the changes. */
export function isLoweredSafeguard({ code }: Finding): boolean {
  return code === LOWERED_CODE;
}

/** Decides whether a finding says that settings of upkeep.yaml differ from those that count. */
export function isOtherSettings({ code }: Finding): boolean {
  return code === 'settings-not-trusted';
}

/** Maximum number of settings that the first line names. */
const MAX_LOWERED = 3;

/** Returns the beginning of the first line of a report, which counts and names the settings that will hold less back; none where there are none. */
export function loweredHeadlines(findings: readonly Finding[]): readonly string[] {
  const lowered = findings.filter(isLoweredSafeguard);
  if (lowered.length === 0) return [];
  const names = lowered.flatMap(({ summary }) => /^`([^`]+)`/.exec(summary)?.[1] ?? []);
  // An edit may add any number of rules, and receivers hold nothing back themselves.
  const isLast = (name: string) => /^(?:rules|notify)[.]/.test(name);
  const named = listOf([...names.filter((name) => !isLast(name)), ...names.filter(isLast)], MAX_LOWERED);
  return [`Lowers ${count(countFindings(lowered, 'warning'), 'safeguard')} once it is merged (${named})`];
}

/** Builds the section of the settings that will hold less back. */
export function loweredSection(findings: readonly Finding[], linkOf: SourceLinks = () => undefined): ViewSection {
  return {
    title: 'Lowered safeguards',
    description: 'Settings of upkeep.yaml that hold changes back, and less once this is merged. They still count here.',
    columns: COLUMNS,
    items: findings.filter(isLoweredSafeguard).map((finding) => findingItem(finding, linkOf)),
  };
}

/** Returns the line that counts the findings that rules accept; none where there are none. */
export function acceptedLines({ accepted = {} }: Pick<ErrorReport, 'accepted'>): readonly Line[] {
  const total = Object.values(accepted).reduce((sum, number) => sum + number, 0);
  if (total === 0) return [];
  const codes = Object.entries(accepted).map(([code, number]) => `${code} (${number})`);
  return [{ style: 'quiet', text: `${count(total, 'accepted finding')}: ${codes.join(', ')}. \`rules\` of upkeep.yaml says why.` }];
}

/** Builds the sections of errors and warnings, each in the given order. */
export function findingSections(findings: readonly Finding[], linkOf: SourceLinks = () => undefined): readonly ViewSection[] {
  const itemsOf = (severity: Finding['severity']) =>
    findings.filter((finding) => finding.severity === severity).map((finding) => findingItem(finding, linkOf));
  return [
    { title: 'Errors', columns: COLUMNS, items: itemsOf('error') },
    { title: 'Warnings', columns: COLUMNS, items: itemsOf('warning') },
  ];
}

/**
 * Builds the sections of the findings of a plan that changes these addresses: those about them come first, and new ones before old ones. Old
 * warnings about other addresses are a section that folds.
 */
export function planFindingSections(
  findings: readonly Finding[],
  changed: ReadonlySet<string>,
  linkOf: SourceLinks,
  { full }: Pick<Options, 'full'>,
): readonly ViewSection[] {
  const isChanged = ({ address }: Finding) => address !== undefined && changed.has(address);
  const isAside = (finding: Finding) =>
    finding.severity === 'warning' && !finding.isNew && finding.address !== undefined && !changed.has(finding.address);
  const [first, others] = [findings.filter(isChanged), findings.filter((finding) => !isChanged(finding) && !isAside(finding))];
  const aside = findings.filter(isAside);
  const codes = [...groupBy(aside, ({ code }) => code)].map(([code, ofCode]) => `${code} (${countFindings(ofCode, 'warning')})`);
  return [
    ...findingSections([...newFirst(first), ...newFirst(others)], linkOf),
    {
      title: 'Warnings about what does not change',
      description: `${codes.join(', ')}.`,
      columns: COLUMNS,
      items: aside.map((finding) => findingItem(finding, linkOf)),
      ...(full ? {} : { unfolded: 0 }),
    },
  ];
}

function newFirst(findings: readonly Finding[]): readonly Finding[] {
  return [...findings.filter(({ isNew }) => isNew), ...findings.filter(({ isNew }) => !isNew)];
}

function findingItem(finding: Finding, linkOf: SourceLinks): ViewItem {
  const { severity, file, line, column, code, summary, hint, address, excerpt, isNew = false } = finding;
  const hints: readonly Line[] = hint === undefined ? [] : [{ style: 'plain', text: `hint: ${hint}` }];
  const href = linkOf(finding)?.href;
  return {
    style: severity === 'error' ? 'alarm' : 'warning',
    sign: severity,
    subject: `${file}:${line}:${column}`,
    ...(href === undefined ? {} : { href }),
    remarks: [...(isNew ? ['new'] : []), code, ...(address === undefined ? [] : [address])],
    notes: [{ style: 'title', text: summary }, ...hints],
    detail: excerpt === undefined ? noDetail : (paint, width) => excerptLines(excerpt, line, column, paint, width),
  };
}

/** Renders the line of the file with a caret below the column; a long line is cut on both sides of it. */
function excerptLines(excerpt: string, line: number, column: number, paint: PaintText, width: number): readonly string[] {
  const gutter = `${line} | `;
  const shown = excerptAround(visible(excerpt), visible(excerpt.slice(0, column - 1)).length, width - gutter.length);
  return [
    paint('quiet', gutter) + shown.text,
    paint('quiet', `${' '.repeat(gutter.length - 2)}| `) + ' '.repeat(shown.column) + paint('alarm', '^'),
  ];
}
