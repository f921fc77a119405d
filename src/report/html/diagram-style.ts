/** The styles of the diagrams in the HTML report, part of its single style sheet. */
import { GAP, WIDTHS } from './playlist-diff.ts';

export const PICTURE_STYLE = `
.groups { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.1rem; }
.group { flex: 1 1 11rem; background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: .7rem .9rem .8rem; box-shadow: var(--shade); }
.group.kinds { flex: 3 1 32rem; min-width: 0; }
.group h3 { margin: 0 0 .4rem; font-size: .85rem; font-weight: 600; color: var(--faint); }
.group ul { display: flex; flex-direction: column; gap: .2rem; }
.tile { display: flex; overflow-wrap: normal; align-items: baseline; gap: .45rem; }
.tile b { font-size: 1.25rem; line-height: 1.35; font-variant-numeric: tabular-nums; min-width: 1.4em; text-align: right; }
.tile .sign { width: 1.1em; text-align: center; font-weight: 700; }
.scroll { position: relative; overflow-x: auto; margin-top: .6rem; }
table { border-collapse: separate; border-spacing: 5px; width: 100%; overflow-wrap: normal; font-size: .9rem; }
th { text-align: left; font-weight: 600; padding: .15rem .5rem; }
thead th { color: var(--faint); text-align: center; }
thead th:first-child { text-align: left; }
.heat tbody th { font-weight: 400; min-width: 11rem; }
.heat td { padding: 0; min-width: 5.5rem; }
.heat td div { display: flex; align-items: stretch; }
.word { flex: 1; background: var(--back); padding: .25rem .5rem; text-align: center; border-radius: .25rem; }
.same .word { background: color-mix(in srgb, var(--back) 45%, var(--card)); }
.moved div { outline: 2px solid currentcolor; border-radius: .25rem; }
.moved .word { font-weight: 700; border-radius: 0; }
.heat .to { align-self: center; padding: 0 .3rem; }
.kinds .scroll { margin-top: 0; }
.counts { border-collapse: collapse; }
.counts th, .counts td { padding: .2rem .4rem; border-top: 1px solid var(--line); }
.counts thead th { border: 0; text-align: right; font-weight: 400; font-size: .8rem; padding-top: 0; }
.counts th:first-child { text-align: left; padding-left: 0; }
.counts td { text-align: right; font-variant-numeric: tabular-nums; }
.counts tbody th { font: .85rem/1.5 ui-monospace, monospace; }
figcaption { margin-top: .7rem; font-size: .9rem; color: var(--faint); }
.board table { border-collapse: collapse; }
.board th, .board td { border: 1px solid var(--line); padding: .35rem .6rem; vertical-align: top; }
.board thead th, .board tbody th { background: var(--raised); }
.board td { min-width: 5rem; }
.board .loosens { background: color-mix(in srgb, var(--removed-back) 45%, var(--card)); }
.board .tightens { background: color-mix(in srgb, var(--added-back) 40%, var(--card)); }
.board .neutral { background: color-mix(in srgb, var(--changed-back) 35%, var(--card)); }
.board .same { text-align: center; color: var(--faint); vertical-align: middle; }
.setting { display: flex; flex-direction: column; align-items: start; padding: .2rem 0; }
.setting + .setting { border-top: 1px dashed var(--line); margin-top: .35rem; padding-top: .45rem; }
.field { font: .8rem/1.4 ui-monospace, monospace; color: var(--faint); }
.values { font: 600 .9rem/1.4 ui-monospace, monospace; margin-bottom: .2rem; }
.values del { color: var(--removed); font-weight: 400; text-decoration-thickness: 1px; }
.values ins { color: var(--ink); text-decoration: none; }
.values .to { padding: 0 .35rem; color: var(--faint); }
.row { font-size: .8rem; font-weight: 600; color: var(--faint); margin: 0; }
.timeline .scroll { padding-bottom: .35rem; }
.track { display: flex; align-items: center; width: max-content; }
.track .row { position: sticky; left: 0; z-index: 1; align-self: stretch; align-content: center; flex: none; width: 3.8rem; background: var(--card); }
.ribbons { display: block; margin-left: 3.8rem; }
.blocks { display: flex; gap: ${GAP / 100}rem; }
.blocks li { display: flex; flex-direction: column; height: 3.6rem; padding: .2rem .4rem; border: 1px solid var(--edge); border-radius: .35rem; background: var(--back); color: var(--ink); font-size: .8rem; line-height: 1.2; overflow: hidden; --back: var(--raised); --edge: var(--line); }
.blocks .beam { width: ${WIDTHS.beam / 100}rem; }
.blocks .ad { width: ${WIDTHS.ad / 100}rem; border-style: dashed; border-color: var(--faint); border-radius: 0; }
.blocks .fold { width: ${WIDTHS.fold / 100}rem; justify-content: center; align-items: center; text-align: center; color: var(--faint); background: none; border-style: dotted; border-color: var(--faint); }
.blocks .moved { --back: var(--moved-back); --edge: var(--moved); border-color: var(--edge); }
.blocks .changed { --back: var(--changed-back); --edge: var(--changed); border-color: var(--edge); }
.blocks .added { --back: var(--added-back); --edge: var(--added); border-color: var(--edge); }
.blocks .removed { --back: var(--removed-back); --edge: var(--removed); border-color: var(--edge); }
.blocks .removed .name { text-decoration: line-through; }
.at { font-weight: 600; font-size: .75rem; white-space: nowrap; }
.kept .at { color: var(--faint); font-weight: 400; }
.name { font: .75rem/1.25 ui-monospace, monospace; overflow: hidden; max-height: 2.5em; }
.length { white-space: nowrap; }
.ribbons .kept { fill: var(--line); opacity: .55; }
.ribbons .moved { fill: var(--moved); opacity: .4; }
.ribbons .changed { fill: var(--changed); opacity: .4; }
.steps { display: flex; flex-wrap: wrap; align-items: stretch; gap: .6rem 1.8rem; margin-top: .7rem; }
.steps li { position: relative; flex: 1 1 11rem; max-width: 24rem; padding: .5rem .7rem; border-radius: .5rem; border: 1px solid var(--line); background: var(--raised); }
.steps li + li::before { content: '→' / ''; position: absolute; left: -1.45rem; top: calc(50% - .75em); font-size: 1.1rem; color: var(--faint); }
.steps .step { background: none; border: 2px solid var(--link); }
.steps .without { border: 1px dashed var(--faint); align-content: center; }
.request { font: .8rem/1.4 ui-monospace, monospace; }
dl div { display: flex; flex-wrap: wrap; align-items: baseline; column-gap: .6rem; }
dt { font: .8rem/1.4 ui-monospace, monospace; color: var(--faint); margin-top: .2rem; }
dd { font: 600 .85rem/1.4 ui-monospace, monospace; }
`;
