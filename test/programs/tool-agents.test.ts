/** `spec-first mcp` as a process: tools of another server, held to its document, and of mocks that remember; on stdio and HTTP. */

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '../../scripts/machine/until';
import { headersOf, meta } from '../support/agent';
import { listen } from '../support/listen';
import { type StartedProcess, startNode } from '../support/process';
import { builtProgram } from '../support/program';
import { useTemporaryFolder } from '../support/temporary-folder';
import { runTool } from '../unit/tool/run-command';

let build = '';
beforeAll(async () => {
  build = await builtProgram();
}, 180_000);

const folder = useTemporaryFolder();

const document = readFileSync(join(__dirname, 'tool-agents.yaml'), 'utf8');

const start = (args: readonly string[], text = document): StartedProcess => {
  writeFileSync(folder('api.yaml'), text);
  const tool = join(build, 'src/tool/main.js');
  return startNode([tool, 'mcp', 'api.yaml', ...args], { cwd: folder(), stdio: 'pipe' });
};

type Call = readonly [name: string, given?: object];

const messageOf = ([name, given]: Call, id: number) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: given, _meta: meta },
});

/** Calls tools on stdio, one after the other, and ends the input; resolves to what each says. */
const callOnStdio = async (args: readonly string[], calls: readonly Call[], text = document) => {
  const { child, ended, out, err } = start(args, text);
  for (const [index, call] of calls.entries()) {
    child.stdin?.write(`${JSON.stringify(messageOf(call, index))}\n`);
    await until('the reply', () => (out().split('\n').length > index + 1 ? true : undefined));
  }
  child.stdin?.end();
  expect(await ended).toBe(0);
  const replies = out()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const results = replies.map(({ result, error }) => ({
    text: (error ? [{ text: error.message }] : result.content)
      .map(({ text: one }: { text: string }) => one)
      .join('\n'),
    isError: error !== undefined || result.isError === true,
  }));
  return { results, err: err() };
};

test('tells a person at a terminal what stdio waits for, and how a client starts it', () => {
  writeFileSync(folder('api.yaml'), document);
  const typed = ['--import', 'data:text/javascript,process.stdin.isTTY=true'];
  const said = (options: readonly string[]) =>
    spawnSync(process.execPath, [...options, join(build, 'src/tool/main.js'), 'mcp', 'api.yaml'], {
      ...{ cwd: folder(), encoding: 'utf8', input: '' },
    } as const);
  const { stdout, stderr, status } = said(typed);
  expect({ stdout, status }).toEqual({ stdout: '', status: 0 });
  expect(stderr).toContain('The tools of Things wait for JSON-RPC messages on standard input.');
  expect(stderr).toContain('"command": "npx", "args": ["spec-first","mcp","api.yaml"]');
  expect(said([]).stderr).not.toContain('wait');
});

/** Starts the server that is called; it keeps what came. */
const upstream = async (answer: (request: IncomingMessage, response: ServerResponse) => void) => {
  const seen: { target: string; headers: IncomingMessage['headers'] }[] = [];
  const server = createServer((request, response) => {
    seen.push({ target: `${request.method} ${request.url}`, headers: request.headers });
    request.resume();
    answer(request, response);
  });
  return { url: await listen(server), seen };
};

const json =
  (status: number, body: unknown, headers: object = {}) =>
  (_request: IncomingMessage, response: ServerResponse) => {
    response
      .writeHead(status, { 'Content-Type': 'application/json', ...headers })
      .end(JSON.stringify(body));
  };

describe('with --url', () => {
  test('calls go to the server, below the path of the document', async () => {
    const { url, seen } = await upstream(json(200, { id: 5, name: 'a' }));
    const { results } = await callOnStdio(
      ['--url', url],
      [['getThing', { path: { id: '9223372036854775807' } }]],
    );
    expect({ results, target: seen[0]?.target, agent: seen[0]?.headers['user-agent'] }).toEqual({
      results: [{ text: '{"id":5,"name":"a"}', isError: false }],
      target: 'GET /v1/things/9223372036854775807',
      agent: expect.stringMatching(/^spec-first\//),
    });
  });

  test('credentials go to the operations that need them, and to no other', async () => {
    const { url, seen } = await upstream(json(201, { id: 5, name: 'a' }));
    const calls: Call[] = [
      ['addThing', { body: { name: 'a' } }],
      ['listThings', {}],
    ];
    await callOnStdio(
      ['--url', url, '--credential', 'key=secret', '--credential', 'login=user:password'],
      calls,
    );
    expect(seen.map(({ headers }) => [headers['x-key'], headers.authorization])).toEqual([
      ['secret', undefined],
      [undefined, undefined],
    ]);
  });

  test('requests that break the document are not sent', async () => {
    const { url, seen } = await upstream(json(200, []));
    const cases: readonly (readonly [name: string, given: object, told: string])[] = [
      ['listThings', { query: { limit: 500 } }, '- query.limit must be at most 100'],
      ['addThing', { body: {} }, '- body/name must have the property "name"'],
      ['getThing', {}, '- path.id is required'],
    ];
    const calls = cases.map(([name, given]): Call => [name, given]);
    const { results } = await callOnStdio(['--url', url, '--credential', 'key=k'], calls);
    const told = cases.map(([, , text]) => ({
      text: expect.stringContaining(text),
      isError: true,
    }));
    expect({ results, seen }).toEqual({ results: told, seen: [] });
  });

  test('what breaks it in a response is told beside it', async () => {
    const { url } = await upstream(json(200, { name: 5 }));
    const { results } = await callOnStdio(['--url', url], [['getThing', { path: { id: '1' } }]]);
    expect(results).toEqual([
      {
        text: expect.stringMatching(
          /^\{"name":5\}\nThe response breaks the document: \/name Expected .*string/,
        ),
        isError: false,
      },
    ]);
  });

  test('texts are read in their charset, a stream of any type up to a pause, and no agent is offered what it cannot call', async () => {
    const { url } = await upstream(({ url: target = '' }, response) => {
      const type = target === '/v1/a' ? 'text/plain; charset=iso-8859-1' : 'multipart/mixed';
      response.writeHead(200, { 'Content-Type': type }).write(Buffer.from('caf\xe9', 'latin1'));
      if (target === '/v1/a') response.end();
    });
    const operation = (operationId: string, parameter = '') =>
      `  /${operationId}: { get: { operationId: ${operationId}, parameters: [${parameter}], responses: { 200: { description: Fine, content: { '*/*': {} } } } } }\n`;
    const required = '{ name: theme, in: cookie, required: true, schema: { type: string } }';
    const text = document.replace(/paths:.*/s, '');
    const { results, err } = await callOnStdio(
      ['--url', url, '--timeout', '3'],
      [['a'], ['b'], ['c']],
      `${text}paths:\n${operation('a')}${operation('b')}${operation('c', required)}`,
    );
    expect(results.map((result) => result.text)).toEqual([
      'café',
      'caf\nCharacters 1 to 3 of more than are read here',
      expect.stringContaining('Unknown tool: c'),
    ]);
    expect(err).toContain('c is no tool: it requires the cookie theme, which no agent gives');
  });

  test('a redirection is told, and not followed', async () => {
    const { url, seen } = await upstream(
      json(302, {}, { Location: 'http://169.254.169.254/latest' }),
    );
    const { results } = await callOnStdio(['--url', url], [['getThing', { path: { id: '1' } }]]);
    expect([results[0]?.text.includes('http://169.254.169.254/latest'), seen.length]).toEqual([
      true,
      1,
    ]);
  });

  test('a server that is not there is told', async () => {
    const { results } = await callOnStdio(['--url', 'http://127.0.0.1:1'], [['listThings', {}]]);
    expect(results).toEqual([
      { text: expect.stringContaining('The call failed: '), isError: true },
    ]);
  });

  test('an answer of 10 MB is cut, and said to be', async () => {
    const { url } = await upstream(
      json(
        200,
        Array.from({ length: 100_000 }, (_, id) => ({ id, name: 'x'.repeat(80) })),
      ),
    );
    const { results } = await callOnStdio(['--url', url], [['listThings', {}]]);
    expect(results[0]?.text).toMatch(
      /Items 1 to \d+ of (?:100000|more than are read here); narrow with: query\.limit/,
    );
  });
});

describe('without --url', () => {
  test('mocks remember', async () => {
    const { results } = await callOnStdio(
      [],
      [
        ['addThing', { body: { name: 'mine' } }],
        ['listThings', {}],
      ],
    );
    expect(results.map(({ text }) => text.includes('"mine"'))).toEqual([true, true]);
  });

  test('the operations that are meant are tools', async () => {
    const { child, ended, out } = start([
      '--only',
      'getThing',
      '--only',
      'addThing',
      '--read-only',
    ]);
    child.stdin?.end(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })}\n`);
    expect(await ended).toBe(0);
    expect(JSON.parse(out()).result.tools.map(({ name }: { name: string }) => name)).toEqual([
      'getThing',
    ]);
  });
});

describe('on HTTP', () => {
  const startOnHttp = async (...args: readonly string[]) => {
    const { child, ended, err } = start(['--http', '0', ...args]);
    const url = await until('it listens', () => /http:\S+\/mcp/.exec(err())?.[0]);
    const message = messageOf(['listThings', {}], 1);
    const send = (headers: Readonly<Record<string, string>> = {}, to = url) =>
      fetch(to, {
        method: 'POST',
        headers: { ...headersOf(message), ...headers },
        body: JSON.stringify(message),
      });
    return { child, ended, send, url };
  };

  test('answers at /mcp, to this machine alone, until it is told to stop', async () => {
    const { child, ended, send, url } = await startOnHttp();
    const statuses = await Promise.all([
      send(),
      send({ origin: 'https://evil.example.com' }),
      send({}, url.replace('/mcp', '/other')),
      fetch(url),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([200, 403, 404, 405]);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  test('no credential of the client is passed on', async () => {
    const { url, seen } = await upstream(json(200, []));
    const { send } = await startOnHttp('--url', url);
    await send({
      authorization: 'Bearer of-the-client',
      'x-key': 'of-the-client',
      cookie: 'a=of-the-client',
    });
    expect(JSON.stringify(seen)).not.toContain('of-the-client');
  });
});

test('a document with faults is served as far as it can be', async () => {
  const { child, ended, err, out } = start([], document.replace('maximum: 100', 'maximum: many'));
  child.stdin?.end();
  expect([await ended, out(), err()]).toEqual([0, '', expect.stringContaining('error:')]);
});

test.each<[name: string, args: readonly string[], text: string, said: string]>([
  ['a file that is no document', [], 'hello: world', 'openapi: 3.0.3'],
  ['a URL that is none', ['--url', 'nowhere'], document, 'URL'],
  ['a credential of an unknown scheme', ['--credential', 'kye=a'], document, 'Did you mean key?'],
  ['an unknown tag', ['--tag', 'writing'], document, 'There are reading.'],
  ['an unknown operation', ['--only', 'getThings'], document, 'Did you mean getThing?'],
])('%s ends it with exit code 2', async (_name, args, text, said) => {
  writeFileSync(folder('api.yaml'), text);
  const { exitCode, out, err } = await runTool(['mcp', folder('api.yaml'), ...args]);
  expect([exitCode, out, err]).toEqual([2, '', expect.stringContaining(said)]);
});
