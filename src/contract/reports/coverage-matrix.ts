/** The matrix of a test: a row for each operation, which unfolds into its items, and a mark for each item. */

import { type Html, html, type Part } from '../../base/html/html';
import type { OperationCoverage } from '../tester/test-report';
import { counted } from './counts';
import {
  countOf,
  type Item,
  type ItemKind,
  type ItemState,
  kindsOf,
  nameOf,
} from './covered-items';
import { endpointLine } from './formats/html';

/** An operation with what the page shows of it. */
export interface Row {
  readonly coverage: OperationCoverage;
  readonly kinds: readonly ItemKind[];
  readonly missed: number;
  /** The anchors of its failures, with their rules. */
  readonly failures: readonly (readonly [anchor: string, rule: string])[];
}

/** The row of an operation. */
export const rowOf = (coverage: OperationCoverage, failures: Row['failures']): Row => {
  const kinds = kindsOf(coverage);
  return {
    coverage,
    kinds,
    failures,
    missed: countOf(
      kinds.flatMap(({ items }) => items),
      'missed',
    ),
  };
};

/** Problems that a cell names; the others are in the row's list. */
const namedInCell = 3;

/** Most items are reached: what stands for them is short, since there may be tens of thousands. */
const classOf = (state: ItemState): Part => state !== 'reached' && html` class="${state}"`;

const mark = ({ name, state, text }: Item): Html =>
  html`<i${classOf(state)} title="${name}: ${text}"></i>`;

const problemLines = (items: readonly Item[]): Part => {
  const found = (['failed', 'missed'] as const).flatMap((which) =>
    items.filter(({ state }) => state === which),
  );
  const more = found.length - namedInCell;
  return [
    found
      .slice(0, more === 1 ? namedInCell + 1 : namedInCell)
      .map(
        ({ name, state }) =>
          html`<span class="problem ${state}"><span class="sign">${state === 'failed' ? '✕' : '○'}</span> ${name}</span>`,
      ),
    more > 1 && html`<span class="problem more">and ${more} more</span>`,
  ];
};

/** The cell in words, for those who do not see its marks. */
const cellWords = (items: readonly Item[]): string => {
  if (items.length === 0) return 'none';
  const reached = countOf(items, 'reached');
  return `${reached} of ${items.length - countOf(items, 'uncounted')} reached`;
};

const cell = ({ heading, column, items }: ItemKind): Html =>
  html`<span class="cell ${column}${items.length === 0 && ' empty'}"><span class="label">${heading}</span><span class="unseen">: ${cellWords(items)} </span><span class="marks" aria-hidden="true">${items.map(mark)}</span>${problemLines(items)}</span>`;

const itemLine = ({ name, state, text }: Item): Html =>
  html`<li${classOf(state)}><code>${name}</code> ${text}</li>`;

const kindList = ({ heading, items }: ItemKind): Part =>
  items.length > 0 && html`<div><h4>${heading}</h4><ul>${items.map(itemLine)}</ul></div>`;

const failureLinks = ({ failures }: Row): Part =>
  failures.length > 0 &&
  html`<p class="failure-links">${counted(failures.length, 'failure')}: ${failures.map(
    ([anchor, rule]) => [' ', html`<a class="rule" href="#${anchor}">${rule}</a>`],
  )}</p>`;

const percentOf = ({ covered, total }: OperationCoverage): string =>
  total === 0 ? '100' : String(Math.floor((covered / total) * 100));

const rowElement = (row: Row, namesDocument: boolean): Html => {
  const { coverage, kinds, missed, failures } = row;
  const states = [failures.length > 0 && 'failed', missed > 0 && 'missed']
    .filter(Boolean)
    .join(' ');
  return html`<details class="row" data-state="${states}"><summary><span class="operation">${endpointLine(coverage.endpoint)}
<span class="name">${nameOf(coverage, namesDocument)}</span></span>${kinds.map(cell)}
<span class="cell share"><span class="label">Reached</span><strong>${percentOf(coverage)} %</strong><span class="problem">${coverage.covered} of ${coverage.total}</span>${
    failures.length > 0 &&
    html`<span class="problem failed"><span class="sign">✕</span> ${counted(failures.length, 'failure')}</span>`
  }</span></summary>
<div class="inside"><p class="limits">${counted(coverage.requests, 'request')}.</p>${failureLinks(row)}<div class="kinds">${kinds.map(kindList)}</div></div></details>
`;
};

const headings = html`<div class="head" aria-hidden="true"><span>Operation</span><span>Statuses</span><span>Request types</span><span>Response types</span><span>Parameters and fields</span><span>Security</span><span class="share">Reached</span></div>
`;

const legend = html`<p class="legend">${(
  [
    ['reached', 'reached'],
    ['failed', 'failed'],
    ['missed', 'never reached'],
    ['uncounted', 'not counted'],
  ] as const
).map(
  ([state, text]) => html`<span><i${classOf(state)} aria-hidden="true"></i> ${text}</span>`,
)}<span>Open an operation for every item and its reason.</span></p>
`;

/** Rows up to which operations without a problem are shown at once. */
const openRows = 60;

const group = (
  heading: string,
  rows: readonly Row[],
  isOpen: boolean,
  namesDocuments: boolean,
): Part =>
  rows.length > 0 &&
  html`<details class="group"${isOpen && html` open`}><summary><h3>${heading} <span class="version">${counted(rows.length, 'operation')}</span></h3></summary>
<div class="matrix${rows.length > openRows && ' long'}">${headings}${rows.map((row) => rowElement(row, namesDocuments))}</div></details>
`;

/**
 * The matrix: first what failed, then what was not reached wholly, then the rest.
 * @param namesDocuments whether there are several, so that rows say theirs
 */
export const coverageMatrix = (rows: readonly Row[], namesDocuments: boolean): Html => {
  const hasFailed = ({ failures }: Row): boolean => failures.length > 0;
  const failed = rows.filter(hasFailed);
  const partly = rows.filter((row) => !hasFailed(row) && row.missed > 0);
  const whole = rows.filter((row) => !hasFailed(row) && row.missed === 0);
  return html`${legend}${group('Failed', failed, true, namesDocuments)}${group('Not wholly reached', partly, true, namesDocuments)}${group('Reached, without a failure', whole, rows.length <= openRows, namesDocuments)}`;
};
