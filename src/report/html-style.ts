/** How the HTML report looks: light and dark, on screens of any width and on paper. */
import { createHash } from 'node:crypto';

/** The style sheet, as it stands between the tags. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --page: #ffffff; --raised: #f6f7f9; --line: #d5d9e0; --ink: #1b1f27; --faint: #565e6c; --link: #0b57b0;
  --added: #14532d; --added-back: #c8ebd2; --removed: #7f1d1d; --removed-back: #fbcfcf;
  --changed: #694503; --changed-back: #fbe7a8; --warning: #47307f; --warning-back: #ded5f7;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #12151b; --raised: #1b2029; --line: #363e4b; --ink: #e6e9ef; --faint: #a3adbb; --link: #8ab8ff;
    --added: #b4ecc4; --added-back: #17492a; --removed: #ffc9c9; --removed-back: #641f1f;
    --changed: #f8dd92; --changed-back: #4e3d0c; --warning: #d9ccff; --warning-back: #3b2f68;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 68rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
article + article { margin-top: 4rem; border-top: 3px solid var(--line); }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 1rem 0 .75rem; }
h2 { font-size: 1.15rem; margin: 2.25rem 0 .5rem; }
h3 { font: 600 .95rem/1.5 ui-monospace, monospace; margin: 0; display: inline; }
p { margin: .25rem 0; }
ul { margin: 0; padding: 0; list-style: none; }
header p { font-size: 1.05rem; }
header .title, p.title, span.title { font-weight: 600; }
footer { margin-top: 2.5rem; border-top: 1px solid var(--line); padding-top: .75rem; font-size: .9rem; }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin-top: 1rem; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.count { color: var(--faint); font-weight: 400; font-size: .85em; }
.quiet { color: var(--faint); }
.added, .good { color: var(--added); }
.removed, .alarm { color: var(--removed); }
.changed { color: var(--changed); }
.warning { color: var(--warning); }
.alarm { font-weight: 600; }
.item { border: 1px solid var(--line); border-radius: .5rem; padding: .65rem .85rem; margin: .6rem 0; }
.mark { display: inline-block; padding: 0 .5em; margin-right: .35em; border-radius: .3rem; font-size: .85rem; font-weight: 600; background: var(--back, var(--raised)); }
.mark.added, .mark.good, .word.added { --back: var(--added-back); }
.mark.removed, .mark.alarm, .word.removed { --back: var(--removed-back); }
.mark.changed, .word.changed { --back: var(--changed-back); }
.mark.warning, .word.warning { --back: var(--warning-back); }
.remarks { display: flex; flex-wrap: wrap; gap: 0 1.25rem; }
pre { margin: .5rem 0 0; padding: .6rem .75rem; background: var(--raised); border-radius: .35rem; font: .85rem/1.5 ui-monospace, monospace; white-space: pre-wrap; }
summary { cursor: pointer; color: var(--link); }
.scroll { position: relative; overflow-x: auto; margin-top: .6rem; }
table { border-collapse: separate; border-spacing: 5px; width: 100%; overflow-wrap: normal; font-size: .9rem; }
th { text-align: left; font-weight: 600; padding: .15rem .5rem; }
thead th { color: var(--faint); text-align: center; }
thead th:first-child { text-align: left; }
tbody th { font-weight: 400; min-width: 11rem; }
td { padding: 0; min-width: 5.5rem; }
td div { display: flex; align-items: stretch; }
.word { flex: 1; background: var(--back); padding: .25rem .5rem; text-align: center; border-radius: .25rem; }
.same .word { background: color-mix(in srgb, var(--back) 45%, var(--page)); }
.moved div { outline: 2px solid currentcolor; border-radius: .25rem; }
.moved .word { font-weight: 700; border-radius: 0; }
.to { align-self: center; padding: 0 .3rem; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (max-width: 40rem) {
  main { padding: .75rem .6rem 2rem; }
  .item { padding: .5rem .6rem; }
  table { border-spacing: 3px; font-size: .85rem; }
  th, .word { padding-left: .15rem; padding-right: .15rem; }
  tbody th { min-width: 6rem; }
  td { min-width: 3.75rem; }
  .moved div { flex-direction: column; }
  .to { transform: rotate(90deg); line-height: 1; }
}
@media (forced-colors: active) { .word, .mark { border: 1px solid; } }
@media print {
  main { max-width: none; padding: 0; }
  nav { display: none; }
  .scroll { overflow: visible; }
  .mark, .word, pre { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  tr, .head { break-inside: avoid; }
  h2 { break-after: avoid; }
}
`;

/** The style sheet as a source of a content security policy: this text and no other. */
export const STYLE_SOURCE = `sha256-${createHash('sha256').update(STYLE).digest('base64')}`;
