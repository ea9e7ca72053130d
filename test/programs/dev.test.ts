/** `npm run dev`: what is saved is served by the same process, and what is wrong is said with its place. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '../../scripts/machine/until';
import { type Ask, askAt } from '../support/ask';
import { copyProject, removeCopy } from '../support/check-types';
import { expectOk } from '../support/expect-ok';
import { useNewDatabases } from '../support/new-database';
import { type StartedProcess, startNode } from '../support/process';

const newDatabase = useNewDatabases();

let project = '';
let dev: StartedProcess;
let ask: Ask;

beforeAll(async () => {
  project = copyProject(['src', 'handlers', 'specs', 'scripts']);
  const tsx = join(project, 'node_modules/tsx/dist/cli.mjs');
  dev = startNode([tsx, 'scripts/dev/run.ts'], {
    cwd: project,
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      PASSWORD_COST: '10',
      DATABASE_URL: await newDatabase(),
    },
  });
  await started();
});

afterAll(async () => {
  await dev.end('SIGTERM');
  removeCopy(project);
});

/** Waits until the program has said where it serves, in its output from a place on. */
const started = async (from = 0): Promise<void> => {
  // The whole program is read from its source.
  const look = () => /^petstore: (http:\/\/\S+)\/petstore /m.exec(dev.out().slice(from))?.[1];
  const origin = await until('the address', look, { timeoutMilliseconds: 80_000 });
  ask = askAt(origin);
};

/** Replaces texts of a file, as editors do that write another file and give it the name. */
const saveAll = (name: string, edits: readonly (readonly [from: string, to: string])[]): void => {
  const file = join(project, name);
  let text = readFileSync(file, 'utf8');
  for (const [from, to] of edits) {
    expect(text).toContain(from);
    text = text.replace(from, to);
  }
  writeFileSync(`${file}~`, text);
  renameSync(`${file}~`, file);
};

const save = (name: string, from: string, to: string): void => saveAll(name, [[from, to]]);

/** Returns the output of an action, up to a text. */
const printedBy = async (act: () => void, awaited: RegExp): Promise<string> => {
  const from = dev.out().length;
  act();
  const look = (): string | undefined => {
    const printed = dev.out().slice(from);
    return awaited.test(printed) ? printed : undefined;
  };
  // The first time, the compiler looks at everything.
  return until(String(awaited), look, { timeoutMilliseconds: 80_000 });
};

const servedAgain = /^Read and served in \d+ ms: version [\da-f]{12}\n/m;

const pids = (text: string): unknown[] => [
  ...new Set([...text.matchAll(/^\{.*"pid":(\d+)/gm)].map(([, pid]) => pid)),
];

const getPet = (id: number) => ask(`GET /petstore/pet/${id}`, { key: 'special-key' });
const messageOf = async (id: number): Promise<string> =>
  JSON.parse((await getPet(id)).text).message;

const petstore = 'specs/petstore.yaml';

test('a contract that is saved is served by the same process, with its logins', async () => {
  const token = String(
    expectOk(await ask('GET /petstore/user/login?username=demo&password=demo-password')),
  );
  const edits = [
    ['description: Pet not found', 'description: No such pet'],
    ['operationId: getInventory', 'operationId: countStock'],
    ['version: 1.0.11', 'version: 1.0.12'],
  ] as const;
  const printed = await printedBy(() => saveAll(petstore, edits), /error TS/);
  expect(printed.match(new RegExp(servedAgain, 'gm'))?.length).toBe(1);
  expect(printed).toMatch(
    /^ {2}warning: specs\/petstore\.yaml:\d+:\d+ operationId changed; .*\(countStock\)$/m,
  );
  expect(printed).toMatch(
    /^handlers\/petstore\/store\.ts:9:9: getInventory: no operation of specs\/petstore\.yaml has this id$/m,
  );
  expect(printed).toContain('handlers/petstore/types.ts written\n');
  expect(printed).toMatch(
    /^ {2}handlers\/petstore\/store\.ts:\d+:\d+ error TS\d+: .*getInventory/m,
  );
  expect(await messageOf(77)).toBe('No such pet');
  expectOk(await ask('PUT /petstore/user/demo', { token, body: { phone: '1' } }));
  expect(
    (await ask('GET /petstore/store/inventory', { key: 'special-key' })).headers['x-mock'],
  ).toBe('true');

  await printedBy(
    () => save(petstore, 'operationId: countStock', 'operationId: getInventory'),
    /^The handlers fit their documents again$/m,
  );
  expect(pids(dev.out())).toHaveLength(1);
});

test.each([
  [
    'a fault of YAML',
    'operationId: addPet',
    'operationId: addPet: twice',
    /^specs\/petstore\.yaml:(\d+):\d+ error: .*\n.*\n> \1 \| +operationId: addPet: twice\n +\| +\^\n/m,
  ],
  [
    'a reference that leads nowhere',
    "$ref: '#/components/responses/OrderNotFound'",
    "$ref: '#/components/responses/Nobody'",
    /^specs\/petstore\.yaml:(\d+):\d+ warning: .*\n.*\n> \1 \| +'404': .*Nobody' \}\n +\| +\^\n.* error: /m,
  ],
])('%s is shown, and the last good version is served', async (_, from, to, frame) => {
  const printed = await printedBy(() => save(petstore, from, to), /last good version is served\n/);
  expect(printed).toMatch(frame);
  expectOk(await getPet(1));

  // Another document is not held up, and what has been said is not said again.
  const other = await printedBy(
    () => save('specs/ads.yaml', 'version: 1.0.11', 'version: 1.0.12'),
    servedAgain,
  );
  expect(other).not.toContain('petstore.yaml');
  await printedBy(() => save('specs/ads.yaml', 'version: 1.0.12', 'version: 1.0.11'), servedAgain);

  const mended = await printedBy(() => save(petstore, to, from), servedAgain);
  expect(mended).toContain('specs/petstore.yaml is mended, and served\n');
});

test('an overlay that is saved beside a contract is served, and written into its types', async () => {
  const overlay = join(project, 'specs/petstore.overlay.yaml');
  const text = `overlay: 1.1.0
info: {title: O, version: '1'}
actions:
  - target: $.paths['/store/inventory'].get.operationId
    update: countAll
  - {target: $.nothing, remove: true}
`;
  await printedBy(
    () => writeFileSync(overlay, text),
    /(?=.*^ {2}warning: specs\/petstore\.overlay\.yaml:5:5 operationId changed;[^\n]*\(countAll\)$)(?=.*overlay\.yaml:6:14 warning: The target matches nothing)(?=.*^ {2}handlers\/petstore\/store\.ts:\d+:\d+ error TS)/ms,
  );
  const served = JSON.parse((await ask('GET /petstore/openapi.json')).text);
  expect(served.paths['/store/inventory'].get.operationId).toBe('countAll');
  const original = JSON.parse((await ask('GET /petstore/openapi.json?original')).text);
  expect(original.paths['/store/inventory'].get.operationId).toBe('getInventory');
  await printedBy(() => rmSync(overlay), /^The handlers fit their documents again$/m);
});

test('what is no file harms no document', async () => {
  const odd = (name: string): string => join(project, 'specs', name);
  const names = ['folder', 'dangling', 'linked', 'fifo'];
  const lines = [
    ...names.map((name) => `specs/${name}.yaml is not served`),
    'petstore: changed, texts only',
  ];
  const makeThem = (): void => {
    mkdirSync(odd('folder.yaml'));
    symlinkSync('nowhere', odd('dangling.yaml'));
    symlinkSync('.', odd('linked.yaml'));
    execFileSync('mkfifo', [odd('fifo.yaml')]);
    save(petstore, 'summary: Find a pet by its id', 'summary: Find one pet');
  };
  // They may be read together, or one after the other.
  await printedBy(makeThem, new RegExp(lines.map((line) => `(?=[^]*^${line}$)`).join(''), 'm'));
  for (const name of names) rmSync(odd(`${name}.yaml`), { recursive: true });
  await printedBy(
    () => save(petstore, 'summary: Find one pet', 'summary: Find a pet by its id'),
    servedAgain,
  );
});

test('a handler that is saved is taken up, and one that cannot be loaded leaves that of before', async () => {
  const handlers = 'handlers/petstore/store.ts';
  const [good, other] = ['if (!order) throw fail(404);', 'if (order) throw fail(404);'];
  const getOrder = async () => (await ask('GET /petstore/store/order/1')).status;
  // What is printed may be about files that were removed before.
  const answers = (status: number) =>
    until(`status ${status}`, async () => (await getOrder()) === status);
  save(handlers, good, other);
  await answers(404);

  const fault =
    /^handlers\/petstore\/store\.ts:(\d+):\d+ error: .*\n.*\n> \1 \| .*\n +\| +\^\nIts last good version stays in service/m;
  await printedBy(() => save(handlers, other, 'if (;'), fault);
  expect(await getOrder()).toBe(404);
  await printedBy(() => save(petstore, 'version: 1.0.12', 'version: 1.0.13'), servedAgain);
  const { text } = await ask('GET /petstore/openapi.json');
  expect(JSON.parse(text).info.version).toBe('1.0.13');
  save(handlers, 'if (;', good);
  await answers(200);
  expect(pids(dev.out())).toHaveLength(1);
});

test('where the program itself is changed, it starts again', async () => {
  const from = dev.out().length;
  save('src/server/announcement.ts', 'operations)`', 'operations in all)`');
  await until('another start', () => dev.out().slice(from).includes('operations in all)'));
  await started(from);
  expectOk(await getPet(1));
});
