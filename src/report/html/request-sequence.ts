/** The way of a setting of the account: what it is, each request, what it will be, as boxes in a row. */

import type { RequestSequence, SequenceStep, State, Value } from '../diagrams/model.ts';
import { html } from '../escape.ts';

/** The lines of the diagram: a list in the order of what happens. */
export function requestSequenceLines({ from, steps, to, without }: RequestSequence): readonly string[] {
  return [
    '<ol class="steps">',
    stateLine(from),
    ...steps.map(stepLine),
    ...(without === null ? [] : [`<li class="step without"><p class="quiet">${html(without)}</p></li>`]),
    stateLine(to),
    '</ol>',
  ];
}

function stateLine({ title, values }: State): string {
  return `<li class="state"><p class="row">${html(title)}</p>${valuesOf(values)}</li>`;
}

function stepLine({ number, request, values }: SequenceStep): string {
  return `<li class="step"><p class="row">Request ${number}</p><p class="request">${html(request)}</p>${valuesOf(values)}</li>`;
}

function valuesOf(values: readonly Value[]): string {
  return `<dl>${values.map(({ name, value }) => `<div><dt>${html(name)}</dt><dd>${html(value)}</dd></div>`).join('')}</dl>`;
}
