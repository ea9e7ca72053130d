/** The report of a proxy, as a page. */

import { type Html, html, type Part } from '../../base/html/html';
import { counted, endpointLine, reportPage } from '../../contract';
import type { Observations } from './seen';

type ProxyReport = ReturnType<Observations['report']>;
type Line = ProxyReport['operations'][number];

const titleOf = ({ endpoint, operation }: Line): Html =>
  html`${endpointLine(endpoint)} <span class="name">${operation}</span>`;

const violationPart = (line: Line): Part =>
  line.violations.map(
    ({ on, rule, place, sentence, count, first }) =>
      html`<details class="item"><summary><h3>${titleOf(line)}</h3><span class="rule">${rule}</span><span class="message">${on}: ${sentence}</span></summary>
<p>${counted(count, 'time')}${place !== '' && html`, at <code>${place}</code>`}. First at ${first.time}: <code>${first.method} ${first.path}</code>, ${first.status}.</p></details>
`,
  );

const countsOf = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([key, count]) => `${key}: ${count}`)
    .join(', ');

const operationRow = (line: Line): Html =>
  html`<tr><th scope="row">${titleOf(line)}</th><td>${line.requests}</td><td>${countsOf(line.statuses)}</td><td>${countsOf(line.unchecked)}</td></tr>
`;

const neverSeenLine = (line: Line): Part =>
  line.neverSeen.length > 0 &&
  html`<li>${endpointLine(line.endpoint)} ${line.requests === 0 ? 'no request' : line.neverSeen.map((key) => html`<code>${key}</code> `)}</li>
`;

/** Writes the page. */
export const proxyPage = (report: ProxyReport): string => {
  const { document, upstream, mode, from, to, requests, violations, operations } = report;
  return reportPage(
    `Proxy: ${document.title} ${document.version}`,
    html`<p><code>${document.file}</code> before <code>${upstream}</code>, mode ${mode}, ${from} to ${to}</p>
<p>${counted(violations, 'violation')} in ${counted(requests, 'request')}</p>
<section id="violations"><h2>Violations</h2>${operations.map(violationPart)}</section>
<section id="unseen"><h2>Never seen</h2><ul>${operations.map(neverSeenLine)}</ul></section>
<section id="operations"><h2>Operations</h2><table><thead><tr><th scope="col">Operation</th><th scope="col">Requests</th><th scope="col">Statuses</th><th scope="col">Unchecked</th></tr></thead><tbody>${operations.map(operationRow)}</tbody></table></section>`,
  );
};
