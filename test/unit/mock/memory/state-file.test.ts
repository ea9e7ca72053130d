/** The file that keeps the items of mocks: whole, of one process alone, and with the identities that were given. */

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { StateFile } from '../../../../src/mock/memory/state-file';
import { useTemporaryFolder } from '../../../support/temporary-folder';

const folder = useTemporaryFolder();
const read = (name = 'state.json') => readFileSync(folder(name), 'utf8');
const write = (name: string, text: string) => writeFileSync(folder(name), text);

let file: StateFile;
beforeEach(() => {
  file = new StateFile(folder('state.json'));
});

test('what is saved is there, other documents stay, and nothing is left beside it', async () => {
  write('state.json', '{"other":{"n":9007199254740993}}');
  expect(file.open('one')).toBeUndefined();
  await Promise.all([file.save('one', () => '1'), file.save('one', () => '2')]);
  expect(JSON.stringify(read())).toBe(
    JSON.stringify('{"other":{"n":9007199254740993},\n"one":2}\n'),
  );
  expect(readdirSync(folder()).sort()).toEqual(['state.json', 'state.json.lock']);
});

describe('another process', () => {
  test('that runs keeps the file', () => {
    write('state.json.lock', `${process.ppid} a`);
    const sentence = `state.json cannot be used: the process ${process.ppid} keeps its items there`;
    expect(() => file.open('one')).toThrow(sentence);
    expect(read('state.json.lock')).toBe(`${process.ppid} a`);
  });

  test.each([
    ['has been killed', () => `${spawnSync(process.execPath, ['-e', '']).pid} a`],
    ['had the same number', () => `${process.pid} a`],
    ['has written nothing', () => ''],
  ])('that %s does not', async (_, owner) => {
    write('state.json.lock', owner());
    file.open('one');
    await file.save('one', () => '1');
    expect(read()).toBe('{"one":1}\n');
  });

  test('that takes the file loses nothing', async () => {
    file.open('one');
    await file.save('one', () => '1');
    const owner = read('state.json.lock');
    write('state.json.lock', `${process.ppid} a`);
    await expect(file.save('one', () => '2')).rejects.toThrow('another process has taken it');
    expect(read()).toBe('{"one":1}\n');
    write('state.json.lock', owner);
    await file.save('one', () => '3');
    expect(read()).toBe('{"one":3}\n');
  });

  test('finds the file written and free when this one ends', async () => {
    file.open('one');
    const saved = file.save('one', () => '1');
    const [end] = process.listeners('exit').slice(-1);
    end?.call(process, 0);
    expect(read()).toBe('{"one":1}\n');
    expect(readdirSync(folder())).toEqual(['state.json']);
    await expect(saved).rejects.toThrow('another process has taken it');
  });
});

test('an error is that of each change until the file can be written', async () => {
  file.open('one');
  const failing = () => {
    throw new Error('It cannot be written');
  };
  await expect(file.save('one', failing)).rejects.toThrow('It cannot be written');
  await file.save('one', () => '1');
  expect(read()).toBe('{"one":1}\n');
});

test('what cannot be locked cannot be used', () => {
  const missing = new StateFile(folder('none', 'state.json'));
  expect(() => missing.open('one')).toThrow(/state.json cannot be used: ENOENT/);
});
