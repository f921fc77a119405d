/** Links from a report to the code host: only https addresses of plain characters. */
import type { SourcePosition } from '../../core/model/finding.ts';
import type { ConfigRevision, Plan } from '../../core/model/plan.ts';
import type { CodeHostPages, ReportOrigin } from '../document.ts';
import type { Link } from './model.ts';

/** Returns a text with a link to an address, if that is an https address of plain characters. */
function link(text: string, address: string | null): Link {
  return address !== null && /^https:\/\/[\w.:/~%#-]+$/.test(address) && !/\/\.+\//.test(address) && URL.canParse(address)
    ? { text, href: address }
    : { text };
}

/** Returns where a resource is declared, at the commit of the plan; without a link if the file was edited since. */
export function sourceLink(
  { file, line }: SourcePosition,
  config: ConfigRevision | null,
  folder: string,
  pages: CodeHostPages | null,
): Link {
  const text = `${file}:${line}`;
  const segments = `${folder}${file}`.split('/');
  // Half of a surrogate pair cannot be part of an address, and no file of a repository is above it.
  const isPath = segments.every((segment) => !/^\.*$|\p{Cs}/u.test(segment));
  if (pages === null || config === null || config.dirty || !isPath) return { text };
  const blob = pages.host === 'gitlab' ? '-/blob' : 'blob';
  return link(text, `${pages.repository}/${blob}/${config.commit}/${segments.map(encodeURIComponent).join('/')}#L${line}`);
}

/** Returns when and by whom a plan was made, from which commit and pull request. */
export function factsOf({ config, run }: Plan, { pages }: ReportOrigin): readonly Link[] {
  const [prefix, pull, noun] = pages?.host === 'gitlab' ? ['-/', 'merge_requests', 'merge'] : ['', 'pull', 'pull'];
  const page = (path: string) => (pages === undefined ? null : `${pages.repository}/${prefix}${path}`);
  const edits = config?.dirty ? ', with uncommitted edits' : '';
  const number = pages?.pullRequest;
  return [
    ...(run ? [{ text: `${run.at.slice(0, 16).replace('T', ' ')} UTC` }] : []),
    ...(run?.by === undefined ? [] : [{ text: `by ${run.by}` }]),
    ...(config ? [link(`commit ${config.commit.slice(0, 12)}${edits}`, page(`commit/${config.commit}`))] : []),
    ...(number === undefined ? [] : [link(`${noun} request ${number}`, page(`${pull}/${number}`))]),
    ...(run?.where === undefined ? [] : [/^https?:/.test(run.where) ? link('in a CI run', run.where) : { text: `on ${run.where}` }]),
  ];
}
