import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '../../../scripts/machine/until';
import {
  changedFiles,
  type FileWatch,
  followFiles,
  readContents,
  type WatchedPlaces,
  watchFiles,
} from '../../../src/host/watched-files';
import { useTemporaryFolder } from '../../support/temporary-folder';

const folder = useTemporaryFolder();

const write = (name: string, text: string): void => {
  mkdirSync(dirname(folder(name)), { recursive: true });
  writeFileSync(folder(name), text);
};

const places = (): WatchedPlaces => ({
  folders: [folder('specs')],
  files: [folder('parts/part.yaml')],
});
const contentsNow = () => readContents(places(), (file) => file.endsWith('.yaml'));

let watcher: FileWatch;
/** The names of the files that changed, each time that a change was told. */
let told: string[][];

beforeEach(() => {
  write('specs/box.yaml', 'a');
  write('specs/nested/deep.yaml', 'a');
  write('parts/part.yaml', 'a');
  told = [];
  let contents = contentsNow();
  watcher = watchFiles(() => {
    const now = contentsNow();
    told.push(changedFiles(contents, now).map((file) => file.slice(folder().length + 1)));
    contents = now;
    watcher.watch(places());
  });
  watcher.watch(places());
});
afterEach(() => watcher.close());

const change = () => until('a change is told', () => told.find((names) => names.length > 0));

describe('a change is told', () => {
  test.each<[string, () => void, string[]]>([
    ['of a file', () => write('specs/box.yaml', 'b'), ['specs/box.yaml']],
    [
      'of one that is replaced by another of its name',
      () => {
        write('specs/box.yaml~', 'b');
        renameSync(folder('specs/box.yaml~'), folder('specs/box.yaml'));
      },
      ['specs/box.yaml'],
    ],
    ['of a new one', () => write('specs/chest.yaml', 'a'), ['specs/chest.yaml']],
    ['of one that is removed', () => rmSync(folder('specs/box.yaml')), ['specs/box.yaml']],
    [
      'of one in a folder of the folder',
      () => write('specs/nested/deep.yaml', 'b'),
      ['specs/nested/deep.yaml'],
    ],
    ['of one that stands elsewhere', () => write('parts/part.yaml', 'b'), ['parts/part.yaml']],
    [
      'of two in a burst, once',
      () => {
        write('specs/box.yaml', 'b');
        write('specs/box.yaml', 'c');
        write('parts/part.yaml', 'c');
      },
      ['specs/box.yaml', 'parts/part.yaml'],
    ],
  ])('%s', async (_, act, names) => {
    act();
    expect(await change()).toEqual(names);
    expect(told.filter((each) => each.length > 0)).toHaveLength(1);
  });

  test('of files in folders that come later, and in one that was replaced', async () => {
    write('specs/new/one.yaml', 'a');
    await change();
    told = [];
    write('specs/new/one.yaml', 'b');
    expect(await change()).toEqual(['specs/new/one.yaml']);
    told = [];
    renameSync(folder('specs'), folder('away'));
    write('specs/box.yaml', 'b');
    expect(await change()).toContain('specs/box.yaml');
    told = [];
    write('specs/box.yaml', 'c');
    expect(await change()).toEqual(['specs/box.yaml']);
  });
});

test('what does not count, and files with the same content, are no change', () => {
  const before = contentsNow();
  write('specs/box.yaml~', 'b');
  write('specs/.hidden.yaml', 'b');
  write('specs/node_modules/box.yaml', 'b');
  write('specs/box.yaml', 'a');
  expect(changedFiles(before, contentsNow())).toEqual([]);
});

test('what is no file is passed over', () => {
  mkdirSync(folder('specs/folder.yaml'));
  symlinkSync('nowhere', folder('specs/dangling.yaml'));
  symlinkSync('nested', folder('specs/linked.yaml'));
  symlinkSync('loop.yaml', folder('specs/loop.yaml'));
  execFileSync('mkfifo', [folder('specs/fifo.yaml')]);
  const contents = contentsNow();
  const read = [...contents].flatMap(([file, hash]) => (hash === '' ? [] : [basename(file)]));
  expect(read.sort()).toEqual(['box.yaml', 'deep.yaml', 'part.yaml']);
});

test.each<[what: string, file: string, act: (file: string) => void]>([
  ['appears', 'specs/late.yaml', (file) => write(file, 'a')],
  ['changes', 'specs/nested/deep.yaml', (file) => write(file, 'b')],
  ['goes', 'specs/nested/deep.yaml', (file) => rmSync(folder(file))],
  ['changes elsewhere', 'parts/part.yaml', (file) => write(file, 'b')],
])('a file that %s while a change is taken up is taken up behind it', async (_what, file, act) => {
  const taken: string[] = [];
  const takeUp = async (changed: readonly string[]): Promise<void> => {
    const isFirst = taken.length === 0;
    taken.push(...changed.map((one) => one.slice(folder().length + 1)));
    if (isFirst) act(file);
  };
  const failed = (error: unknown): void => {
    taken.push(String(error));
  };
  const atStart = readContents({ folders: [folder('specs')], files: [] });
  write('specs/box.yaml', 'b');
  const following = followFiles({ places, takeUp, failed }, atStart, () => true);
  try {
    await until('both are taken up', () => taken.length > 1, { timeoutMilliseconds: 3000 });
    expect(taken).toEqual(['specs/box.yaml', file]);
  } finally {
    following.close();
  }
});
