/** Several workers on one port are one service: all know the changes of each; the end of one harms no other. */

import { beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '../../scripts/machine/until';
import { issuePetToken } from '../support/access-token';
import { type Answered, type Ask, askAt } from '../support/ask';
import { expectOk } from '../support/expect-ok';
import { answering, askEveryWorker, logLines } from '../support/log-lines';
import { useNewDatabases } from '../support/new-database';
import { type RunningProgram, useProgram } from '../support/program';

const program = useProgram();
const newDatabase = useNewDatabases();

type Environment = Readonly<Record<string, string>>;

const demoLogin = 'GET /petstore/user/login?username=demo&password=demo-password';

const signIn = async (ask: Ask, login = demoLogin): Promise<string> =>
  String(expectOk(await ask(login)));

const getPet = (ask: Ask, id: unknown) => ask(`GET /petstore/pet/${id}`, { key: 'special-key' });

/** The processes that have answered so far. */
const answered = (running: RunningProgram): number[] => answering(logLines(running));

const askBoth = async (running: RunningProgram, ask: () => Promise<Answered>) =>
  (await askEveryWorker(running, ask)).answers;

const statusesOf = (answers: readonly Answered[]): number[] => [
  ...new Set(answers.map(({ status }) => status)),
];

const issueToken = ({ DATABASE_URL = '' }: Environment): Promise<string> =>
  issuePetToken(DATABASE_URL);

/** Two workers on a new database. */
const newEnvironment = async (further: Environment = {}): Promise<Environment> => ({
  DATABASE_URL: await newDatabase(),
  WORKERS: '2',
  LOG_LEVEL: 'info',
  ...further,
});

let environment: Environment = {};
let running: RunningProgram;
let ask: Ask;
beforeAll(async () => {
  environment = await newEnvironment();
  running = await program().start(environment, { outlivesTest: true });
  ask = askAt(running.origin);
  await askBoth(running, () => ask('GET /livez'));
});

describe('all workers know the changes of one', () => {
  test('ids that are assigned at the same time are all different', async () => {
    const before = logLines(running).length;
    const token = await issueToken(environment);
    const names = Array.from({ length: 90 }, (_, index) => `Rex ${index}`);
    const added = await Promise.all(
      names.map((name) => ask('POST /petstore/pet', { token, body: { name, photoUrls: [] } })),
    );
    const pets = added.map(expectOk) as { readonly id: number; readonly name: string }[];
    expect(pets.map(({ name }) => name)).toEqual(names);
    expect(new Set(pets.map(({ id }) => id)).size).toBe(names.length);
    for (const pet of pets) expect(expectOk(await getPet(ask, pet.id))).toEqual(pet);
    const worked = () => answering(logLines(running).slice(before));
    await until('both have worked', () => worked().length === 2);
  });

  test('a token that was ended is refused by each', async () => {
    const token = await signIn(ask);
    const use = () => ask('DELETE /petstore/user/nobody', { token });
    expect(statusesOf(await askBoth(running, use))).toEqual([404]);
    expectOk(await ask('GET /petstore/user/logout', { token }));
    expect(statusesOf(await askBoth(running, use))).toEqual([401]);
  });

  test('a user who was deleted is refused by each', async () => {
    const body = { username: 'claire', password: 'assez long' };
    expectOk(await ask('POST /petstore/user', { token: await signIn(ask), body }));
    const login = 'GET /petstore/user/login?username=claire&password=assez+long';
    const token = await signIn(ask, login);
    const use = () => ask('DELETE /petstore/user/nobody', { token });
    expect(statusesOf(await askBoth(running, use))).toEqual([404]);
    expectOk(await ask('DELETE /petstore/user/claire', { token }));
    expect(statusesOf(await askBoth(running, use))).toEqual([401]);
    expect(statusesOf(await askBoth(running, () => ask(login)))).toEqual([400]);
  });

  test('calls in an hour are counted together', async () => {
    const limited = await newEnvironment({ RATE_LIMIT_PER_HOUR: '20' });
    const other = await program().start(limited);
    const token = await issueToken(limited);
    const use = () => askAt(other.origin)('GET /petstore/pet/findByStatus', { token });
    const answers = await Promise.all(Array.from({ length: 50 }, use));
    const admitted = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 429);
    expect([admitted.length, refused.length]).toEqual([20, 30]);
    expect(statusesOf(await askBoth(other, use))).toEqual([429]);
  });

  test('an upload comes back from each', async () => {
    const bytes = Buffer.from(Array.from({ length: 5000 }, (_, index) => (index * 7) % 256));
    const token = await issueToken(environment);
    const type = 'application/octet-stream';
    expectOk(await ask('POST /petstore/pet/1/uploadImage', { token, type, body: bytes }));
    const { photoUrls } = expectOk(await getPet(ask, 1)) as { readonly photoUrls: string[] };
    const { pathname } = new URL(photoUrls.at(-1) ?? '');
    const answers = await askBoth(running, () => ask(`GET ${pathname}`));
    expect(statusesOf(answers)).toEqual([200]);
    expect(answers.every((answer) => answer.bytes.equals(bytes))).toBe(true);
  });

  test('the metrics of each tell of all', async () => {
    const live = await askBoth(running, () => ask('GET /livez'));
    const total =
      /^http_request_duration_seconds_count\{service="none",operation="none",method="GET",status="200"\} (\d+)$/m;
    const scrapes = await askBoth(running, () => ask('GET /metrics'));
    const counts = scrapes.map(({ text }) => Number(total.exec(text)?.[1]));
    expect(counts.filter((count) => !(count >= live.length))).toEqual([]);
    expect(scrapes.at(-1)?.text).toMatch(/^process_resident_memory_bytes \d+$/m);
    expect(scrapes.at(-1)?.headers['content-type']).toMatch(/^text\/plain/);
  });
});

describe('the end of one worker', () => {
  test('SIGKILL of one under load takes nothing that was acknowledged, and another follows', async () => {
    const token = await issueToken(environment);
    const [victim = 0] = answered(running);
    const acknowledged: unknown[] = [];
    let loaded = true;
    const load = async (): Promise<void> => {
      while (loaded) {
        const body = { name: 'Rex', photoUrls: [] };
        const answer = await ask('POST /petstore/pet', { token, body }).catch(() => undefined);
        if (answer?.status === 200) acknowledged.push(JSON.parse(answer.text));
      }
    };
    const callers = Array.from({ length: 6 }, load);
    await until('work is under way', () => acknowledged.length > 20);
    process.kill(victim, 'SIGKILL');
    await until('a third answers', () => answered(running).length === 3);
    loaded = false;
    await Promise.all(callers);

    const ids = acknowledged.map((pet) => (pet as { readonly id: number }).id);
    expect(new Set(ids).size).toBe(ids.length);
    // One by one: all at once would be refused as an overload where the machine is slow.
    const kept: unknown[] = [];
    for (const id of ids) kept.push(expectOk(await getPet(ask, id)));
    expect(kept).toEqual(acknowledged);
    expect(logLines(running)).toContainEqual(
      expect.objectContaining({ pid: running.pid, worker: victim, signal: 'SIGKILL' }),
    );
    expect(await running.end('SIGTERM')).toBe(0);
  });
});
