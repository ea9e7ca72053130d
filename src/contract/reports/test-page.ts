/** A report on a tested server, as a page. */

import { type Html, html, type Part } from '../../base/html/html';
import { groupBy } from '../../engine';
import type { TestReport } from '../tester/test-report';
import { counted } from './counts';
import { coverageMatrix, type Row, rowOf } from './coverage-matrix';
import type { Item } from './covered-items';
import { failureAnchor, failureList } from './failure-list';
import { endpointLine, filterBar, reportPage } from './formats/html';
import { testSummary } from './test-summary';

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
