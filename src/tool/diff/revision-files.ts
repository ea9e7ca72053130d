/** The files of a git revision, in a folder of their own as long as they are needed. */

import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { errorMessage } from '../../base/error-message';

const unreadable = (reason: string): Error => new Error(`The revision cannot be read: ${reason}`);

const runFile = promisify(execFile);

const AT_ONCE = 500;

/** The files of a revision. */
export interface RevisionFiles {
  /** Gives the path in the revision's folder of a file of the working tree. */
  pathOf(file: string): string;
  /** Paths of the documents in a folder, as they are called from where the command runs. */
  namesIn(folder: string): readonly string[];
}

const askGit = async (args: readonly string[], index?: string): Promise<string> => {
  try {
    const { stdout } = await runFile('git', [...args], {
      maxBuffer: 64 * 1024 * 1024,
      env: { ...process.env, ...(index === undefined ? {} : { GIT_INDEX_FILE: index }) },
    });
    return stdout;
  } catch (error) {
    const stderr: unknown = Reflect.get(Object(error), 'stderr');
    const [reason = ''] = (typeof stderr === 'string' ? stderr : '').trim().split('\n');
    throw unreadable(reason || errorMessage(error));
  }
};

/**
 * Writes the documents of a revision out, and takes them away after the work.
 * @throws Error in one sentence where git knows no such revision, or there is no repository
 */
export const withRevision = async <Result>(
  revision: string,
  work: (files: RevisionFiles) => Promise<Result>,
): Promise<Result> => {
  const root = (await askGit(['rev-parse', '--show-toplevel'])).replace(/\r?\n$/, '');
  const name = `${revision}^{commit}`;
  const commit = await askGit(['rev-parse', '--verify', '--quiet', '--end-of-options', name]).then(
    (answer) => answer.trim().split('\n').at(-1),
    // git knows none.
    () => undefined,
  );
  if (commit === undefined) throw unreadable(`git knows no revision ${revision}.`);
  const folder = await mkdtemp(join(tmpdir(), 'contract-'));
  try {
    // An index of its own: that of the working tree stays as it is.
    const index = join(folder, 'index');
    const tree = join(folder, 'tree');
    await askGit(['-C', root, 'read-tree', commit], index);
    const list = await askGit(['-C', root, 'ls-files', '-z'], index);
    const names = list.split('\0').filter((name) => /\.(?:ya?ml|json)$/i.test(name));
    for (let at = 0; at < names.length; at += AT_ONCE) {
      const some = names.slice(at, at + AT_ONCE);
      const args = ['-C', root, 'checkout-index', `--prefix=${tree}/`, '--', ...some];
      await askGit(args, index);
    }
    const here = await realpath('.');
    const pathIn = (file: string): string => relative(root, join(here, relative('.', file)));
    return await work({
      pathOf: (file) => join(tree, pathIn(file)),
      namesIn: (given) => {
        const prefix = `${pathIn(given).split(sep).join('/')}/`;
        return names
          .filter((name) => name.startsWith(prefix) && !name.slice(prefix.length).includes('/'))
          .map((name) => join(given, name.slice(prefix.length)));
      },
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
