import type { Check, CheckState, Diagnosis } from '../../model/diagnosis.ts';
import type { Style } from '../text/colors.ts';
import { count } from './labels.ts';
import { noDetail, type View, type ViewItem } from './model.ts';

const STYLES: { readonly [state in CheckState]: Style } = { ok: 'good', warning: 'warning', failed: 'alarm', skipped: 'quiet' };

/** Builds the view of a diagnosis, in the order of the preflight: the first failure explains the later ones. */
export function diagnosisView({ target, healthy, checks }: Diagnosis): View {
  const of = (state: CheckState) => checks.filter((check) => check.state === state).length;
  const [failed, warnings, skipped] = [of('failed'), of('warning'), of('skipped')];
  const counts = [
    failed > 0 ? `${failed} failed` : '',
    warnings > 0 ? count(warnings, 'warning') : '',
    `${of('ok')} ok`,
    skipped > 0 ? `${skipped} skipped` : '',
  ];
  return {
    title: `Set-up of ${target}`,
    opening: [],
    sections: [{ title: 'Checks', columns: ['State', 'Check', 'Found'], items: checks.map(checkItem) }],
    closing: [
      {
        style: healthy ? 'good' : 'alarm',
        text: `${healthy ? 'Ready' : 'Not ready'}: ${counts.filter((part) => part !== '').join(', ')}.`,
      },
      { style: 'quiet', text: 'Nothing was written. Write permission cannot be tested without writing.' },
    ],
  };
}

function checkItem({ check, state, summary, remedy }: Check): ViewItem {
  return {
    style: STYLES[state],
    sign: state,
    subject: check,
    remarks: [summary],
    notes: remedy === undefined ? [] : [{ style: 'plain', text: `remedy: ${remedy}` }],
    detail: noDetail,
  };
}
