/** The status that is logged and counted for a response, sent or not. */

import { once } from 'node:events';
import { IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { beforeAll, expect, test } from '@jest/globals';
import pino from 'pino';
import { until } from '../../../../scripts/machine/until';
import { parseApiDocument } from '../../../../src/engine/document/api-document';
import { schemaContext } from '../../../../src/engine/media-types/schema-context';
import { openApiService } from '../../../../src/engine/operation/service';
import { nodeListener } from '../../../../src/http/exchange';
import type { Operation } from '../../../../src/model/operation';
import { clientBehind } from '../../../../src/server/http/client-of';
import { httpServer } from '../../../../src/server/http/http-server';
import { accessLog } from '../../../../src/server/observability/access-log';
import { listen } from '../../../support/listen';
import { listOf, type Watched, watchedPages } from '../../../support/pages';
import { openSocket } from '../../../support/raw-socket';

const document = parseApiDocument(
  'texts.yaml',
  `
openapi: 3.0.3
info: { title: Texts, version: '1' }
paths:
  /texts:
    get:
      operationId: listTexts
      responses:
        '200':
          description: Texts
          content: { application/json: { schema: { type: array, items: { type: string } } } }
`,
);

interface Line {
  readonly operation: string;
  readonly status: number;
  readonly mock?: boolean;
}

const lines: Line[] = [];
const isMocked = ({ operationId }: Operation): boolean => operationId === 'listTexts';
const counted: unknown[] = [];
let inFlight = 0;
let origin = '';
let observed: (serve: RequestListener) => RequestListener;
let source: Watched<unknown>;

beforeAll(async () => {
  const router = openApiService(document, {
    handlers: new Map([['listTexts', () => ({ status: 200, body: source })]]),
    securityHandlers: {},
    tools: schemaContext(document),
    maxBodyBytes: 1000,
    maxUploadBytes: 1000,
    validateResponses: false,
    log: { error: () => undefined },
  });
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const metrics = {
    requests: (labels: object) => () => void counted.push(labels),
    countInFlight: (change: number) => {
      inFlight += change;
    },
  };
  observed = accessLog(log, metrics, {
    isMocked,
    clientOf: clientBehind(0),
    serviceOf: () => 'texts',
  });
  origin = await listen(httpServer(observed(nodeListener(router))));
});

const page = ['x'.repeat(100_000)];

const fail = () => Promise.reject(new Error('no'));

test.each<[string, number, () => Watched<unknown>, boolean, string | undefined]>([
  ['is sent', 200, () => listOf(page, page), false, undefined],
  ['fails before anything is sent', 500, () => watchedPages(fail), false, 'internal'],
  [
    'fails while it is sent',
    500,
    () => watchedPages((index) => (index < 2 ? page : fail())),
    false,
    undefined,
  ],
  ['is left by its caller', 499, () => watchedPages(() => page), true, undefined],
])('a list that %s: %i', async (_title, status, sourceOf, leaves, rule) => {
  source = sourceOf();
  const before = lines.length;
  const socket = openSocket(origin);
  socket.write('GET /texts HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  socket.on('data', () => {
    if (leaves) socket.destroy();
  });
  await once(socket, 'close');
  const line = await until('the line of the log', () => lines[before]);
  expect(line).toMatchObject({ service: 'texts', operation: 'listTexts', status, mock: true });
  const labels = { service: 'texts', operation: 'listTexts', method: 'GET' };
  const expected = { ...labels, status: String(status), ...(rule && { rule }) };
  expect(counted[before]).toStrictEqual(expected);
  expect(inFlight).toBe(0);
});

test.each([
  ['request', true, false],
  ['response', false, true],
])(
  'a caller whose %s has gone before the turn came is told of, and not served',
  (_, asks, answers) => {
    const before = lines.length;
    const request = Object.assign(new IncomingMessage(new Socket()), {
      ...{ method: 'GET', url: '/texts?key=secret' },
    });
    const response = new ServerResponse(request);
    if (asks) request.destroy();
    if (answers) response.destroy();
    let served = 0;
    observed(() => {
      served += 1;
    })(request, response);
    expect(served).toBe(0);
    expect(lines.slice(before)).toMatchObject([{ method: 'GET', path: '/texts', status: 499 }]);
    const none = { service: 'none', operation: 'none' };
    expect(counted[before]).toStrictEqual({ ...none, method: 'GET', status: '499' });
    expect(inFlight).toBe(0);
  },
);
