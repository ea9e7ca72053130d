/** What a request costs as the number of operations grows, and how long a large document takes to load. */

import { once } from 'node:events';
import { Agent, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { stringify } from 'yaml';
import { openApiService, parseApiDocument, schemaContext } from '../../../src/engine';
import { httpServer } from '../../../src/server/http/http-server';
import { median } from '../report/figures';
import { manyOperations } from './many-operations';

const sizes = [20, 1000] as const;
const rounds = 9;
const requestsPerRound = 2000;

const item = { id: 1n, name: 'a', state: 'new', parts: ['b'] };
const body = '{"id":1,"name":"a","state":"new","parts":["b"]}';

interface Contestant {
  readonly size: number;
  readonly server: Server;
  readonly port: number;
  /** Milliseconds from the text to a server that listens. */
  readonly start: number;
}

const start = async (size: number): Promise<Contestant> => {
  const text = stringify(manyOperations(size));
  const begin = performance.now();
  const document = parseApiDocument('many.yaml', text);
  const handler = () => ({ status: 200, body: item });
  const router = openApiService(document, {
    handlers: new Map(document.operations.map(({ operationId }) => [operationId, handler])),
    verifiers: {},
    tools: schemaContext(document),
    maxBodyBytes: 100_000,
    maxUploadBytes: 100_000,
    validateResponses: false,
    log: { error: (fields, message) => process.stderr.write(`${message} ${String(fields)}\n`) },
  });
  const server = httpServer(router).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { size, server, port, start: performance.now() - begin };
};

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Sends one request and checks its answer. */
const ask = (port: number, method: string, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const headers = method === 'PUT' ? { 'content-type': 'application/json' } : {};
    const sent = request({ agent, port, host: '127.0.0.1', method, path, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk: string) => {
        text += chunk;
      });
      answer.on('end', () =>
        text === body ? resolve() : reject(new Error(`${method} ${path}: ${text}`)),
      );
    });
    sent.on('error', reject);
    sent.end(method === 'PUT' ? body : undefined);
  });

/** The same number of paths whatever the size, spread over the document: the traffic is alike, the document is not. */
const paths = 10;

/** Microseconds a request, reading and replacing in turn. */
const round = async ({ port, size }: Contestant): Promise<number> => {
  const begin = performance.now();
  for (let count = 0; count < requestsPerRound; count += 1) {
    const index = ((count >> 1) % paths) * (size / 2 / paths);
    const path = `/items${index}/1`;
    await ask(port, count % 2 === 0 ? 'GET' : 'PUT', path);
  }
  return ((performance.now() - begin) * 1000) / requestsPerRound;
};

/** Measures and prints a table. */
export const manyOperationsCost = async (): Promise<void> => {
  const contestants: Contestant[] = [];
  for (const size of sizes) contestants.push(await start(size));
  // The first round compiles what is compiled at first use.
  for (const contestant of contestants) await round(contestant);
  const times = new Map<number, number[]>(sizes.map((size) => [size, []]));
  for (let count = 0; count < rounds; count += 1) {
    for (const contestant of contestants) {
      times.get(contestant.size)?.push(await round(contestant));
    }
  }
  process.stdout.write('operations  start ms  median us/request  ratio\n');
  const [first] = sizes.map((size) => median(times.get(size) ?? []));
  for (const { size, start: begin, server } of contestants) {
    const own = median(times.get(size) ?? []);
    const ratio = (own / (first ?? own)).toFixed(2);
    process.stdout.write(
      `${String(size).padStart(10)}  ${begin.toFixed(0).padStart(8)}  ${own.toFixed(0).padStart(17)}  ${ratio.padStart(5)}\n`,
    );
    server.close();
  }
  agent.destroy();
};
