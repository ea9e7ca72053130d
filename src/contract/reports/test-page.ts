/** A report on a tested server, as a page. */

import { groupBy } from '../../base/group-by';
import { type Html, html, type Part } from '../../base/html/html';
import type { TestedDocument, TestReport } from '../tester/test-report';
import { counted, digits } from './counts';
import { coverageMatrix, type Row, rowOf } from './coverage-matrix';
import { countOf, type Item } from './covered-items';
import { failureAnchor, failureList } from './failure-list';
import { bar, endpointLine, filterBar, reportPage } from './formats/html';

const verdict = ({ failures }: TestReport, rows: readonly Row[]): Html => {
  if (failures.length === 0)
    return html`<p class="verdict good"><span class="sign">✓</span> No failures</p>`;
  const failed = rows.filter((row) => row.failures.length > 0).length;
  return html`<p class="verdict bad"><span class="sign">✕</span> ${counted(failures.length, 'failure')} <small>in ${digits(failed)} of ${counted(rows.length, 'operation')}</small></p>`;
};

const tile = (name: string, value: Part, note: Part): Html =>
  html`<div><dt>${name}</dt><dd><strong>${value}</strong> <span>${note}</span></dd></div>
`;

const documentLine = ({ title, version, file, url }: TestedDocument, isAlone: boolean): Html =>
  html`<li>${!isAlone && `${title} ${version}: `}<code>${file}</code> at <code>${url}</code></li>`;

const kindBars = (rows: readonly Row[]): Html => {
  const [first] = rows;
  const lines = (first?.kinds ?? []).map(({ heading, column }) => {
    const items: readonly Item[] = rows.flatMap(({ kinds }) =>
      kinds.filter((kind) => kind.column === column).flatMap((kind) => kind.items),
    );
    const [reached, failed, missed] = [
      countOf(items, 'reached'),
      countOf(items, 'failed'),
      countOf(items, 'missed'),
    ];
    return (
      reached + failed + missed > 0 &&
      html`<tr><th scope="row">${heading}</th><td class="wide">${bar([
        ['reached', reached],
        ['failed', failed],
        ['missed', missed],
      ])}</td><td>${digits(reached)}</td><td${failed > 0 && html` class="failed"`}>${digits(failed)}</td><td${missed > 0 && html` class="missed"`}>${digits(missed)}</td></tr>
`
    );
  });
  return html`<table class="bars"><thead><tr><th scope="col">What the document declares</th><td class="wide"></td><th scope="col">reached</th><th scope="col">failed</th><th scope="col">never reached</th></tr></thead><tbody>${lines}</tbody></table>
`;
};

/** The top of the page. */
export const testSummary = (report: TestReport, rows: readonly Row[]): Html => {
  const { coverage, requests, seed, depth, documents } = report;
  const missed = rows.reduce((sum, row) => sum + row.missed, 0);
  return html`<ul class="documents">${documents.map((one) => documentLine(one, documents.length === 1))}</ul>
<div class="look"><div>
${verdict(report, rows)}
<dl class="tiles">
${tile('Reached', `${coverage.percent} %`, `${digits(coverage.covered)} of ${counted(coverage.total, 'item')}`)}${tile('Never reached', digits(missed), missed === 1 ? 'item' : 'items')}${tile('Requests', digits(requests), counted(rows.length, 'operation'))}${tile('Seed', String(seed), `depth ${depth}`)}</dl>
</div>
${kindBars(rows)}</div>
`;
};

const keyOf = ({ document, operation }: { document: string; operation: string }): string =>
  JSON.stringify([document, operation]);

const rowsOf = ({ failures, coverage }: TestReport): readonly Row[] => {
  const linked = failures.map((failure, index) => ({ failure, anchor: failureAnchor(index) }));
  const byOperation = groupBy(linked, ({ failure }) => keyOf(failure));
  return coverage.operations.map((operation) =>
    rowOf(
      operation,
      (byOperation.get(keyOf(operation)) ?? []).map(({ failure, anchor }) => [
        anchor,
        failure.rule,
      ]),
    ),
  );
};

/** Items up to which the lists are open. */
const openItems = 40;

interface Missed {
  readonly row: Row;
  readonly item: Item;
}

const missedItems = (rows: readonly Row[]): readonly Missed[] =>
  rows.flatMap((row) =>
    row.kinds
      .flatMap(({ items }) => items)
      .filter(({ state }) => state === 'missed')
      .map((item) => ({ row, item })),
  );

const missedLine = ({ row: { coverage }, item: { name } }: Missed, namesDocuments: boolean): Html =>
  html`<li>${namesDocuments && `${coverage.document}: `}${endpointLine(coverage.endpoint)} <code>${name}</code></li>\n`;

const missedSection = (missed: readonly Missed[], namesDocuments: boolean): Part => {
  const groups = [...groupBy(missed, ({ item }) => item.reason ?? 'No reason is known')];
  const sorted = groups.toSorted(([, one], [, other]) => other.length - one.length);
  const isOpen = missed.length <= openItems;
  return (
    missed.length > 0 &&
    html`<section id="missed"><h2>Never reached, and why</h2>
<div class="reasons">${sorted.map(
      ([reason, items]) =>
        html`<details class="reason"${isOpen && html` open`}><summary><span class="sign missed">○</span> ${reason} <span class="version">${counted(items.length, 'item')}</span></summary>
<ul class="inside">${items.map((one) => missedLine(one, namesDocuments))}</ul></details>
`,
    )}</div></section>
`
  );
};

const failureSection = (failures: TestReport['failures'], namesDocuments: boolean): Part =>
  failures.length > 0 &&
  html`<section id="failures" class="group"><h2>Failures</h2>
${failureList(failures, namesDocuments)}</section>
`;

const linksOf = (report: TestReport, missed: readonly Missed[]) =>
  [
    { id: 'failures', text: 'Failures', isThere: report.failures.length > 0 },
    { id: 'missed', text: 'Never reached', isThere: missed.length > 0 },
    { id: 'operations', text: 'Operations', isThere: true },
  ].filter(({ isThere }) => isThere);

const titleOf = ({ documents }: TestReport): string => {
  const [first, ...others] = documents;
  return first === undefined || others.length > 0
    ? counted(documents.length, 'document')
    : `${first.title} ${first.version}`;
};

/** The page of a test: one text of HTML that needs nothing beside it. */
export const testPage = (report: TestReport): string => {
  const rows = rowsOf(report);
  const missed = missedItems(rows);
  const namesDocuments = report.documents.length > 1;
  return reportPage({
    kind: 'Contract test',
    title: titleOf(report),
    links: linksOf(report, missed),
    main: html`${testSummary(report, rows)}
${filterBar([
  ['', 'All'],
  ['failed', 'Failed'],
  ['missed', 'Not wholly reached'],
])}${failureSection(report.failures, namesDocuments)}${missedSection(missed, namesDocuments)}
<section id="operations"><h2>Operations</h2>
${coverageMatrix(rows, namesDocuments)}</section>`,
  });
};
