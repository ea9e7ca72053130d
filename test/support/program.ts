/** The built program as processes of its own, which are ended after the test. */

import { type ChildProcess, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { killGroup } from '../../scripts/machine/processes';
import { rootFolder } from '../../scripts/root-folder';
import { copyProjectTo } from './check-types';
import { startNode } from './process';
import { oncePerRun } from './run/once-per-run';

/** A process that answers. */
export interface RunningProgram {
  readonly origin: string;
  /** Of the process that was started. */
  readonly pid: number;
  /** Returns its output so far. */
  output(): string;
  /** Sends the signal; resolves to the exit code, null where the signal itself ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  signal(signal: NodeJS.Signals): void;
  /** Sends the signal to the process and to those that it started, as a terminal does. */
  signalGroup(signal: NodeJS.Signals): void;
  /** Resolves to the exit code when the process and all that it started have ended. */
  readonly ended: Promise<number | null>;
}

/** A process that has ended. */
export interface EndedProgram {
  readonly exitCode: number | null;
  readonly out: string;
  readonly err: string;
}

/** Environment variables of a process. */
type Environment = Readonly<Record<string, string>>;

/** Options of a start of the server. */
interface StartOptions {
  /** Keeps it running until the last test of the file. */
  readonly outlivesTest?: boolean;
}

/** The build and what can be run of it. */
export interface Program {
  /** The folder of the compiled program; all test files share it. */
  readonly build: string;
  /** A folder of the test file, for databases. */
  readonly directory: string;
  /** Starts the server and waits until it has printed its address. */
  start(environment: Environment, options?: StartOptions): Promise<RunningProgram>;
  /** Runs the server until it ends by itself. */
  fail(environment: Environment, ...args: string[]): Promise<EndedProgram>;
  /** Runs the admin program. */
  admin(environment: Environment, ...args: string[]): Promise<EndedProgram>;
}

/** Nothing of the test's own environment but what finding programs needs. */
const environmentOf = (given: Environment): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  PORT: '0',
  PASSWORD_COST: '10',
  LOG_LEVEL: 'silent',
  // From Node.js 22.1 on, the code of one start is compiled for all that follow.
  NODE_COMPILE_CACHE: join(tmpdir(), 'compile-cache'),
  ...given,
});

/** Does in a copy of the project what `npm start` does before the start. */
export const prepareStart = (project: string, environment: NodeJS.ProcessEnv = {}) => {
  const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  const { status, stderr } = spawnSync('sh', ['-c', scripts.prestart], {
    cwd: project,
    env: {
      PATH: `${join(project, 'node_modules/.bin')}:${process.env['PATH']}`,
      ...environment,
    },
    encoding: 'utf8',
  });
  return { status, said: stderr };
};

/** Returns a copy of the project in which the program is compiled, as `npm start` does it; all test files share it. */
export const builtProject = (): Promise<string> =>
  oncePerRun('project', async (folder) => {
    copyProjectTo(folder, ['src', 'handlers', 'specs', 'scripts', 'tsconfig.build.json']);
    const { status, said } = prepareStart(folder, { STRICT_HANDLERS: 'true' });
    if (status !== 0 || said !== '') throw new Error(`The program cannot be compiled:\n${said}`);
  });

/** Returns the folder of the compiled program. */
export const builtProgram = async (): Promise<string> => join(await builtProject(), 'dist');

/** The built program, compiled once for all test files. */
export const useProgram = (): (() => Program) => {
  let build = '';
  let directory = '';
  /** Those that end with their test. */
  const brief: ChildProcess[] = [];

  const launch = (
    module: string,
    args: readonly string[],
    environment: Environment,
    { outlivesTest = false }: StartOptions = {},
  ) => {
    const started = startNode([join(build, module), ...args], {
      ...{ cwd: rootFolder, env: environmentOf(environment) },
    });
    if (!outlivesTest) brief.push(started.child);
    return started;
  };

  const runToEnd = async (module: string, args: readonly string[], environment: Environment) => {
    const { ended, out, err } = launch(module, args, environment);
    const exitCode = await ended;
    return { exitCode, out: out(), err: err() };
  };

  const start = async (
    environment: Environment,
    options: StartOptions = {},
  ): Promise<RunningProgram> => {
    const { child, ended, out, printed, end } = launch('src/main.js', [], environment, options);
    const origin = await printed(/^petstore: (http:\/\/\S+)\/petstore \(/m);
    const { pid = 0 } = child;
    return {
      ...{ origin, pid, output: out, ended, end },
      signal: (name) => void child.kill(name),
      signalGroup: (name) => void process.kill(-pid, name),
    };
  };

  beforeAll(async () => {
    build = await builtProgram();
    directory = await mkdtemp(join(tmpdir(), 'program-'));
  }, 180_000);
  afterEach(() => {
    for (const child of brief.splice(0)) killGroup(Number(child.pid));
  });
  afterAll(() => rm(directory, { recursive: true }));

  return () => ({
    build,
    directory,
    start,
    fail: (environment, ...args) => runToEnd('src/main.js', args, environment),
    admin: (environment, ...args) => runToEnd('src/admin.js', args, environment),
  });
};
