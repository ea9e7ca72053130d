/** The additions of reports to the stylesheet of the pages. */

const colours = `:root { --warn: #855600; --warn-wash: #fdf6e3; --bad-wash: #fcf0ee; --bad-mark: #bf3a2e; --good-mark: #6aa58e; --warn-mark: #dba63d; }
@media (prefers-color-scheme: dark) {
  :root { --warn: #e3b45c; --warn-wash: #2b2618; --bad-wash: #2f1f1d; --bad-mark: #e0685a; --good-mark: #4f9a7c; --warn-mark: #c2933f; }
}
`;

const frame = `
main.report { max-width: 78rem; margin: 0 auto; padding: 2.25rem 1rem 5rem; }
.report section { scroll-margin-top: 1rem; } .report h2 { margin: 2.75rem 0 .75rem; font-size: 1.35rem; } .report h3 { font-size: 1.05rem; }
.report h4 { margin: 0 0 .3rem; font-size: .8rem; font-weight: 600; color: var(--soft); }
.report code { overflow-wrap: anywhere; }
.report summary:focus-visible { outline-offset: -2px; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.name, .report .limits { color: var(--soft); font-size: .85rem; }
.path { font-weight: 600; overflow-wrap: anywhere; }
details > summary .operation::before { content: '▸'; content: '▸' / ''; display: inline-block; width: .9rem; color: var(--soft); font-weight: 400; } details[open] > summary .operation::before { content: '▾'; content: '▾' / ''; }
.sign { font-weight: 700; } .sign.failed, td.failed { color: var(--bad); } .sign.missed, td.missed { color: var(--warn); }
`;

const summary = `
.look { display: grid; grid-template-columns: minmax(0, 5fr) minmax(0, 7fr); gap: 1rem 3rem; align-items: end; margin-top: 1.25rem; }
.documents { list-style: none; padding: 0; color: var(--soft); font-size: .95rem; }
.verdict { margin: 0 0 1rem; font-size: 2.25rem; font-weight: 700; line-height: 1.2; } .verdict small { display: inline-block; font-size: 1.1rem; font-weight: 400; color: var(--soft); }
.verdict.bad { color: var(--bad); } .verdict.good { color: var(--accent); }
.tiles { display: grid; grid-template-columns: 1fr 1fr; gap: 1px; margin: 0; background: var(--line); border: 1px solid var(--line); border-radius: 8px; overflow: hidden; }
.tiles > div { padding: .8rem 1.1rem; background: var(--sheet); } .tiles dt { color: var(--soft); font-size: .85rem; } .tiles dd { margin: 0; }
.tiles strong { display: block; font-size: 1.5rem; line-height: 1.3; font-variant-numeric: tabular-nums; } .tiles dd span { color: var(--soft); font-size: .85rem; }
.bars { width: 100%; font-size: .9rem; font-variant-numeric: tabular-nums; }
.bars th, .bars td { border: 0; border-bottom: 1px solid var(--line); padding: .35rem .75rem .35rem 0; text-align: right; font-weight: 400; white-space: nowrap; } .bars thead th { color: var(--soft); font-size: .8rem; }
.bars th:first-child { text-align: left; } .bars td:not(.wide) { min-width: 3.5rem; } .bars .wide { width: 50%; } .bars td.failed, .bars td.missed { font-weight: 700; }
.bar { display: block; width: 100%; height: .6rem; border-radius: 3px; background: var(--line); forced-color-adjust: none; }
.bar .reached { fill: var(--good-mark); } .bar .failed { fill: var(--bad-mark); } .bar .missed { fill: var(--warn-mark); }
.filter { display: flex; flex-wrap: wrap; gap: .75rem 1.5rem; align-items: center; margin-top: 2rem; padding: .7rem 1rem; background: var(--wash); border-radius: 8px; font-size: .9rem; } .filter[hidden] { display: none; }
.filter input[type=search] { font: inherit; color: inherit; background: var(--sheet); border: 1px solid var(--soft); border-radius: 6px; padding: .3rem .6rem; width: 14rem; max-width: 100%; }
.filter fieldset { display: flex; flex-wrap: wrap; gap: .3rem 1rem; border: 0; margin: 0; padding: 0; min-width: 0; } .filter legend { float: left; padding: 0; margin-right: 1rem; line-height: 1.6rem; color: var(--soft); } .filter fieldset label { display: inline-flex; gap: .35rem; align-items: center; min-height: 1.5rem; } .filter output { color: var(--soft); }
.filter > label { display: inline-flex; flex-wrap: wrap; gap: .2rem .6rem; align-items: center; min-width: 0; } .filter input { margin: 0; accent-color: var(--accent); } .filter input:focus-visible, .copy:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
`;

const folds = `
.failure, .reasons { background: var(--sheet); border: 1px solid var(--line); border-radius: 8px; margin: .5rem 0; } .reason + .reason { border-top: 1px solid var(--line); }
.failure { border-left: 4px solid var(--bad-mark); } .failure > summary { display: grid; grid-template-columns: auto minmax(0, 1fr) auto; gap: 0 .8rem; padding: .7rem 1rem; list-style: none; } .failure > summary::-webkit-details-marker, .row > summary::-webkit-details-marker { display: none; }
.failure .message { grid-column: 2 / -1; margin-top: .15rem; } .failure h3 { font-size: .95rem; line-height: 1.6; font-weight: 400; } .failure .inside > p { margin: .25rem 0; } .rule { align-self: start; font: 600 .75rem/1.5 ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; padding: .1rem .5rem; border-radius: 1rem; background: var(--bad-wash); color: var(--bad); }
.rule:any-link { text-decoration: none; } .rule:any-link:hover { text-decoration: underline; } .rules { display: flex; flex-wrap: wrap; gap: .3rem 1rem; } .rules span span { font-weight: 500; }
.reason > summary { padding: .45rem 1rem; } .reason .version { font-size: .85rem; } .reason ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(22rem, 100%), 1fr)); gap: .1rem 1.5rem; margin: 0; padding: 0 1rem .75rem 2.1rem; list-style: none; font-size: .85rem; } .reason code { background: none; color: var(--warn); font-weight: 600; }
.inside { padding: .25rem 1rem 1rem; scroll-margin-top: 6rem; } .failure > .inside { border-top: 1px solid var(--line); padding-top: .75rem; }
.failure > summary:hover, .row > summary:hover, .reason > summary:hover { background: var(--wash); }
.pair { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: .75rem; margin: .75rem 0; } .pair pre { margin: 0; max-height: 22rem; overflow-y: auto; font-size: .8rem; }
.expected > div { padding: .6rem .8rem; border-radius: 6px; background: var(--wash); } .expected > .bad { background: var(--bad-wash); } .expected p { margin: 0; overflow-wrap: anywhere; white-space: pre-wrap; } .pair h4.step, .step { margin-top: 1rem; }
.command pre { margin: 0; font-size: .8rem; } .above { display: flex; gap: .75rem; align-items: center; min-height: 2rem; } .above h4 { margin: 0; } .copy { font: inherit; font-size: .8rem; padding: .1rem .7rem; border-radius: 5px; border: 1px solid var(--line); background: var(--sheet); color: var(--ink); cursor: pointer; } .copy[hidden] { display: none; } .copy:hover { border-color: var(--accent); }
`;

const matrix = `
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; color: var(--soft); font-size: .85rem; } .legend i { vertical-align: -.1rem; margin-right: .2rem; overflow: hidden; }
.group { margin-top: 1rem; } .group > summary { padding: .4rem 0; } .group > summary h3 { display: inline; } .group .version { font-size: .85rem; }
.matrix { background: var(--sheet); border: 1px solid var(--line); border-radius: 8px; }
.head, .row > summary { display: grid; grid-template-columns: minmax(12rem, 2.2fr) minmax(6rem, 1fr) minmax(7rem, 1.1fr) minmax(8rem, 1.4fr) minmax(9rem, 1.7fr) minmax(7.5rem, 1.1fr) 5.5rem; gap: 0 .9rem; padding: .5rem 1rem; }
.head { position: sticky; top: 0; z-index: 1; background: var(--sheet); border-radius: 8px 8px 0 0; color: var(--soft); font-size: .8rem; border-bottom: 1px solid var(--line); }
.row { border-top: 1px solid var(--line); } .long .row { content-visibility: auto; contain-intrinsic-size: auto 4.2rem; } .head + .row { border-top: 0; } .row > summary { list-style: none; align-items: start; font-size: .9rem; } .row[open] > summary { background: var(--wash); }
.row .operation { position: relative; padding-left: .9rem; } .row .operation::before { position: absolute; left: -.15rem; } .row .name { display: block; } .cell { min-width: 0; }  .share { text-align: right; font-variant-numeric: tabular-nums; }
.marks { display: flex; flex-wrap: wrap; gap: 3px; padding: .35rem 0 .2rem; }
.marks i, .legend i { display: inline-block; width: .75rem; height: .75rem; border-radius: 2px; border: 1px solid transparent; font: 700 .6rem/.7rem system-ui, sans-serif; text-align: center; print-color-adjust: exact; forced-color-adjust: none; }
i { background: var(--good-mark); } i.failed { background: var(--bad-mark); border-color: var(--bad-mark); color: #fff; } i.failed::before { content: '✕'; }
i.uncounted { background: none; } i.missed { border-color: var(--warn); background: var(--warn-wash); } i.uncounted { color: var(--soft); } i.uncounted::before { content: '–'; }
.problem { display: block; font-size: .78rem; line-height: 1.4; color: var(--soft); overflow-wrap: anywhere; } .problem.failed { color: var(--bad); } .problem.missed { color: var(--warn); }
.row > .inside { background: var(--wash); } .kinds { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(18rem, 100%), 1fr)); gap: 1rem 1.5rem; } .kinds ul { list-style: none; padding: 0; margin: 0; font-size: .85rem; } .kinds li { padding: .1rem 0 .1rem 1.3rem; text-indent: -1.3rem; } .kinds li::before { content: '✓'; content: '✓' / ''; display: inline-block; width: 1.3rem; text-indent: 0; font-weight: 700; color: var(--accent); } .kinds .failed::before { content: '✕'; content: '✕' / ''; color: var(--bad); } .kinds .missed::before { content: '○'; content: '○' / ''; color: var(--warn); } .kinds .uncounted::before { content: '–'; content: '–' / ''; color: var(--soft); } .kinds code { background: none; padding: 0; font-weight: 600; } .failure-links { margin: 0 0 .75rem; }
`;

const narrow = `
@media (min-width: 62.01rem) { .cell .label { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; } }
@media (max-width: 62rem) {
  .look { display: block; } .bars { margin-top: 1.25rem; }
  .head { display: none; } .row > summary { grid-template-columns: repeat(auto-fill, minmax(8.5rem, 1fr)); gap: .3rem .9rem; } .row .operation { grid-column: 1 / -1; }
  .cell .label { display: block; color: var(--soft); font-size: .75rem; } .cell.empty { display: none; } .share { text-align: left; }
}
@media (max-width: 40rem) {
  .pair { grid-template-columns: minmax(0, 1fr); } .failure > summary { grid-template-columns: auto minmax(0, 1fr); } .rule { grid-column: 2; justify-self: start; margin-top: .3rem; }
  .verdict { font-size: 1.75rem; } .verdict small { display: block; } .bars td.wide { display: none; } .row > summary { grid-template-columns: minmax(0, 1fr); } .cell { display: grid; grid-template-columns: 8rem minmax(0, 1fr); gap: 0 .5rem; } .cell > * { grid-column: 2; } .cell > .label { grid-column: 1; grid-row: 1; padding-top: .2rem; } .share strong { grid-row: 1; } .unseen { grid-column: 1; } .bars th, .bars td { white-space: normal; } .filter input[type=search] { width: 100%; }
}
@media print {
  .filter, .copy { display: none; } .failure::details-content, .group::details-content { content-visibility: visible; display: block; } .pair pre { max-height: none; }
  .long .row { content-visibility: visible; } .row, .tiles, .pair > div { break-inside: avoid; } .head { position: static; } .bar, i { print-color-adjust: exact; }
}
`;

/** To stand after the stylesheet of pages. */
export const reportStyle = `${colours}${frame}${summary}${folds}${matrix}${narrow}`;
