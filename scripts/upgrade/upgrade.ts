/** The upgrade of a server under load: both versions serve one database for a while, and each reads what the other wrote. */

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Observe, openObserver } from '../crash-test/checks/observe';
import { openReader } from '../crash-test/checks/reader';
import { compare } from '../crash-test/history/compare';
import { type History, openHistory, type Tally } from '../crash-test/history/history';
import { compareViews, petState } from '../crash-test/history/views';
import { bearer, type Client, type Credentials, fieldsIn } from '../crash-test/load/client';
import { type HttpClient, openHttpClient } from '../crash-test/load/http-client';
import { addPet } from '../crash-test/load/pets';
import { clientsOf, doAny, runLoad } from '../crash-test/load/run-load';
import {
  environmentOf,
  issueCredentials,
  type ProgramOptions,
  runAdmin,
  runProgram,
  waitUntilReady,
} from '../crash-test/target';
import { freePort } from '../machine/free-port';
import type { Supervised } from '../machine/supervise';
import { openBalancer } from './balancer';

/** A version of the program, built. */
export interface BuiltVersion extends Pick<ProgramOptions, 'build' | 'root'> {
  readonly name: string;
}

/** The settings of an upgrade. */
export interface UpgradeOptions {
  readonly databaseUrl: string;
  /** The folder for logs. */
  readonly folder: string;
  readonly clients: number;
  /** Seconds of load before the new version starts, beside it, and after the old one. */
  readonly seconds: number;
  readonly seed: number;
}

/** The result of an upgrade. */
export interface UpgradeResult {
  /** The migrations of the new version. */
  readonly migrations: readonly string[];
  /** The seconds until the new version served beside the old one. */
  readonly startSeconds: number;
  /** The number of requests that each version answered. */
  readonly answered: Readonly<Record<string, number>>;
  /** The number of reads of what was acknowledged. */
  readonly reads: number;
  readonly tally: Tally;
  readonly problems: readonly string[];
}

/** A version that serves. */
interface RunningVersion {
  readonly name: string;
  readonly settings: ProgramOptions;
  readonly program: Supervised;
  readonly http: HttpClient;
}

const settingsOf = async (
  { name, ...built }: BuiltVersion,
  { databaseUrl, folder }: UpgradeOptions,
): Promise<ProgramOptions> => {
  const place = { port: await freePort(), logFile: join(folder, `${name}.log`) };
  return { ...built, ...place, databaseUrl, workers: 1 };
};

const start = async (name: string, settings: ProgramOptions): Promise<RunningVersion> => {
  const program = runProgram(settings);
  const http = openHttpClient(settings.port);
  await waitUntilReady(program, http, settings.logFile);
  return { name, settings, program, http };
};

/** Makes the operation that reads a pet, which must be as it was last acknowledged, whichever version answers. */
const petReader =
  (count: () => void) =>
  async (client: Client): Promise<void> => {
    const pet = client.random.pickAny(client.pets);
    if (pet === undefined) return addPet(client);
    const request = { method: 'GET', path: `/petstore/pet/${pet.id}` } as const;
    const response = await client.http.send({ ...request, headers: { api_key: 'special-key' } });
    count();
    // The balancer notes what has no response.
    if (typeof response === 'string') return;
    const [is, must] = [response.body.toString(), petState(pet.fields)];
    if (response.status === 200 && petState(fieldsIn(response.body)) === must) return;
    const text = `Pet ${pet.id} was acknowledged as ${must} and is read as ${response.status} ${is}`;
    client.history.reportViolation({ kind: 'altered', text });
  };

/** Credentials, and the version that issued them. */
interface Issued extends Credentials {
  readonly by: string;
  readonly key: string;
}

const issue = async ({ name, settings, http }: RunningVersion): Promise<Issued> => {
  const label = ['--service', 'petstore', '--label', `of version ${name}`];
  const key = await runAdmin(settings, 'api-key', 'create', ...label);
  return { ...(await issueCredentials(settings, http)), key, by: name };
};

/** Uses credentials at a version. */
const checkCredentials = async (
  { pets, login, key, by }: Issued,
  { name, http }: RunningVersion,
): Promise<string[]> => {
  const uses = [
    ['API key', '/petstore/pet/1', { api_key: key }],
    ['token', '/petstore/pet/findByStatus?status=sold', bearer(pets)],
  ] as const;
  const problems: string[] = [];
  for (const [kind, path, headers] of uses) {
    const response = await http.send({ method: 'GET', path, headers });
    const status = typeof response === 'string' ? response : response.status;
    if (status !== 200) problems.push(`The ${kind} of ${by} is answered ${status} by ${name}`);
  }
  const isLive = await openReader(http, '').isLive(login);
  if (!isLive) problems.push(`The login of ${by} is none at ${name}`);
  return problems;
};

/** Makes the function that reads everything by a version. */
const observerOf = ({ http, settings }: RunningVersion, token: string): Observe =>
  openObserver(openReader(http, `Bearer ${token}`), () => settings.databaseUrl);

/** Reads everything by each of the versions, and compares it with what was acknowledged. */
const checkStored = async (
  history: History,
  versions: readonly RunningVersion[],
  token: string,
): Promise<string[]> => {
  const problems: string[] = [];
  let settled: ReturnType<typeof compare>['settled'] = [];
  for (const version of versions) {
    const { found, views } = await observerOf(version, token)(history);
    const verdict = compare(history, found);
    settled = verdict.settled;
    const violations = [...verdict.violations, ...compareViews(views)];
    problems.push(
      ...violations.map(({ kind, text }) => `Read by ${version.name}: ${kind}: ${text}`),
    );
  }
  history.resolve(settled);
  return problems;
};

/** The part of the plan (`admin migrate --plan`) of the new version that is read here. */
interface Plan {
  readonly migrations: readonly { readonly name: string }[];
  readonly canOverlap: boolean;
}

/** Starts the old version again: it serves where there was no migration, and else says why it does not. */
const restart = async (
  { name, settings }: RunningVersion,
  isMigrated: boolean,
): Promise<string[]> => {
  if (!isMigrated) {
    const again = await start(name, settings);
    again.http.close();
    await again.program.stop('SIGTERM');
    return [];
  }
  const { build, root } = settings;
  const options = { cwd: root, env: environmentOf(settings), timeout: 30_000 };
  const said = await promisify(execFile)(
    process.execPath,
    [join(build, 'src', 'main.js')],
    options,
  ).then(
    () => 'it started',
    (error: { stderr: string }) => error.stderr,
  );
  const isRefused = /cannot be opened: it was written by a newer version of this program/.test(
    said,
  );
  return isRefused ? [] : [`Version ${name} does not refuse the database: ${said}`];
};

/** Opens a history that begins with the demo data. */
const openFilledHistory = async (version: RunningVersion, token: string): Promise<History> => {
  const history = openHistory();
  const observe = observerOf(version, token);
  const { found } = await observe(history);
  history.resolve(found.things.map(({ kind, key, state }) => ({ kind, key, to: state })));
  return history;
};

/** Upgrades from one version to the other on an empty database. */
export const upgrade = async (
  from: BuiltVersion,
  to: BuiltVersion,
  options: UpgradeOptions,
): Promise<UpgradeResult> => {
  const problems: string[] = [];
  const stage = (): Promise<void> => setTimeout(options.seconds * 1000);
  const former = await start(from.name, await settingsOf(from, options));
  // Now, since its admin program is refused once the new version has migrated.
  const credentials = await issue(former);
  const history = await openFilledHistory(former, credentials.pets);
  const balancer = openBalancer();
  balancer.add(former.name, former.http);

  let reads = 0;
  const readPet = petReader(() => {
    reads += 1;
  });
  const act = (client: Client) => (client.random.chance(0.4) ? readPet : doAny)(client);
  const shared = { given: new Set<string>(), highest: 0, serial: 0, users: [] };
  const clients = clientsOf({ ...options, http: balancer, history, credentials, shared }, 'u');
  /** Loads the versions that take part while the work is done. */
  const underLoad = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    let isOver = false;
    const done = work().finally(() => {
      isOver = true;
    });
    await Promise.all([runLoad(clients, () => isOver, act), done]);
    return done;
  };

  const settings = await settingsOf(to, options);
  const { latter, plan, startSeconds } = await underLoad(async () => {
    await stage();
    const said = await runAdmin(settings, 'migrate', '--plan', '--format', 'json');
    const begin = performance.now();
    const latter = await start(to.name, settings);
    const startSeconds = (performance.now() - begin) / 1000;
    balancer.add(latter.name, latter.http);
    await stage();
    return { latter, plan: JSON.parse(said) as Plan, startSeconds };
  });
  if (!plan.canOverlap) problems.push(`The plan says that ${from.name} must be stopped first`);
  problems.push(...(await checkStored(history, [former, latter], credentials.pets)));
  problems.push(...(await checkCredentials(credentials, latter)));
  problems.push(...(await checkCredentials(await issue(latter), former)));

  await underLoad(async () => {
    await balancer.remove(former.name);
    await former.program.stop('SIGTERM');
    await stage();
  });
  problems.push(...(await checkStored(history, [latter], credentials.pets)));
  problems.push(...(await restart(former, plan.migrations.length > 0)));
  balancer.close();
  await latter.program.stop('SIGTERM');

  const { tally, violations } = history;
  const unclear = tally.indeterminate === 0 ? [] : [`${tally.indeterminate} are indeterminate`];
  return {
    migrations: plan.migrations.map(({ name }) => name),
    startSeconds,
    answered: balancer.answered(),
    reads,
    tally,
    problems: [
      ...problems,
      ...unclear,
      ...balancer.failures.map((failure) => `No answer: ${failure}`),
      ...violations.map(({ kind, text }) => `${kind}: ${text}`),
    ],
  };
};
