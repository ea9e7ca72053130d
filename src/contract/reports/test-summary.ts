/** The summary at the top of a test's page. */

import { type Html, html, type Part } from '../../base/html/html';
import type { TestedDocument, TestReport } from '../tester/test-report';
import { counted, digits } from './counts';
import type { Row } from './coverage-matrix';
import { countOf, type Item } from './covered-items';
import { bar } from './formats/html';

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
