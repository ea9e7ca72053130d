/** Sessions of commands that are written as text, as a terminal shows them. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { casesOf, fieldsOf, patternOf } from './text-cases';

/** The outcome of a command. */
export interface Outcome {
  readonly exitCode: number;
  readonly out: string;
  readonly err: string;
}

/** Splits a command into words; quotes keep blanks in one, and double ones are those of JSON. */
export const wordsOf = (command: string): string[] =>
  (command.match(/(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s'"])+/g) ?? []).map((word) =>
    word
      .replaceAll(/"(?:[^"\\]|\\.)*"/g, (quoted) => JSON.parse(quoted))
      .replaceAll(/'([^']*)'/g, '$1'),
  );

const wantedText = (shown: string): unknown =>
  shown.trim() === '' ? '' : expect.stringMatching(new RegExp(`^${patternOf(shown)}\n?$`));

/** Values in which texts may have ellipses. */
const wantedValue = (_name: unknown, value: unknown): unknown =>
  typeof value === 'string' && value.includes('…') ? wantedText(value) : value;

/** Expects of an outcome what is shown: the output, and `exit CODE: WHAT IT SAYS OF ERRORS` where it is not just `exit 0`. */
const expectShown = (command: string, { exitCode, out, err }: Outcome, shown: string): void => {
  const [text = '', code = '0', errors = ''] = shown.split(/^exit (\d+)(?:: )?/m);
  const isJson = text.startsWith('{');
  expect([command, exitCode, isJson ? JSON.parse(out) : out, err]).toEqual([
    command,
    Number(code),
    isJson ? parse(text, wantedValue) : wantedText(text),
    wantedText(errors),
  ]);
};

/**
 * Tests the sessions of a file: files that are written first into the current folder, `NAME: TEXT` without a blank line; then each command, `$ COMMAND`, with what it prints and
 * how it ends. An ellipsis stands for any text, and what begins with a brace is JSON, compared by its values. A session without a
 * command has files for all of them.
 */
export const testSessions = (file: string, run: (command: string) => Promise<Outcome>): void => {
  const sessions = casesOf(file).map(([title, lines]) => {
    const [files = '', ...steps] = `${lines.join('\n')}\n`.split(/^\$ ?/m);
    return { title, files: files === '' ? [] : fieldsOf(files.trimEnd().split('\n')), steps };
  });
  const shared = sessions.filter(({ steps }) => steps.length === 0).flatMap(({ files }) => files);
  const tested = sessions.filter(({ steps }) => steps.length > 0);
  test.each(tested)('$title', async ({ files, steps }) => {
    for (const [name, text] of [...shared, ...files]) {
      mkdirSync(dirname(name), { recursive: true });
      writeFileSync(name, `${text.replace(/^\n/, '')}\n`);
    }
    for (const step of steps) {
      const [command = ''] = step.split('\n', 1);
      expectShown(command, await run(command), step.slice(command.length + 1));
    }
  });
};
