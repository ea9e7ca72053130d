/** The failures of a test, each with what was sent, expected and seen, and the command that repeats it. */

import { groupBy } from '../../base/group-by';
import { type Html, html, type Part } from '../../base/html/html';
import { markdown } from '../../base/html/markdown';
import { testRules } from '../tester/rules';
import type { Exchange, Failure, Message } from '../tester/test-report';
import { counted, digits } from './counts';
import { nameOf } from './covered-items';
import { type FailureCause, failureCauses } from './failure-causes';
import { endpointLine } from './formats/html';

/** Failures up to which bodies stand in the page as the report has them. */
const wholeBodies = 100;

/** Characters of a body where there are more failures than that: a page of many must still open quickly. */
const shortBody = 500;

/** The anchor of a failure by its place in the report. */
export const failureAnchor = (index: number): string => `failure-${index + 1}`;

const bodyText = (body: string, limit: number): string =>
  body.length <= limit ? body : `${body.slice(0, limit)}… (${digits(body.length)} characters)`;

const messageText = (startLine: string, { headers, body }: Message, limit: number): Html => {
  const lines = headers.map(([name, value]) => `${name}: ${value}`).join('\n');
  return html`<pre tabindex="0"><code><b>${startLine}</b>
${lines}${body !== undefined && `\n\n${bodyText(body, limit)}`}</code></pre>`;
};

const exchangePart = ({ request, response, error }: Exchange, limit: number): Html =>
  html`<div class="pair"><div><h4>Request</h4>${messageText(`${request.method} ${request.url}`, request, limit)}</div>
<div><h4>Response</h4>${
    response === undefined
      ? html`<p class="warning">${error ?? 'None came.'}</p>`
      : messageText(`${response.status} ${response.statusText}`, response, limit)
  }</div></div>
`;

const exchangesPart = (exchanges: readonly Exchange[], limit: number): Part =>
  exchanges.map((exchange, index) => [
    exchanges.length > 1 && html`<h4 class="step">Step ${index + 1} of ${exchanges.length}</h4>`,
    exchangePart(exchange, limit),
  ]);

/** Settings of the list of failures. */
interface ListOptions {
  readonly namesDocuments: boolean;
  /** Characters of a body. */
  readonly limit: number;
}

const failureElement = (
  failure: Failure,
  anchor: string,
  { namesDocuments, limit }: ListOptions,
): Html => {
  const { endpoint, rule, message, expected, seen, sent, place, curl } = failure;
  return html`<details class="failure" data-state="failed"><summary><span class="sign failed" aria-hidden="true">✕</span>
<h3 class="operation">${endpointLine(endpoint)} <span class="name">${nameOf(failure, namesDocuments)}</span></h3>
<span class="rule">${rule}</span><span class="message">${message}</span></summary>
<div class="inside" id="${anchor}">${markdown(testRules[rule], 3)}
<div class="pair expected"><div><h4>Expected</h4><p>${expected}</p></div><div class="bad"><h4>Seen</h4><p>${seen}</p></div></div>
<p>Sent: ${sent}${place !== undefined && html`, at <code>${place}</code>`}</p>
${exchangesPart(failure.exchanges, limit)}
<div class="command"><div class="above"><h4>Repeat it</h4><button type="button" class="copy" aria-live="polite" hidden>Copy</button></div><pre tabindex="0"><code>${curl}</code></pre></div>
</div></details>
`;
};

/** Failures up to which they are not counted by rule. */
const fewFailures = 10;

const rulesLine = (failures: readonly Failure[]): Part => {
  const byRule = [...groupBy(failures, ({ rule }) => rule)];
  const sorted = byRule.toSorted(([, one], [, other]) => other.length - one.length);
  return (
    failures.length > fewFailures &&
    html`<p class="rules">${sorted.map(([rule, mine]) => html`<span><span class="rule">${rule}</span> ${digits(mine.length)}</span> `)}</p>`
  );
};

const causeLine = ({ rule, failures, operations }: FailureCause): Part =>
  failures.length > 1 &&
  html`<p class="rules"><span class="rule">${rule}</span> ${counted(failures.length, 'failure')} of one cause in ${counted(operations.length, 'operation')}: expected ${failures[0].expected}; seen: ${failures[0].seen}</p>
`;

/** All of them by their causes, each cause where it came first. */
export const failureList = (failures: readonly Failure[], namesDocuments: boolean): Html => {
  const limit = failures.length > wholeBodies ? shortBody : Number.POSITIVE_INFINITY;
  const anchors = new Map(failures.map((failure, index) => [failure, failureAnchor(index)]));
  const causes = failureCauses(failures).map((cause) => {
    const elements = cause.failures.map((failure) =>
      failureElement(failure, anchors.get(failure) ?? '', { namesDocuments, limit }),
    );
    return html`<div class="group">${causeLine(cause)}${elements}</div>
`;
  });
  return html`${rulesLine(failures)}<div class="failures">${causes}</div>
`;
};
