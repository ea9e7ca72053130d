/** The report of a test as a page: its failures with what repeats them, and what was reached of each operation. It has no script, needs nothing beside it, and works from a file. */

import { type Html, type HtmlPart, hashSource, html, trusted } from '../../base/html/html';
import { markdown } from '../../base/html/markdown';
import { headLines, pageStyle } from '../../base/html/page-style';
import { testRules } from '../tester/rules';
import type {
  Failure,
  Message,
  OperationCoverage,
  ReportedExchange,
  TestReport,
} from '../tester/test-report';
import { counted } from './formats/text';
import {
  type FailureCause,
  failureCauses,
  missedByReason,
  unreturnedSentences,
} from './test-summary';

const style = `${pageStyle}
main section > h2 { margin-top: 2rem; }
details.item { margin: .75rem 0; padding: .5rem 1rem; }
details.item summary h3 { display: inline; margin: 0; font-size: 1rem; font-weight: 400; }
details.item pre { max-height: 22rem; overflow-y: auto; }
details.item p { overflow-wrap: anywhere; white-space: pre-wrap; }
code { overflow-wrap: anywhere; }
.scroll { overflow-x: auto; margin-top: .75rem; } .scroll:focus-visible { outline: 3px solid var(--focus); }
table { width: 100%; min-width: 40rem; font-size: .9rem; }
th, td { vertical-align: top; } tbody th, td { font-weight: 400; overflow-wrap: anywhere; }
.rule { font-weight: 600; }
`;

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

const exchangePart = ({ request, response, error }: ReportedExchange): Html =>
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

const operationRow = (coverage: OperationCoverage): Html => {
  const { document, operation, endpoint, requests, failures, covered, total } = coverage;
  const missed = missedByReason(coverage).map(
    ([reason, names]) => html`<div><code>${names}</code>: ${reason}</div>`,
  );
  const lost = unreturnedSentences(coverage).map((sentence) => html`<div>${sentence}</div>`);
  return html`<tr><th scope="row">${endpointLine(endpoint)}<br>${document}: ${operation}</th><td>${requests}</td><td>${failures}</td><td>${covered} of ${total}</td><td>${missed}${lost}</td></tr>
`;
};

/** Writes the page of a test, as text of HTML. */
export const testPage = (report: TestReport): string => {
  const { documents, failures, coverage, requests, seed, depth } = report;
  const causePart = ({ rule, failures: alike, operations }: FailureCause): HtmlPart => [
    alike.length > 1 &&
      html`<p><span class="rule">${rule}</span>: ${counted(alike.length, 'failure')} of one cause in ${counted(operations.length, 'operation')}</p>
`,
    alike.map(failurePart),
  ];
  // Texts of servers and documents stand in the page: whatever they hold, nothing runs and nothing is fetched.
  const policy = [
    "default-src 'none'",
    `style-src ${hashSource(style)}`,
    'img-src data:',
    "form-action 'none'",
    "base-uri 'none'",
  ].join('; ');
  return html`<!doctype html>
<html lang="en">
<head>
<meta http-equiv="Content-Security-Policy" content="${policy}">
${headLines('Contract test')}
<style>${trusted(style)}</style>
</head>
<body>
<main class="alone">
<h1>Contract test</h1>
<ul>${documents.map(
    ({ title, version, file, url }) =>
      html`<li>${title} ${version}: <code>${file}</code> at <code>${url}</code></li>`,
  )}</ul>
<p>${counted(failures.length, 'failure')} in ${counted(requests, 'request')}, coverage ${coverage.percent}% (${coverage.covered} of ${coverage.total}), seed ${seed}, depth ${depth}</p>
<section><h2>Failures</h2>
${failures.length === 0 ? html`<p>None.</p>` : failureCauses(failures).map(causePart)}</section>
<section><h2>Operations</h2>
<div class="scroll" tabindex="0"><table><thead><tr><th scope="col">Operation</th><th scope="col">Requests</th><th scope="col">Failures</th><th scope="col">Reached</th><th scope="col">Never reached, and why</th></tr></thead>
<tbody>${coverage.operations.map(operationRow)}</tbody></table></div></section>
</main>
</body>
</html>
`.html;
};
