/** The upgrade of a server under load: both versions serve one database for a while, and each reads what the other wrote. */

import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openObserver } from '../crash-test/checks/observe';
import { openReader } from '../crash-test/checks/reader';
import type { Verdict } from '../crash-test/history/compare';
import type { History } from '../crash-test/history/history';
import { stateWithoutId } from '../crash-test/history/views';
import { type Client, type Credentials, fieldsIn } from '../crash-test/load/client';
import type { HttpClient } from '../crash-test/load/http-client';
import { addPet } from '../crash-test/load/pets';
import { clientsOf, doAny, newShared, runLoad } from '../crash-test/load/run-load';
import {
  issueCredentials,
  type ProgramOptions,
  type RunningProgram,
  runOnce,
  runProgram,
  untilReady,
} from '../crash-test/target';
import { freePort } from '../machine/free-port';
import { say } from '../machine/run-main';

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

/** A version that serves. */
interface RunningVersion extends RunningProgram {
  readonly name: string;
}

const settingsOf = async (
  { name, ...built }: BuiltVersion,
  { databaseUrl, folder }: UpgradeOptions,
): Promise<ProgramOptions> => {
  const place = { port: await freePort(), logFile: join(folder, `${name}.log`) };
  return { ...built, ...place, databaseUrl, workers: 1 };
};

const start = async (name: string, settings: ProgramOptions): Promise<RunningVersion> => {
  const running = runProgram(settings);
  await untilReady(running);
  return { name, ...running };
};

/** A server that takes part, or took. */
interface Member {
  readonly http: HttpClient;
  /** The number of requests that it has answered. */
  answered: number;
  /** The requests that it has not answered yet. */
  readonly open: Set<Promise<unknown>>;
}

/** Makes what spreads requests over the servers that take part, as a load balancer does: each goes to the next server in turn. */
const openBalancer = () => {
  const members = new Map<string, Member>();
  let turns: string[] = [];
  let turn = 0;
  const failures: string[] = [];
  const send: HttpClient['send'] = async (request) => {
    turn += 1;
    const name = turns[turn % turns.length] ?? '';
    const member = members.get(name);
    if (member === undefined) throw new Error('No server takes part');
    const sent = member.http.send(request);
    member.open.add(sent);
    const response = await sent;
    member.open.delete(sent);
    member.answered += 1;
    const problem = typeof response === 'string' ? response : response.status;
    if (typeof problem === 'string' || problem >= 500) {
      failures.push(`${name}: ${request.method} ${request.path}: ${problem}`);
    }
    return response;
  };
  return {
    send,
    /** The requests that got no response, or one of the server's own errors. */
    failures,
    add(name: string, http: HttpClient): void {
      members.set(name, { http, answered: 0, open: new Set() });
      turns.push(name);
    },
    /** Sends it nothing more; resolves when it has answered everything. */
    async remove(name: string): Promise<void> {
      turns = turns.filter((other) => other !== name);
      await Promise.all(members.get(name)?.open ?? []);
    },
    /** Tells how many requests each has answered so far. */
    answered: (): string[] => [...members].map(([name, { answered }]) => `${answered} by ${name}`),
    close(): void {
      for (const { http } of members.values()) http.close();
    },
  };
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
    const [now, must] = [response.body.toString(), stateWithoutId(pet.fields)];
    if (response.status === 200 && stateWithoutId(fieldsIn(response.body)) === must) return;
    const text = `Pet ${pet.id} was acknowledged as ${must} and is read as ${response.status} ${now}`;
    client.history.reportViolation('altered', text);
  };

/** Credentials, and the version that issued them. */
interface Issued extends Credentials {
  readonly by: string;
  readonly key: string;
}

const issue = async (version: RunningVersion): Promise<Issued> => {
  const { name: by, settings } = version;
  const label = ['--service', 'petstore', '--label', `of version ${by}`];
  const key = await runOnce(settings, 'admin', 'api-key', 'create', ...label);
  return { ...(await issueCredentials(version)), key, by };
};

/** Uses credentials at a version; says which are refused. */
const refusedCredentials = async (
  { pets, login, key, by }: Issued,
  { name, http }: RunningVersion,
): Promise<string[]> => {
  const uses = [
    ['API key', { path: '/petstore/pet/1', headers: { api_key: key } }],
    ['token', { path: '/petstore/pet/findByStatus?status=sold', token: pets }],
  ] as const;
  const problems: string[] = [];
  for (const [kind, use] of uses) {
    const response = await http.send({ method: 'GET', ...use });
    const status = typeof response === 'string' ? response : response.status;
    if (status !== 200) problems.push(`The ${kind} of ${by} is answered ${status} by ${name}`);
  }
  const isLive = await openReader(http, '').isLive(login);
  return isLive ? problems : [...problems, `The login of ${by} is none at ${name}`];
};

const observerOf = ({ http, settings }: RunningVersion, token: string) =>
  openObserver(http, token, () => settings.databaseUrl);

/** Reads everything by each of the versions, and compares it with what was acknowledged. */
const checkStored = async (
  history: History,
  versions: readonly RunningVersion[],
  token: string,
): Promise<string[]> => {
  const problems: string[] = [];
  let settled: Verdict['settled'] = [];
  for (const version of versions) {
    const verdict = await observerOf(version, token).check(history);
    settled = verdict.settled;
    for (const { kind, text } of verdict.violations) {
      problems.push(`Read by ${version.name}: ${kind}: ${text}`);
    }
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
  const told = await runOnce(settings, 'main').then(() => 'it started', String);
  const refusal = /cannot be opened: it was written by a newer version of this program/;
  return refusal.test(told) ? [] : [`Version ${name} does not refuse the database: ${told}`];
};

/** Upgrades from one version to the other on an empty database; prints its figures, and resolves to the problems. */
export const upgrade = async (
  from: BuiltVersion,
  to: BuiltVersion,
  options: UpgradeOptions,
): Promise<readonly string[]> => {
  const problems: string[] = [];
  const stage = (): Promise<void> => setTimeout(options.seconds * 1000);
  const former = await start(from.name, await settingsOf(from, options));
  // Now, since its admin program is refused once the new version has migrated.
  const credentials = await issue(former);
  const { pets: token } = credentials;
  const history = await observerOf(former, token).openHistory();
  const balancer = openBalancer();
  balancer.add(former.name, former.http);

  let reads = 0;
  const readPet = petReader(() => {
    reads += 1;
  });
  const act = (client: Client) => (client.random.chance(0.4) ? readPet : doAny)(client);
  const common = { http: balancer, history, credentials, shared: newShared() };
  const clients = clientsOf({ ...options, ...common }, 'u');
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
    const told = await runOnce(settings, 'admin', 'migrate', '--plan', '--format', 'json');
    const begin = performance.now();
    const latter = await start(to.name, settings);
    const startSeconds = (performance.now() - begin) / 1000;
    balancer.add(latter.name, latter.http);
    await stage();
    return { latter, plan: JSON.parse(told) as Plan, startSeconds };
  });
  if (!plan.canOverlap) problems.push(`The plan says that ${from.name} must be stopped first`);
  problems.push(...(await checkStored(history, [former, latter], token)));
  problems.push(...(await refusedCredentials(credentials, latter)));
  problems.push(...(await refusedCredentials(await issue(latter), former)));

  await underLoad(async () => {
    await balancer.remove(former.name);
    await former.program.stop('SIGTERM');
    await stage();
  });
  problems.push(...(await checkStored(history, [latter], token)));
  problems.push(...(await restart(former, plan.migrations.length > 0)));
  balancer.close();
  await latter.program.stop('SIGTERM');

  const { made, refused, indeterminate } = history.tally;
  const migrations = plan.migrations.map(({ name }) => name).join(', ') || 'none';
  const served = balancer.answered().join(', ');
  say(
    `${from.name} to ${to.name}: migrations ${migrations}; the new version served after ${startSeconds.toFixed(1)} s`,
  );
  say(`Requests answered under load: ${served}; ${reads} of them read what was written`);
  say(`${made} changes acknowledged, ${refused} refused, ${indeterminate} unclear`);
  return [
    ...problems,
    ...(indeterminate === 0 ? [] : [`${indeterminate} are indeterminate`]),
    ...balancer.failures.map((failure) => `No answer: ${failure}`),
    ...history.violations.map(({ kind, text }) => `${kind}: ${text}`),
  ];
};
