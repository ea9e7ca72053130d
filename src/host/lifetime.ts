/** The lifetime of the handlers of a service: what they open and close, and the jobs that they do without a request. */

import { setTimeout } from 'node:timers/promises';
import { errorMessage } from '../base/error-message';
import { type HandlerLog, handlerLog, type ServiceLog } from '../http/exchange';
import { type JobLeases, leaseMilliseconds } from '../storage/tables/job-leases';

const units = { second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

const readInterval = (text: string): number => {
  const [, count, unit] = /^([1-9]\d{0,4}) (second|minute|hour|day)s?$/.exec(text) ?? [];
  if (unit !== undefined) return Number(count) * units[unit as keyof typeof units];
  throw new Error(`"${text}" is no interval: write '1 second', '10 minutes', '2 hours' or '1 day'`);
};

/** The tools of a job beside what its service keeps. */
export interface JobTools {
  readonly log: HandlerLog;
  /** Aborts when other handlers serve, or the process stops. */
  readonly signal: AbortSignal;
}

/** The lifetime of the handlers that a factory makes. `Kept` is what the service keeps, which its jobs get. */
export interface Lifetime<Kept = never> {
  /** Aborts when the handlers serve no more: behind the last request after a reload, or at the stop. */
  readonly signal: AbortSignal;
  /** Has the work done then, the last one first; it is waited for within the time of a stop. */
  onEnd(work: () => unknown): void;
  /**
   * Does work again and again, once for all processes, and never beside itself. A turn that fails is logged, and the next one comes.
   *
   * @param interval - `1 second`, `10 minutes`, `2 hours`, `1 day`
   * @param name - of its own in the service
   */
  every(interval: string, name: string, work: (tools: Kept & JobTools) => unknown): void;
}

/** The tools of a factory beside what its service keeps, which its jobs get, too. */
export interface FactoryTools<Kept> {
  /** The log of the program; its lines name the service. */
  readonly log: HandlerLog;
  readonly lifetime: Lifetime<Kept>;
}

interface Job {
  readonly name: string;
  readonly interval: number;
  readonly work: (tools: never) => unknown;
}

/** The outcome of a turn of a job. */
export interface JobTurn {
  readonly service: string;
  readonly job: string;
  readonly seconds: number;
  readonly hasFailed: boolean;
}

/** The parts of a program that the lifetimes of a service use. */
export interface LifetimeOptions {
  readonly service: string;
  readonly log: ServiceLog;
  /** Gives milliseconds since 1970. */
  readonly clock: () => number;
  /** Undefined where nothing is kept. */
  readonly leases: JobLeases | undefined;
  /** Makes what a job gets: what the service keeps. */
  readonly kept: () => object;
  /** Follows a turn, to make a span of it. */
  readonly traceJob?:
    | (<Result>(job: string, work: () => Promise<Result>) => Promise<Result>)
    | undefined;
  readonly onTurn?: ((turn: JobTurn) => void) | undefined;
}

/** The lifetimes of all handlers of a service. */
export class Lifetimes {
  readonly #options: LifetimeOptions;
  readonly #jobs = new Map<string, Job>();
  readonly #ends: (() => Promise<void>)[] = [];
  readonly #stopping = new AbortController();
  /** Loops of jobs, and turns that are under way. */
  readonly #running = new Set<Promise<unknown>>();

  constructor(options: LifetimeOptions) {
    this.#options = options;
  }

  /** Begins the lifetime of what one factory makes; `end` ends it before the others, as where the factory fails. */
  begin(): { readonly lifetime: Lifetime; end(): Promise<void> } {
    const { log, service } = this.#options;
    const ended = new AbortController();
    const works: (() => unknown)[] = [];
    const jobs: string[] = [];
    const end = async (): Promise<void> => {
      ended.abort();
      for (const name of jobs) this.#jobs.delete(name);
      for (const work of works.splice(0).reverse()) {
        try {
          await work();
        } catch (err) {
          log.error({ service, err }, 'The end of handlers failed');
        }
      }
    };
    this.#ends.push(end);
    const lifetime: Lifetime = {
      signal: ended.signal,
      onEnd: (work) => void works.push(work),
      every: (interval, name, work) => {
        if (this.#jobs.has(name)) throw new Error(`Two jobs are called ${name}`);
        this.#jobs.set(name, { name, interval: readInterval(interval), work });
        jobs.push(name);
      },
    };
    return { lifetime, end };
  }

  /** Begins the jobs; called when the handlers serve. */
  start(): void {
    for (const job of this.#jobs.values()) this.#track(this.#repeat(job));
  }

  /** Begins no more turns of jobs: other handlers serve, or the process stops. */
  stop(): void {
    this.#stopping.abort();
  }

  /** Ends all: begins no more turns, waits for turns under way, and does what `onEnd` was given, the last one first. */
  async end(): Promise<void> {
    this.stop();
    await Promise.all(this.#running);
    for (const end of this.#ends.splice(0).reverse()) await end();
  }

  /**
   * Does one turn of a job, whenever it is due.
   * @throws what the job throws; Error where there is none of the name
   */
  async run(name: string): Promise<void> {
    const job = this.#jobs.get(name);
    if (job !== undefined) return this.#do(job, this.#stopping.signal);
    const known = [...this.#jobs.keys()].join(', ') || 'none';
    throw new Error(`There is no job ${name}; there are: ${known}`);
  }

  #failed(job: string, err: unknown, message: string): void {
    const { log, service } = this.#options;
    log.error({ service, job, err }, message);
  }

  #track(work: Promise<unknown>): void {
    const done = work.finally(() => this.#running.delete(done));
    this.#running.add(done);
  }

  async #repeat(job: Job): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      let wait: number;
      try {
        wait = await this.#turn(job);
      } catch (err) {
        this.#failed(job.name, err, 'The turn of a job could not be taken');
        wait = 5000;
      }
      // No timer is longer than 24 days; other processes may have held the turn for less.
      const pause = Math.min(Math.max(wait, 20), units.hour);
      await setTimeout(pause, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Takes a turn where one is due; gives the milliseconds until the next may be. */
  async #turn(job: Job): Promise<number> {
    const { clock, leases } = this.#options;
    const { name, interval } = job;
    if (!leases) throw new Error('A job needs a database, in which its turns are kept');
    const now = clock();
    const taken = await leases.take(name, interval, now);
    if (taken !== 'taken') return taken;
    const lost = new AbortController();
    const signal = AbortSignal.any([this.#stopping.signal, lost.signal]);
    const renewed = setInterval(() => {
      const until = clock() + leaseMilliseconds;
      leases.hold(name, until).then(
        (isHeld) => isHeld || lost.abort(),
        (err: unknown) => this.#failed(name, err, 'A lease was not renewed'),
      );
    }, leaseMilliseconds / 3);
    try {
      await this.#do(job, signal);
    } catch (err) {
      this.#failed(name, err, `The job ${name} failed: ${errorMessage(err)}`);
    } finally {
      clearInterval(renewed);
      await leases.hold(name, 0);
    }
    return now + interval - clock();
  }

  async #do({ name, work }: Job, signal: AbortSignal): Promise<void> {
    const { service, log, kept, traceJob, onTurn } = this.#options;
    const start = performance.now();
    const done = async (): Promise<void> => {
      const tools: JobTools = { ...kept(), log: handlerLog(log, { service, job: name }), signal };
      await work(tools as never);
    };
    let hasFailed = true;
    try {
      await (traceJob === undefined ? done() : traceJob(name, done));
      hasFailed = false;
    } finally {
      onTurn?.({ service, job: name, seconds: (performance.now() - start) / 1000, hasFailed });
    }
  }
}
