/** Exchanges as reports show them: bodies cut, secrets replaced; and the command that repeats them. */

import { attempt } from '../../../base/recover';
import type { Secret } from '../../../requests/credentials';
import type { SentRequest } from '../../../requests/http-client';
import type { Message, ReportedExchange } from '../test-report';

/** Characters of a body that a report keeps. */
const MOST_CHARACTERS = 4000;

const decoder = new TextDecoder('utf-8', { fatal: true });

const decodedText = (body: Uint8Array): string | undefined => attempt(() => decoder.decode(body));

/** Makes what replaces secrets in a text. */
export const secretHider = (secrets: readonly Secret[]): ((text: string) => string) => {
  const longestFirst = secrets
    .flatMap(({ text, variable }) => [
      { text, variable },
      { text: encodeURIComponent(text), variable },
    ])
    .filter(({ text }) => text !== '')
    .toSorted((one, other) => other.text.length - one.text.length);
  return (text) =>
    longestFirst.reduce(
      (hidden, secret) => hidden.replaceAll(secret.text, () => `$${secret.variable}`),
      text,
    );
};

type Hide = (text: string) => string;

const reportedMessage = (
  headers: Message['headers'],
  body: Uint8Array | undefined,
  hide: Hide,
): Message => {
  const bytes = body?.length ?? 0;
  const shown = headers.map(([name, value]) => [name, hide(value)] as const);
  if (body === undefined || bytes === 0) return { headers: shown, bytes };
  const text = decodedText(body);
  if (text === undefined) return { headers: shown, bytes, body: `${bytes} bytes` };
  const hidden = hide(text);
  if (hidden.length <= MOST_CHARACTERS) return { headers: shown, bytes, body: hidden };
  const beginning = hidden.slice(0, MOST_CHARACTERS).toWellFormed();
  return { headers: shown, bytes, body: `${beginning}… (${hidden.length} characters)` };
};

/** An exchange for the report. */
export const describeExchange = (
  { request, answer, error }: SentRequest,
  hide: Hide,
): ReportedExchange => ({
  request: {
    method: request.method,
    url: hide(request.url),
    ...reportedMessage(request.headers, request.body, hide),
  },
  ...(answer && {
    response: {
      status: answer.status,
      statusText: answer.statusText,
      ...reportedMessage(answer.headers, answer.body, hide),
    },
  }),
  ...(error === undefined ? {} : { error }),
});

const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const VARIABLE = /(\$[A-Z_][A-Z0-9_]*)/;

/** Everything in single quotes, but for the variables that stand for secrets. */
const quoteHidden = (text: string, hide: Hide): string => {
  const own = new Set(text.split(VARIABLE));
  return hide(text)
    .split(VARIABLE)
    .filter((piece, index) => piece !== '' || index === 0)
    .map((piece) => (VARIABLE.test(piece) && !own.has(piece) ? `"${piece}"` : shellQuoted(piece)))
    .join('');
};

const bodyOption = (body: Uint8Array | undefined, hide: Hide) => {
  if (body === undefined) return { before: '', option: '' };
  const text = decodedText(body);
  const isText = text !== undefined && !text.includes('\0');
  // Bytes of the longest argument that every system takes; printf of a shell has no such limit.
  const longestArgument = 100_000;
  // A leading @ would name a file.
  if (isText && !text.startsWith('@') && body.length <= longestArgument) {
    return { before: '', option: ` --data-binary ${quoteHidden(text, hide)}` };
  }
  const octal = () => [...body].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
  const words = isText ? `%s ${quoteHidden(text, hide)}` : shellQuoted(octal());
  return { before: `printf ${words} | `, option: ' --data-binary @-' };
};

/** A command line that sends the request again; secrets stand in shell variables. */
export const curlCommand = ({ request }: SentRequest, hide: Hide): string => {
  const { method, url, headers, body } = request;
  const { before, option } = bodyOption(body, hide);
  const lines = headers.map(([name, value]) => ` -H ${quoteHidden(`${name}: ${value}`, hide)}`);
  const verb =
    method === 'HEAD' ? '--head' : `-X ${/^[\w-]+$/.test(method) ? method : shellQuoted(method)}`;
  return `${before}curl -isg --path-as-is ${verb} ${quoteHidden(url, hide)}${lines.join('')}${option}`;
};
