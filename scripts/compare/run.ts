/**
 * `npm run compare -- TARBALL`: installs the package and its peers into empty folders, and measures the installation, the start and
 * the speed of a small service of each; prints a table in Markdown.
 */

import { execFileSync, spawn } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { drive, faultsOf } from '../bench/load/drive';
import { ask, type Request, requestBytes, type Target } from '../bench/load/request';
import { median } from '../bench/tables';
import { nodeCommand, takeCores } from '../machine/cores';
import { freePort } from '../machine/free-port';
import { residentBytes } from '../machine/process-usage';
import { runMain, temporaryFolder } from '../machine/run-main';
import { until } from '../machine/until';

/** A package, or a few that are used together. */
interface Contestant {
  readonly name: string;
  /** As `npm install` takes them. */
  readonly packages: readonly string[];
  /** The arguments of Node.js that serve the document with handlers. */
  readonly program?: readonly string[];
  /** The arguments that serve mocks of the document at a port. */
  readonly mock?: (port: number) => readonly string[];
}

const contestants = (tarball: string): readonly Contestant[] => [
  {
    name: 'spec-first',
    packages: [tarball],
    program: ['spec-first.cjs'],
    mock: (port) => ['node_modules/.bin/spec-first', 'serve', 'books.yaml', `--port=${port}`],
  },
  ...Object.entries({
    'openapi-backend': ['openapi-backend@5.20.1'],
    'express-openapi-validator': ['express@5.3.0', 'express-openapi-validator@5.6.2'],
    'fastify-openapi-glue': ['fastify@5.12.8', 'fastify-openapi-glue@4.11.4'],
    'hono-zod-openapi': [
      ...['hono@4.13.19', '@hono/zod-openapi@1.6.3', '@hono/node-server@2.1.9', 'zod@4.6.7'],
    ],
  }).map(([name, packages]) => ({ name, packages, program: [`${name}.cjs`] })),
  {
    name: 'Prism',
    // The newest that runs on Node.js 20.
    packages: ['@stoplight/prism-cli@5.14.2'],
    mock: (port) => ['node_modules/.bin/prism', 'mock', `--port=${port}`, 'books.yaml'],
  },
];

const getBook: Request = {
  method: 'GET',
  path: '/books/7',
  headers: { Accept: 'application/json' },
};
const addBook: Request = {
  method: 'POST',
  path: '/books',
  headers: { 'Content-Type': 'application/json' },
  body: '{"id":7,"title":"Emma","tags":["novel"]}',
};

/** Tells whether an int64 beyond 2^53 comes back digit by digit. */
const keepsDigits = async (target: Target): Promise<boolean> => {
  const id = '9007199254740993';
  const { text } = await ask({ ...addBook, body: `{"id":${id},"title":"Emma"}` }, target);
  return text.includes(id);
};

/** Tells whether the service answers in XML, which the document declares, where that is asked for. */
const writesXml = async (target: Target): Promise<boolean> => {
  const { text } = await ask({ ...getBook, headers: { Accept: 'application/xml' } }, target);
  return text.trimStart().startsWith('<') && text.includes('Emma');
};

/** Installs packages; returns the seconds that this took. */
const install = (folder: string, packages: readonly string[]): number => {
  const begin = performance.now();
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages];
  execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  return (performance.now() - begin) / 1000;
};

const installed = (folder: string) => {
  // Those that links lead to are not counted.
  const files = readdirSync(join(folder, 'node_modules'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const lock: unknown = JSON.parse(
    readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8'),
  );
  const { packages } = lock as { readonly packages: object };
  return {
    packages: Object.keys(packages).length,
    megabytes: files.reduce((sum, file) => sum + statSync(file).size, 0) / 1e6,
    native: files.filter((file) => file.endsWith('.node')).length,
  };
};

/** Starts a server, and calls the function with the milliseconds until its first right response. */
const whileServing = async <Result>(
  folder: string,
  argsAt: (port: number) => readonly string[],
  core: number | undefined,
  use: (target: Target, milliseconds: number, pid: number) => Promise<Result>,
): Promise<Result> => {
  const port = await freePort();
  const args = argsAt(port);
  const begin = performance.now();
  const [command, ...rest] = nodeCommand(core, args);
  const env = { PATH: process.env['PATH'], PORT: String(port), NODE_ENV: 'production' };
  const child = spawn(command, rest, { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    const target = { port };
    const isServing = async () => (await ask(getBook, target)).status === 200;
    await until(`${args.join(' ')} gives a 200`, isServing, child, 2);
    return await use(target, performance.now() - begin, child.pid ?? 0);
  } finally {
    child.kill('SIGKILL');
  }
};

const starts = 5;

const startOf = async (
  folder: string,
  argsAt: (port: number) => readonly string[],
  core: number | undefined,
): Promise<number> => {
  const times: number[] = [];
  for (let round = 0; round < starts; round += 1) {
    times.push(await whileServing(folder, argsAt, core, async (_, time) => time));
  }
  return median(times);
};

/** Requests a second of 64 connections; throws if a response has another status. */
const rateOf = async (request: Request, status: number, target: Target): Promise<number> => {
  const requests = [{ bytes: requestBytes(request, target), status }];
  const enough = (seconds: number): boolean => seconds >= 3;
  const driven = await drive({ ...target, requests, connections: 64, settle: 1, enough });
  const faults = faultsOf(driven);
  if (faults !== undefined) throw new Error(`${request.method} ${request.path}: ${faults}`);
  return driven.responses / driven.seconds;
};

const measure = async (
  { name, packages, program, mock }: Contestant,
  core: number | undefined,
): Promise<readonly string[]> => {
  const folder = temporaryFolder('compare-');
  install(folder, packages);
  rmSync(join(folder, 'node_modules'), { recursive: true });
  // The cache of npm has the packages by now.
  const seconds = install(folder, packages);
  const size = installed(folder);
  cpSync(join(__dirname, 'programs'), folder, { recursive: true });
  cpSync(join(__dirname, 'books.yaml'), join(folder, 'books.yaml'));
  const args = program && (() => program);
  const start = args && (await startOf(folder, args, core));
  const firstMock = mock && (await startOf(folder, mock, core));
  const served =
    args &&
    (await whileServing(folder, args, core, async (target, _time, pid) => ({
      read: await rateOf(getBook, 200, target),
      add: await rateOf(addBook, 201, target),
      memory: residentBytes([pid]),
      isExact: await keepsDigits(target),
      hasXml: await writesXml(target),
    })));
  const cell = (value: number | undefined, digits = 0): string => value?.toFixed(digits) ?? '–';
  const yesOrNo = (value: boolean | undefined): string =>
    value ? 'yes' : value === false ? 'no' : '–';
  return [
    ...[name, String(size.packages), cell(size.megabytes, 1), String(size.native)],
    ...[cell(seconds, 1), cell(start), cell(firstMock), cell(served?.read), cell(served?.add)],
    cell(served?.memory === undefined ? undefined : served.memory / 1e6),
    ...[yesOrNo(served?.isExact), yesOrNo(served?.hasXml)],
  ];
};

const columns = [
  ...['package', 'packages', 'MB', 'native modules', 'install s', 'start ms', 'first mock ms'],
  ...['GET a second', 'POST a second', 'MB of memory', 'int64 exact', 'XML'],
];

runMain(async () => {
  const [tarball] = process.argv.slice(2);
  if (tarball === undefined) throw new Error('Name the tarball that `npm run pack` has made.');
  const core = takeCores()?.server;
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
  process.stdout.write(`Node.js ${process.version}, ${cpus()[0]?.model}\n\n`);
  process.stdout.write(line(columns) + line(columns.map(() => '--')));
  for (const contestant of contestants(resolve(tarball))) {
    process.stdout.write(line(await measure(contestant, core)));
  }
  return 0;
});
