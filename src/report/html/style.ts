/** The style sheet of the HTML report: light and dark, for screens of any width and for paper. */
import { BLOCK_GAP, BLOCK_WIDTH, MAX_NAME_LINES } from './diagrams.ts';
import { RUN_OF_SHOW_STYLE } from './run-of-show.ts';

/** The content of the `style` element. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --page: #f5f6f8; --card: #ffffff; --raised: #f3f4f7; --line: #d9dde4; --ink: #191d25; --faint: #59616f; --link: #0b57b0;
  --added: #14532d; --added-back: #d3f0db; --removed: #8a1c1c; --removed-back: #fcdcdc;
  --changed: #694503; --changed-back: #fbeab5; --warning: #47307f; --warning-back: #e3dbf9; --moved: #0b4a8f; --moved-back: #d3e6fb;
  --shade: 0 1px 2px rgb(20 25 35 / .06), 0 1px 6px rgb(20 25 35 / .04);
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0f1218; --card: #171b23; --raised: #1f2530; --line: #323a48; --ink: #e6e9ef; --faint: #a3adbb; --link: #8ab8ff;
    --added: #b4ecc4; --added-back: #17472a; --removed: #ffc9c9; --removed-back: #602020;
    --changed: #f8dd92; --changed-back: #4b3b0d; --warning: #d9ccff; --warning-back: #3b2f68; --moved: #b5d6ff; --moved-back: #173d6b;
    --shade: none;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-padding-top: 6rem; }
body { margin: 0; background: var(--page); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 76rem; margin: 0 auto; padding: 1.5rem 1.25rem 3rem; }
article + article { margin-top: 4rem; border-top: 3px solid var(--line); padding-top: 1rem; }
h1 { font-size: 1.15rem; margin: 0; color: var(--faint); }
h2 { font-size: 1.2rem; letter-spacing: -.005em; margin: 2.5rem 0 .5rem; }
.item h3 { font-size: 1.05rem; line-height: 1.5; font-weight: 600; margin: 0; display: inline; }
.item h3 a[href^='#'], .members li > a { color: inherit; text-decoration: none; }
.item h3 a[href^='#']:hover, .members li > a:hover { text-decoration: underline; }
.item h3 a[href^='#']::after, .members li > a::after { content: '#' / ''; position: absolute; margin-left: .15em; color: var(--faint); font-weight: 400; visibility: hidden; }
.item h3:hover a[href^='#']::after, .item h3 a[href^='#']:focus-visible::after, .members li:hover > a::after, .members li > a:focus-visible::after { visibility: visible; }
@media (hover: none) { .item h3 a[href^='#']::after, .members li > a::after { visibility: visible; } }
.kind, .source { color: var(--faint); font-size: .85rem; margin-left: .7rem; }
.kind + .source { margin-left: .2rem; }
.members pre { margin: .1rem 0 .4rem; padding: .2rem .5rem; }
.source { font-family: ui-monospace, monospace; font-size: .8rem; }
.members { columns: 16rem; column-gap: 1.5rem; margin-top: .5rem; font-size: .95rem; }
.members li { break-inside: avoid; }
:target { scroll-margin-top: 7rem; outline: 3px solid var(--link); outline-offset: 4px; border-radius: .2rem; }
.brief .items { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; box-shadow: var(--shade); padding: .25rem 0; margin: .7rem 0; }
.brief .item { border: 0; border-radius: 0; box-shadow: none; background: none; margin: 0; padding: .5rem 1rem; }
.brief .item + .item { border-top: 1px solid var(--line); }
.column { display: none; }
p { margin: .25rem 0; }
ul, ol, dl, dd, figure { margin: 0; padding: 0; list-style: none; }
header p { font-size: 1.05rem; }
.facts { display: flex; flex-wrap: wrap; gap: 0 1rem; font-size: .9rem; color: var(--faint); }
.verdict { margin: .9rem 0 1rem; padding: 1rem 1.25rem; border: 1px solid var(--edge); border-left-width: .5rem; border-radius: .6rem; background: var(--back); color: var(--ink); --back: var(--card); --edge: var(--faint); font-weight: 400; }
.verdict.alarm { --back: var(--removed-back); --edge: var(--removed); }
.verdict.warning { --back: var(--changed-back); --edge: var(--changed); }
.verdict.good { --back: var(--added-back); --edge: var(--added); }
.verdict.alarm { font-weight: 400; }
.verdict p { color: var(--ink); margin: .35rem 0; }
.verdict .headline { font-size: 1.6rem; line-height: 1.25; font-weight: 700; letter-spacing: -.01em; margin: 0 0 .3rem; color: var(--edge); }
.verdict .title { font-weight: 600; }
.verdict ul, .verdict ol { margin: .5rem 0; padding-left: 1.4rem; list-style: disc; color: var(--ink); }
.verdict ol { list-style: decimal; }
.verdict li { margin: .2rem 0; }
.verdict .plain { font-size: 1rem; }
.verdict code { background: color-mix(in srgb, var(--card) 75%, transparent); }
header .title, p.title, span.title { font-weight: 600; }
footer { margin-top: 2.5rem; border-top: 1px solid var(--line); padding-top: .75rem; font-size: .9rem; }
nav ul { display: flex; flex-wrap: wrap; gap: .5rem; margin-top: 1.25rem; }
nav a { display: block; padding: .2rem .75rem; border: 1px solid var(--line); border-radius: 1rem; background: var(--card); text-decoration: none; font-size: .95rem; }
nav a:hover { text-decoration: underline; }
a { color: var(--link); }
code { font: .92em ui-monospace, monospace; background: var(--raised); padding: .05em .15em; border-radius: .25rem; }
.flag { display: inline-block; max-width: 100%; }
.named { text-decoration: underline dotted; text-underline-offset: .2em; }
h3 .named { text-decoration: none; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.count { color: var(--faint); font-weight: 400; font-size: .85em; }
.quiet { color: var(--faint); }
.added, .good { color: var(--added); }
.removed, .alarm { color: var(--removed); }
.changed { color: var(--changed); }
.warning { color: var(--warning); }
.alarm { font-weight: 600; }
.item { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: .8rem 1rem; margin: .7rem 0; box-shadow: var(--shade); }
.item[data-effect='strengthens'] { border-left: 4px solid var(--added); }
.item[data-playback='unknown'] { border-left: 4px solid var(--warning); }
.item[data-playback='reduces'] { border-left: 4px solid var(--changed); }
.item[data-effect='weakens'], .item[data-playback='stops'] { border-left: 4px solid var(--removed); }
.item > .alarm, .item > .alarm + .plain, .item > .alarm + ol:not([class]) { background: var(--raised); border-left: 3px solid var(--removed); padding: .35rem .75rem; margin: .5rem 0 0; font-weight: 400; color: var(--ink); }
.item > .alarm + .plain, .item > .alarm + ol:not([class]) { margin-top: 0; }
.item > .alarm + ol:not([class]) { padding-left: 2rem; list-style: decimal; }
.head { display: inline; margin-right: 1.25rem; }
.long { content-visibility: auto; contain-intrinsic-size: auto 285rem; }
.mark { display: inline-block; padding: 0 .5em; margin-right: .35em; border-radius: .3rem; font-size: .85rem; font-weight: 600; background: var(--back, var(--raised)); }
.mark.added, .mark.good, .word.added { --back: var(--added-back); }
.mark.removed, .mark.alarm, .word.removed { --back: var(--removed-back); }
.mark.changed, .word.changed { --back: var(--changed-back); }
.mark.warning, .word.warning { --back: var(--warning-back); }
.item:is([data-effect='weakens'], [data-playback='unknown'], [data-playback='reduces'], [data-playback='stops']) .mark.good { --back: var(--raised); color: var(--faint); }
.remarks { display: inline-flex; flex-wrap: wrap; gap: 0 1.25rem; font-size: .95rem; }
.reasons { margin-top: .7rem; font-size: .95rem; }
.reasons li { padding: .1rem 0; }
pre { margin: .6rem 0 0; padding: .6rem .75rem; background: var(--raised); border-radius: .4rem; font: .85rem/1.5 ui-monospace, monospace; white-space: pre-wrap; }
summary { cursor: pointer; color: var(--link); width: fit-content; }
.filters { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; align-items: end; gap: .5rem .75rem; margin: 1.25rem -.5rem 0; padding: .5rem .5rem .7rem; background: var(--page); border-bottom: 1px solid var(--line); }
.filters div { display: flex; flex-direction: column; }
.filters > div:first-child { flex: 1 1 12rem; }
.filters .choices { flex-flow: row wrap; align-items: end; gap: .5rem .75rem; }
.filters .more { display: none; }
.filters select { max-width: 13rem; }
.filters label { font-size: .8rem; color: var(--faint); }
.filters input, .filters select, .filters button { font: inherit; font-size: .95rem; color: inherit; background: var(--card); border: 1px solid var(--faint); border-radius: .4rem; padding: .3rem .5rem; height: 2.25rem; max-width: 100%; }
.filters ::placeholder { color: var(--faint); opacity: 1; }
.filters button { cursor: pointer; padding: 0 .9rem; }
.filters output { align-self: center; min-width: 9rem; padding-top: 1.1rem; font-size: .95rem; }
.visually-hidden { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

.groups { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.1rem; }
.group { flex: 1 1 11rem; background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: .7rem .9rem .8rem; box-shadow: var(--shade); }
.group.kinds { flex: 3 1 32rem; min-width: 0; }
.group h3 { margin: 0 0 .4rem; font-size: .85rem; font-weight: 600; color: var(--faint); }
.group ul { display: flex; flex-direction: column; gap: .2rem; }
.tile { display: flex; overflow-wrap: normal; align-items: baseline; gap: .45rem; }
.tile b { font-size: 1.25rem; line-height: 1.35; font-variant-numeric: tabular-nums; min-width: 1.4em; text-align: right; }
.tile .sign { width: 1.1em; text-align: center; font-weight: 700; }
.scroll { position: relative; overflow-x: auto; margin-top: .6rem; }
.scroll[data-scrolls='yes'] { border-right: 3px solid var(--link); padding-bottom: 1.4rem; }
.scroll[data-scrolls='yes']::after { content: 'scroll sideways for more →' / ''; position: sticky; left: 0; display: block; width: max-content; font-size: .8rem; color: var(--link); margin-top: .35rem; }
table { border-collapse: separate; border-spacing: 5px; width: 100%; overflow-wrap: normal; font-size: .9rem; }
th { text-align: left; font-weight: 600; padding: .15rem .5rem; }
thead th { color: var(--faint); text-align: center; }
thead th:first-child { text-align: left; }
.heat-map tbody th { font-weight: 400; min-width: 11rem; }
.heat-map td { padding: 0; min-width: 5.5rem; }
.heat-map td div { display: flex; flex-wrap: wrap; align-items: stretch; }
.word { flex: 1; background: var(--back); padding: .25rem .5rem; text-align: center; border-radius: .25rem; }
.same .word { background: color-mix(in srgb, var(--back) 45%, var(--card)); }
.moved div { border: 2px solid currentcolor; border-radius: .25rem; }
.moved .word { font-weight: 700; border-radius: 0; }
.heat-map .to { align-self: center; padding: 0 .3rem; }
.kinds .scroll { margin-top: 0; }
.counts { border-collapse: collapse; }
.counts th, .counts td { padding: .2rem .4rem; border-top: 1px solid var(--line); }
.counts thead th { border: 0; text-align: right; font-weight: 400; font-size: .8rem; padding-top: 0; }
.counts th:first-child { text-align: left; padding-left: 0; }
.counts td { text-align: right; font-variant-numeric: tabular-nums; }
.counts tbody th { font: .85rem/1.5 ui-monospace, monospace; }
figcaption { margin-top: .7rem; font-size: .9rem; color: var(--faint); }
.settings-matrix table { border-collapse: collapse; }
.settings-matrix th, .settings-matrix td { border: 1px solid var(--line); padding: .35rem .6rem; vertical-align: top; }
.settings-matrix thead th, .settings-matrix tbody th { background: var(--raised); }
.settings-matrix td { min-width: 5rem; }
.settings-matrix .weakens { background: color-mix(in srgb, var(--removed-back) 45%, var(--card)); }
.settings-matrix .strengthens { background: color-mix(in srgb, var(--added-back) 40%, var(--card)); }
.item:is([data-effect='weakens'], [data-playback='unknown'], [data-playback='reduces'], [data-playback='stops']) .settings-matrix .strengthens { background: none; }
.settings-matrix .neutral { background: color-mix(in srgb, var(--changed-back) 35%, var(--card)); }
.settings-matrix .same { text-align: center; color: var(--faint); vertical-align: middle; }
.setting { display: flex; flex-direction: column; align-items: start; padding: .2rem 0; }
.setting + .setting { border-top: 1px dashed var(--line); margin-top: .35rem; padding-top: .45rem; }
.field { font: .8rem/1.4 ui-monospace, monospace; color: var(--faint); }
.values { font: 600 .9rem/1.4 ui-monospace, monospace; margin-bottom: .2rem; }
.values del { color: var(--removed); font-weight: 400; text-decoration-thickness: 1px; }
.values ins { color: var(--ink); text-decoration: none; }
.values .to { padding: 0 .35rem; color: var(--faint); }
.row { font-size: .8rem; font-weight: 600; color: var(--faint); margin: 0; }
.playlist-diff .scroll { padding-bottom: .35rem; }
.track { display: flex; align-items: center; width: max-content; }
.track .row { position: sticky; left: 0; z-index: 1; align-self: stretch; align-content: center; flex: none; width: 3.8rem; background: var(--card); }
.ribbons { display: block; margin-left: 3.8rem; }
.blocks { display: flex; gap: ${BLOCK_GAP / 100}rem; }
.blocks li { width: ${BLOCK_WIDTH / 100}rem; display: flex; flex-direction: column; min-height: 3.6rem; padding: .2rem .4rem; border: 1px solid var(--edge); border-radius: .35rem; background: var(--back); color: var(--ink); font-size: .8rem; line-height: 1.2; --back: var(--raised); --edge: var(--line); }
.blocks .ad { border-style: dashed; border-color: var(--faint); border-radius: 0; }
.blocks .fold { justify-content: center; align-items: center; text-align: center; color: var(--faint); background: none; border-style: dotted; border-color: var(--faint); }
.blocks .moved { --back: var(--moved-back); --edge: var(--moved); border-color: var(--edge); }
.blocks .changed { --back: var(--changed-back); --edge: var(--changed); border-color: var(--edge); }
.blocks .added { --back: var(--added-back); --edge: var(--added); border-color: var(--edge); }
.blocks .removed { --back: var(--removed-back); --edge: var(--removed); border-color: var(--edge); }
.blocks .removed .name { text-decoration: line-through; }
.position { font-weight: 600; font-size: .75rem; white-space: nowrap; }
.kept .position { color: var(--faint); font-weight: 400; }
.name { font: .75rem/1.25 ui-monospace, monospace; }
.blocks .name { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: ${MAX_NAME_LINES}; overflow: hidden; }
.length { white-space: nowrap; }
.merged { display: none; margin-top: .5rem; font-size: .9rem; }
.merged li { display: grid; grid-template-columns: 4.2rem 1fr; gap: 0 .6rem; padding: .2rem .4rem; border: 1px solid transparent; border-top-color: var(--line); background: var(--back, none); color: var(--ink); }
.merged .position { font-size: .85rem; text-align: right; font-variant-numeric: tabular-nums; }
.merged .name { font: inherit; }
.merged .fold { display: block; padding-left: 5.3rem; color: var(--faint); }
.merged .moved { --back: var(--moved-back); } .merged .changed { --back: var(--changed-back); }
.merged .added { --back: var(--added-back); } .merged .removed { --back: var(--removed-back); }
.merged .removed .name { text-decoration: line-through; }
.ribbons .kept { fill: var(--line); opacity: .55; }
.ribbons .moved { fill: var(--moved); opacity: .4; }
.ribbons .changed { fill: var(--changed); opacity: .4; }
.request-sequence { display: flex; flex-wrap: wrap; align-items: stretch; gap: .6rem 1.8rem; margin-top: .7rem; }
.request-sequence li { position: relative; flex: 1 1 11rem; max-width: 24rem; padding: .5rem .7rem; border-radius: .5rem; border: 1px solid var(--line); background: var(--raised); }
.request-sequence li + li::before { content: '→' / ''; position: absolute; left: -1.45rem; top: calc(50% - .75em); font-size: 1.1rem; color: var(--faint); }
.request-sequence .step { background: none; border: 2px solid var(--link); }
.request-sequence .no-requests { border: 1px dashed var(--faint); align-content: center; }
.request { font: .8rem/1.4 ui-monospace, monospace; }
dl div { display: flex; flex-wrap: wrap; align-items: baseline; column-gap: .6rem; }
dt { font: .8rem/1.4 ui-monospace, monospace; color: var(--faint); margin-top: .2rem; }
dd { font: 600 .85rem/1.4 ui-monospace, monospace; }
@media print, (max-width: 40rem) {
  .request-sequence { flex-direction: column; gap: 1.6rem; }
  .request-sequence li { flex: none; max-width: none; }
  .request-sequence li + li::before { content: '↓' / ''; left: calc(50% - .5em); top: -1.6rem; }
  .playlist-diff .scroll { display: none; }
  .merged { display: block; }
}
@media (max-width: 40rem) {
  main { padding: .75rem .6rem 2rem; }
  .item { padding: .6rem .7rem; }
  .filters { position: static; }
  .filters .more { display: block; }
  .filters .more[aria-expanded='false'] + .choices { display: none; }
  .filters .choices { flex: 1 1 100%; }
  .filters .choices div { flex: 1 1 9rem; }
  .filters output { min-width: 0; flex-basis: 100%; padding: 0; }
  .filters output:empty { display: none; }
  .verdict { padding: .8rem .9rem; }
  .verdict .headline { font-size: 1.3rem; }
  .verdict { display: flex; flex-direction: column; }
  .verdict .effects { order: 1; }
  .head { margin-right: .6rem; }
  table, tbody, tr, th[scope='row'] { display: block; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .column { display: block; font-size: .75rem; color: var(--faint); text-align: center; }
  .heat-map tr { display: grid; grid-template-columns: repeat(4, minmax(0, 1fr)); gap: 3px; padding: .4rem 0; }
  .heat-map th { grid-column: 1 / -1; padding: 0; }
  .heat-map td { min-width: 0; }
  .word { padding: .2rem .1rem; font-size: .8rem; overflow-wrap: normal; }
  .heat-map td { overflow: hidden; }
  .heat-map .moved div { flex-flow: column nowrap; }
  .moved .to { transform: rotate(90deg); line-height: 1; }
  .counts tr { display: flex; flex-wrap: wrap; gap: 0 .9rem; border-top: 1px solid var(--line); padding: .3rem 0; }
  .counts th, .counts td, .settings-matrix th, .settings-matrix td { border: 0; padding: 0; }
  .counts th[scope='row'] { width: 100%; }
  .counts td.quiet { display: none; }
  .counts .column { display: inline; font-size: .85rem; }
  .settings-matrix td { display: block; padding: .35rem .5rem; margin: .3rem 0; border-radius: .3rem; }
  .settings-matrix .same { display: none; }
  .settings-matrix .column { text-align: left; font-weight: 600; }
}
@media (forced-colors: active) { .word, .mark, .tile, .blocks li { border: 1px solid; } }
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
@page { margin: 10mm; }
@media print {
  html { font-size: 85%; }
  main { max-width: none; padding: 0; }
  nav, .filters, .item h3 a[href^='#']::after, .members li > a::after { display: none; }
  .long { content-visibility: visible; }
  details::details-content { content-visibility: visible; }
  .scroll { overflow: visible; border: 0 !important; }
  .scroll::after { display: none !important; }
  .heat-map { table-layout: fixed; border-spacing: 3px; }
  .heat-map thead th:first-child { width: 22%; }
  .heat-map th { padding-left: 0; }
  .heat-map td, .heat-map tbody th, .settings-matrix td { min-width: 0; }
  .heat-map .word { padding: .15rem .1rem; font-size: .75rem; }
  .heat-map .to { padding: 0 .1rem; }
  .settings-matrix .field, .settings-matrix .values { overflow-wrap: anywhere; }
  .item { box-shadow: none; }
  .group.kinds { flex-basis: 100%; }
  .verdict, .mark, .word, .tile, .merged li, pre { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  h1, h2, h2 + p, figcaption, .row, summary, thead, .item > .alarm, .item > p:has(+ details) { break-after: avoid; }
  .verdict, .totals, .item, h2 + p, tr, li, pre, .run-of-show, .request-sequence { break-inside: avoid; }
  .items, .item:has(.heat-map tbody tr:nth-child(13), details .members, .settings-matrix, .merged li:nth-child(13), figure .run) { break-inside: auto; box-decoration-break: clone; -webkit-box-decoration-break: clone; }
  .item > .alarm + .plain, .reasons { break-before: avoid; }
  .item:has(table, details, figure) .head { display: block; break-after: avoid; }
  p, li { orphans: 3; widows: 3; }
}
${RUN_OF_SHOW_STYLE}`;
