/** Mistakes that servers make with streams, and the rule by which a test has to find each. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TestRule } from '../../../src/contract';

/** A mistake of a server in front of a sound one, and what has to be said of it. */
export interface StreamFault {
  readonly name: string;
  readonly operation: string;
  readonly rule: TestRule;
  /** A part of what was seen, or of the place. */
  readonly seen: string;
  /** Gives what the server does; undefined where it passes the request on. */
  readonly act: (request: IncomingMessage) => ((response: ServerResponse) => void) | undefined;
}

const at = (request: IncomingMessage, operation: string): boolean =>
  `${request.method} ${request.url?.split('?', 1)[0]}` === operation;

const reading = '{"id":1,"sensor":"a","value":1}\n';
const event = `id: 1\nevent: added\ndata: ${reading}\n`;

const answering =
  (operation: string, type: string, body: string, isCut = false): StreamFault['act'] =>
  (request) =>
    at(request, operation)
      ? (response) => {
          request.resume();
          response.writeHead(200, { 'Content-Type': type });
          if (isCut) response.write(body, () => response.destroy());
          else response.end(body);
        }
      : undefined;

const lines = (body: string, isCut?: boolean) =>
  answering('GET /readings', 'application/jsonl', body, isCut);
const texts = (body: string) => answering('GET /readings', 'application/json-seq', body);
const events = (body: string, isCut?: boolean) =>
  answering('GET /changes', 'text/event-stream', body, isCut);

const parts = (body: string) =>
  answering('PUT /parts', 'multipart/mixed; boundary=b', `--b\r\n\r\n${body}`);

const fault = (
  name: string,
  operation: string,
  rule: TestRule,
  seen: string,
  act: StreamFault['act'],
): StreamFault => ({ name, operation, rule, seen, act });

export const streamFaults: readonly StreamFault[] = [
  fault(
    'an item does not fit',
    'listReadings',
    'body-invalid',
    "the body's /1/value",
    lines(`${reading}{"id":2,"sensor":"b","value":99}\n`),
  ),
  fault(
    'a line is cut, and the stream ends',
    'listReadings',
    'body-malformed',
    'at /1',
    lines(`${reading}{"sensor":`),
  ),
  fault(
    'the connection breaks',
    'listReadings',
    'stream-broken',
    'a broken connection behind 1 items',
    lines(`${reading}{"sensor":`, true),
  ),
  fault(
    'another media type',
    'listReadings',
    'undeclared-content-type',
    'application/json',
    answering('GET /readings', 'application/json', `[${reading}]`),
  ),
  fault('a text without its separator', 'listReadings', 'body-malformed', 'U+001E', texts(reading)),
  fault(
    'a text of a sequence does not fit',
    'listReadings',
    'body-invalid',
    "the body's /0",
    texts(`\u001e"a"\n`),
  ),
  fault(
    'data of an event does not fit',
    'watchChanges',
    'body-invalid',
    "the body's /1/data/sensor",
    events(`${event}event: added\ndata: {"sensor":"","value":1}\n\n`),
  ),
  fault(
    'data of an event is no JSON',
    'watchChanges',
    'body-malformed',
    'at /0/data',
    events('event: added\ndata: {"sensor\n\n'),
  ),
  fault(
    'no blank line behind the last event',
    'watchChanges',
    'stream-broken',
    'a part of an event behind 1 items',
    events(`${event}event: removed\ndata: {`),
  ),
  fault(
    'an event stream breaks',
    'watchChanges',
    'stream-broken',
    'a broken connection behind 2 items',
    events(event + event, true),
  ),
  fault(
    'an event `error`',
    'watchChanges',
    'stream-broken',
    'an event `error` behind 2 items',
    events(`${event}event: error\ndata: ${reading}\n`),
  ),
  fault(
    'a part does not fit',
    'sendParts',
    'body-invalid',
    "the body's /0/sensor",
    parts('{"sensor":"","value":1}\r\n--b--\r\n'),
  ),
  fault('a part is cut', 'sendParts', 'body-malformed', 'at /0', parts('{"sensor":')),
  fault(
    'a reader may not come back',
    'watchChanges',
    'valid-refused',
    'Last-Event-ID',
    (request) =>
      request.headers['last-event-id'] === undefined
        ? events(event)(request)
        : (response) => response.writeHead(404).end(),
  ),
  fault(
    'a wrong item is taken',
    'addReadings',
    'invalid-accepted',
    'body/*/sensor missing',
    answering('POST /readings', 'application/json', '1'),
  ),
];
