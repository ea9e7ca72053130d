/** Guides that a reader follows in a copy of the project: each code block and each command of one, in their order. */

import { type ChildProcess, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '../../scripts/machine/free-port';
import { killGroup } from '../../scripts/machine/processes';
import { until } from '../../scripts/machine/until';
import { copyProject, removeCopy } from './check-types';
import { startProcess } from './process';
import { patternOf } from './text-cases';

/** A file to write, a part to put into one below a line, or a command and what it prints. */
type Step = { readonly title: string } & (
  | { readonly file: string; readonly text: string; readonly below?: string | undefined }
  | { readonly command: string; readonly shown: string }
);

/** A code block, and what is said of it before. */
interface Block {
  readonly before: string;
  readonly language: string;
  readonly text: string;
}

const stepsOf = ({ before, language, text }: Block): readonly Step[] => {
  if (language === 'console') {
    return [...text.matchAll(/^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)/gm)].map(
      ([, command = '', shown = '']) => ({ title: command, command, shown }),
    );
  }
  const [, part, below] = /\bBelow (`([\w-]+:)` of `[\w/.-]+`)/.exec(before) ?? [];
  const [, file] = /(?:^|of )`((?:specs|handlers)\/[\w/.-]+)`/m.exec(part ?? before) ?? [];
  if (file === undefined) throw new Error(`No file is named before:\n${text}`);
  return [{ title: part ?? file, file, text, below }];
};

/** Puts a part below the one line of a text that has nothing but these words. */
const withPart = (text: string, words: string, part: string): string => {
  const parts = text.split(new RegExp(`^( *${words}\n)`, 'm'));
  expect(parts).toHaveLength(3);
  return `${parts[0]}${parts[1]}${part}${parts[2]}`;
};

/** The address that guides name, and the free one in its place. */
const usualAddress = '127.0.0.1:8080';

/** Tests a guide: writes its files, runs its commands in one shell, and compares what they print. */
export const testGuide = (guide: string): void => {
  const blocks = [...guide.matchAll(/([\s\S]*?)^```(.*)\n([\s\S]*?)^```$/gm)].map(
    ([, before = '', language = '', text = '']) => ({ before, language, text }),
  );
  const steps = blocks.flatMap(stepsOf);

  test('no block and no command is left out', () => {
    expect([...new Set(blocks.map(({ language }) => language))].sort()).toEqual([
      ...['console', 'ts', 'yaml'],
    ]);
    const prompts = guide.match(/^ *\$ .*/gm) ?? [];
    const commands = steps.filter((step) => 'command' in step);
    expect(commands).toHaveLength(prompts.length);
    expect(blocks.length).toBe((guide.match(/^ *```/gm) ?? []).length / 2);
  });

  let address = '';
  let copy = '';
  let environment: NodeJS.ProcessEnv = {};
  let shell: ChildProcess;
  let server: ReturnType<typeof startShell> | undefined;

  /** Starts a shell in the copy, as a terminal does; gives what it has printed so far. */
  const startShell = (...args: readonly string[]) => {
    const { child, ended, output } = startProcess('bash', ['-o', 'pipefail', ...args], {
      ...{ cwd: copy, env: environment, stdio: 'pipe' },
    });
    const printed = () => output().replaceAll(address, usualAddress).replaceAll('\r', '');
    return { child, ended, printed };
  };

  let readShell: () => string;

  beforeAll(async () => {
    copy = copyProject([
      ...['src', 'handlers', 'specs', 'scripts', 'tsconfig.build.json'],
      ...['jest.config.js', 'test/support'],
    ]);
    const port = await freePort();
    address = `127.0.0.1:${port}`;
    environment = {
      ...{ PATH: process.env['PATH'], HOME: copy, PORT: String(port), PASSWORD_COST: '10' },
      npm_config_update_notifier: 'false',
    };
    const started = startShell();
    shell = started.child;
    readShell = started.printed;
  });

  afterAll(() => removeCopy(copy));

  /** Starts the server in a shell of its own, in place of one that runs, and waits until it has printed what is shown. */
  const serve = async (command: string, shown: string): Promise<void> => {
    if (server !== undefined) killGroup(Number(server.child.pid));
    await server?.ended;
    server = startShell('-c', command);
    const { printed } = server;
    const pattern = new RegExp(`^${patternOf(shown)}$`, 'm');
    await until(`${command}: ${shown}`, () => pattern.test(printed()), {
      timeoutMilliseconds: 80_000,
    });
    expect(printed()).not.toMatch(/error|mocked/);
  };

  /** Runs a command in the one shell of all commands, which keeps their variables. */
  const run = async (command: string): Promise<{ status: number; printed: string }> => {
    const from = readShell().length;
    // What it would read from is the commands that follow.
    shell.stdin?.write(`{ ${command}\n} < /dev/null\necho "ended with $?"\n`);
    const ended = /([\s\S]*)ended with (\d+)\n$/;
    const [, printed = '', status] = await until(
      command,
      () => ended.exec(readShell().slice(from)) ?? undefined,
      { timeoutMilliseconds: 80_000 },
    );
    return { status: Number(status), printed: printed.trim() };
  };

  const write = (file: string, text: string, below: string | undefined): void => {
    const path = join(copy, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(
      path,
      below === undefined ? text : withPart(readFileSync(path, 'utf8'), below, text),
    );
  };

  const hasCurl = spawnSync('curl', ['--version']).error === undefined;
  const testStep = hasCurl ? test : test.skip;

  testStep.each(steps)('$title', async (step) => {
    if ('file' in step) return write(step.file, step.text, step.below);
    const command = step.command.replaceAll(usualAddress, address);
    if (command === 'npm run dev') return serve(command, step.shown);
    const { status, printed } = await run(command);
    expect({ status, printed }).toEqual({
      status: 0,
      printed: expect.stringMatching(new RegExp(`^${patternOf(step.shown)}$`)),
    });
  });
};
