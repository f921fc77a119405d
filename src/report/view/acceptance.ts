import type { Acceptance } from '../../model/acceptance.ts';
import { diffLines } from '../text/text-diff.ts';
import { EFFECTS } from './labels.ts';
import { type Line, noDetail, type View, type ViewItem } from './model.ts';

/** Builds the view of the source edits that `drift accept` made, or would make. */
export function acceptanceView({ target, written, accepted, pending, shared, files }: Acceptance): View {
  const item = (sign: string, address: string, remarks: readonly (string | null)[]): ViewItem => {
    const style = sign === 'removed' ? 'removed' : sign === 'updated' ? 'changed' : 'quiet';
    return { style, sign, subject: address, remarks: remarks.filter((remark) => remark !== null), notes: [], detail: noDetail };
  };
  return {
    title: `Drift of ${target}, accepted`,
    opening: shared.length === 0 ? [] : [{ style: 'warning', text: `Declared by it as well: ${shared.join(', ')}.` }],
    sections: [
      {
        title: 'Accepted',
        columns: ['Result', 'Address', 'Fields'],
        items: accepted.map(({ address, result, effect, fields }) =>
          item(result, address, [EFFECTS[effect], ...(result === 'removed' ? [] : fields)]),
        ),
      },
      {
        title: 'Left as the repository says',
        description: 'The repository has changed these since the last apply, and the account has not.',
        columns: ['State', 'Address', 'Fields'],
        items: pending.map(({ address, fields }) => item('pending', address, fields)),
      },
      {
        title: written ? 'Edited' : 'To be edited',
        columns: ['', 'File', 'Lines'],
        items: files.map(
          (file): ViewItem => ({
            style: 'plain',
            sign: '~',
            word: 'edited',
            subject: file.lines
              .map((line) => `${file.file}:${line}`)
              .slice(0, 1)
              .join(''),
            remarks: file.lines.length > 1 ? [`lines ${file.lines.join(', ')}`] : [],
            notes: [],
            detail: (paint) => diffLines(file.diff, paint),
          }),
        ),
      },
    ],
    closing: [closing(written, files.length)],
  };
}

function closing(written: boolean, files: number): Line {
  if (written)
    return { style: 'good', text: 'Written. Review and commit it; the next apply records it, and drift is silent from then on.' };
  if (files === 0) return { style: 'good', text: 'Nothing to accept: nobody has edited these by hand.' };
  return { style: 'quiet', text: 'Nothing was written.' };
}
