/** The report of a test as a page: its failures with what repeats them, and what was reached of each operation. */

import { type Html, html, type Part } from '../../base/html/html';
import { markdown } from '../../base/html/markdown';
import { testRules } from '../tester/rules';
import type {
  Exchange,
  Failure,
  Message,
  OperationCoverage,
  TestReport,
} from '../tester/test-report';
import { counted } from './counts';
import { type FailureCause, failureCauses } from './failure-causes';
import { reportPage } from './formats/html';
import { missedByReason } from './missed-items';

/** `GET /things/{id}` as pages show it. */
const endpointLine = (endpoint: string): Html => {
  const at = endpoint.indexOf(' ');
  const [method, path] = [endpoint.slice(0, at), endpoint.slice(at + 1)];
  return html`<span class="method ${method.toLowerCase()}">${method}</span> <span class="path">${path}</span>`;
};

const messagePart = (startLine: string, { headers, body }: Message): Html => {
  const lines = headers.map(([name, value]) => `${name}: ${value}`).join('\n');
  return html`<pre tabindex="0"><code><b>${startLine}</b>
${lines}${body !== undefined && `\n\n${body}`}</code></pre>`;
};

const exchangePart = ({ request, response, error }: Exchange): Html =>
  html`<h4>Request</h4>${messagePart(`${request.method} ${request.url}`, request)}
<h4>Response</h4>${
    response === undefined
      ? html`<p class="warning">${error ?? 'None came.'}</p>`
      : messagePart(`${response.status} ${response.statusText}`, response)
  }
`;

const failurePart = (failure: Failure): Html => {
  const { document, operation, endpoint, rule, message, place } = failure;
  return html`<details class="item"><summary><h3>${endpointLine(endpoint)} ${document}: ${operation}</h3>
<span class="rule warning">${rule}</span>: ${message}</summary>
${markdown(testRules[rule], 3)}
<p>Sent: ${failure.sent}${place !== undefined && html`, at <code>${place}</code>`}</p>
<p>Expected: ${failure.expected}</p>
<p class="warning">Seen: ${failure.seen}</p>
<h4>Repeat it</h4><pre tabindex="0"><code>${failure.curl}</code></pre>
${failure.exchanges.map(exchangePart)}</details>
`;
};

const causePart = ({ rule, failures, operations }: FailureCause): Part => [
  failures.length > 1 &&
    html`<p><span class="rule">${rule}</span>: ${counted(failures.length, 'failure')} of one cause in ${counted(operations.length, 'operation')}</p>
`,
  failures.map(failurePart),
];

const operationRow = (coverage: OperationCoverage): Html => {
  const { document, operation, endpoint, requests, failures, covered, total } = coverage;
  const missed = missedByReason(coverage).map(
    ([reason, names]) => html`<div><code>${names}</code>: ${reason}</div>`,
  );
  return html`<tr><th scope="row">${endpointLine(endpoint)}<br>${document}: ${operation}</th><td>${requests}</td><td>${failures}</td><td>${covered} of ${total}</td><td>${missed}</td></tr>
`;
};

/** Writes the page of a test: one text of HTML that needs nothing beside it. */
export const testPage = ({
  documents,
  failures,
  coverage,
  requests,
  seed,
  depth,
}: TestReport): string =>
  reportPage(
    'Contract test',
    html`<ul>${documents.map(
      ({ title, version, file, url }) =>
        html`<li>${title} ${version}: <code>${file}</code> at <code>${url}</code></li>`,
    )}</ul>
<p>${counted(failures.length, 'failure')} in ${counted(requests, 'request')}, coverage ${coverage.percent}% (${coverage.covered} of ${coverage.total}), seed ${seed}, depth ${depth}</p>
<section><h2>Failures</h2>
${failures.length === 0 ? html`<p>None.</p>` : failureCauses(failures).map(causePart)}</section>
<section><h2>Operations</h2>
<div class="scroll" tabindex="0"><table><thead><tr><th scope="col">Operation</th><th scope="col">Requests</th><th scope="col">Failures</th><th scope="col">Reached</th><th scope="col">Never reached, and why</th></tr></thead>
<tbody>${coverage.operations.map(operationRow)}</tbody></table></div></section>`,
  );
