/** Edits are tried with `npm start`, which never ends because of one, and `npm run dev`: both say the same, and serve the same. */

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { until } from '../../scripts/machine/until';
import { type Ask, type Asked, askAt } from '../support/ask';
import { removeCopy } from '../support/check-types';
import { editDocument, renameSchema, stepsOf } from '../support/edit-document';
import { useNewDatabases } from '../support/new-database';
import { startNode } from '../support/process';
import { builtProject, prepareStart } from '../support/program';

/** A request, and the status and perhaps a part of the body that it is answered with. */
type Question = readonly [target: string, status: number, part?: string, asked?: Asked];

/** An edit of documents or files; the file of the cases says what each property means. */
interface EditCase {
  readonly title: string;
  readonly spec?: 'petstore' | 'ads';
  readonly edits?: readonly { readonly at: string; readonly to?: unknown }[];
  readonly renames?: readonly [from: string, to: string];
  readonly files?: Readonly<Record<string, string | null>>;
  readonly prepends?: Readonly<Record<string, string>>;
  readonly says?: readonly string[];
  readonly startSays?: readonly string[];
  readonly devSays?: readonly string[];
  readonly asks?: readonly Question[];
  readonly asksAfterStart?: readonly Question[];
  readonly asksInDev?: readonly Question[];
}

const rounds: readonly { readonly round: string; readonly cases: readonly EditCase[] }[] = parse(
  readFileSync(join(__dirname, 'edits.cases.yaml'), 'utf8'),
);

const newDatabase = useNewDatabases();

let project = '';
let dev: Command | undefined;
/** Files that an edit has changed, as they were; undefined: not there. */
const originals = new Map<string, string | undefined>();

/** A command that serves. */
interface Command {
  readonly output: () => string;
  readonly ask: Ask;
  stop(): Promise<unknown>;
}

const readFile = (file: string): string | undefined =>
  existsSync(join(project, file)) ? readFileSync(join(project, file), 'utf8') : undefined;

const writeFile = (file: string, text: string | undefined): void => {
  if (text === undefined) rmSync(join(project, file), { force: true });
  else if (readFile(file) !== text) writeFileSync(join(project, file), text);
};

const environmentOf = async (): Promise<NodeJS.ProcessEnv> => ({
  PATH: process.env['PATH'],
  PORT: '0',
  PASSWORD_COST: '10',
  LOG_LEVEL: 'silent',
  DATABASE_URL: await newDatabase(),
});

/** Starts a program in the copy, and waits until it says where it serves and has said all that it says then. */
const serve = async (args: readonly string[]): Promise<Command> => {
  const env = await environmentOf();
  const { output, printed, end } = startNode(args, { cwd: project, env });
  // A service whose handlers fail has no demo login yet.
  await printed(/^Demo login|answer 501$/m, 80_000);
  const origin = await printed(/^petstore: (http:\/\/[^/]+)\/petstore /m);
  return { output, ask: askAt(origin), stop: () => end('SIGTERM') };
};

const tsx = (...args: readonly string[]): readonly string[] => [
  join(project, 'node_modules/tsx/dist/cli.mjs'),
  ...args,
];

const prepare = (environment?: NodeJS.ProcessEnv) => prepareStart(project, environment);

const start = async (): Promise<Command> => {
  expect(prepare()).toEqual({ status: 0, said: '' });
  return serve(['dist/src/main.js']);
};

beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'edited-'));
  cpSync(await builtProject(), project, { recursive: true, verbatimSymlinks: true });
  dev = await serve(tsx('scripts/dev/serve.ts'));
}, 180_000);

afterAll(async () => {
  await dev?.stop();
  removeCopy(project);
});

/** The texts of files; undefined: not there. */
type Texts = Map<string, string | undefined>;

/** What one edit makes of its files. */
const changeFiles = (
  { spec = 'petstore', edits = [], renames, files = {}, prepends = {} }: EditCase,
  texts: Texts,
): void => {
  const change = (file: string, to: (text: string) => string | undefined): void => {
    if (!originals.has(file)) originals.set(file, readFile(file));
    texts.set(file, to((texts.has(file) ? texts.get(file) : readFile(file)) ?? ''));
  };
  const document = `specs/${spec}.yaml`;
  if (edits.length > 0) {
    const places = edits.map(({ at, to }) => ({ at: stepsOf(at), to }));
    change(document, (text) => editDocument(text, places));
  }
  if (renames) change(document, (text) => renameSchema(text, ...renames));
  for (const [file, text] of Object.entries(files)) change(file, () => text ?? undefined);
  for (const [file, text] of Object.entries(prepends)) change(file, (old) => text + old);
};

/** Applies edits to the files as they were at the beginning, and puts back all others. */
const apply = (cases: readonly EditCase[]): void => {
  const wanted: Texts = new Map(originals);
  for (const one of cases) changeFiles(one, wanted);
  for (const [file, text] of wanted) writeFile(file, text);
};

const pattern = (said: string): RegExp =>
  new RegExp(
    `^ *${said
      .trim()
      .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll(':N', ':\\d+(?::\\d+)?')}`,
    'm',
  );

/** Lines that tell of what does not fit. */
const telling =
  /has no handler|not fit|error TS|no operation of|left out|answer 501|no document|no handlers/;

/** A line for each answer that is not the one that it should be. */
const wrongAnswers = async (
  ask: Ask,
  title: string,
  questions: EditCase['asks'] = [],
): Promise<readonly string[]> => {
  const wrong: string[] = [];
  for (const [target, status, part = '', asked] of questions) {
    const answer = await ask(target, asked);
    if (answer.status !== status || !answer.text.includes(part)) {
      wrong.push(`${title}: ${target} is answered ${answer.status} ${answer.text.slice(0, 200)}`);
    }
  }
  return wrong;
};

const titleOf = (cases: readonly EditCase[], command: string): string =>
  `${cases.map(({ title }) => title).join('; ')}: ${command}`;

const tryStart = async (cases: readonly EditCase[]): Promise<void> => {
  const { ask, output, stop } = await start();
  const wrong: string[] = [];
  for (const { title, asks = [], asksAfterStart = [] } of cases) {
    wrong.push(...(await wrongAnswers(ask, title, [...asks, ...asksAfterStart])));
  }
  await stop();
  const wanted = cases.flatMap((one) => one.startSays ?? one.says ?? []).map(pattern);
  const told = output()
    .split('\n')
    .filter((line) => telling.test(line) && !/^specs\/.*(warning|error): /.test(line));
  expect({
    wrong,
    unsaid: wanted.filter((one) => !one.test(output())).map(String),
    unexpected: told.filter((line) => !wanted.some((one) => one.test(line))),
  }).toEqual({ wrong: [], unsaid: [], unexpected: [] });
};

const tryDev = async (cases: readonly EditCase[]): Promise<void> => {
  if (dev === undefined) throw new Error('It has not started');
  const { ask, output } = dev;
  const from = output().length;
  apply(cases);
  const wanted = ['Read and served', ...cases.flatMap((one) => one.devSays ?? one.says ?? [])];
  for (const said of wanted) {
    // The first time, the compiler looks at everything.
    await until(said, () => pattern(said).test(output().slice(from)), {
      timeoutMilliseconds: 80_000,
    });
  }
  const wrong: string[] = [];
  for (const { title, asks = [], asksInDev = [] } of cases) {
    wrong.push(...(await wrongAnswers(ask, title, [...asks, ...asksInDev])));
  }
  expect(wrong).toEqual([]);
};

describe.each(rounds)('$round', ({ cases }) => {
  test(titleOf(cases, 'npm run dev'), () => tryDev(cases));
  test(titleOf(cases, 'npm start'), () => tryStart(cases));
});

test('in production a project that does not compile ends the start, and nothing is touched', () => {
  apply([]);
  const production = { NODE_ENV: 'production', DATABASE_URL: 'sqlite:./untouched.sqlite' };
  expect(prepare(production)).toEqual({ status: 0, said: '' });
  const built = readFile('dist/build.json');
  const renamed = ['getInventory()', 'getInventories()'] as const;
  const handlers = 'handlers/petstore/store.ts';
  writeFile(handlers, readFile(handlers)?.replace(...renamed));
  const refused = prepare(production);
  expect(refused.status).toBe(1);
  expect(refused.said).toMatch(
    /^handlers\/petstore\/store\.ts:9 does not fit getInventory \(specs\/petstore\.yaml:304\)\. .*\n {2}handlers\/petstore\/store\.ts:9:9 error TS2561: .*\n.*dist stays as it is\.\n$/,
  );
  expect(readFile('dist/build.json')).toBe(built);

  // A build that was made outside of production is refused, too.
  expect(prepare().status).toBe(0);
  const { status, stderr } = spawnSync(process.execPath, ['dist/src/main.js'], {
    ...{ cwd: project, env: production, encoding: 'utf8' },
  });
  expect([status, stderr]).toEqual([1, expect.stringContaining('error TS2561: ')]);
  expect(readFile('untouched.sqlite')).toBe(undefined);
});
