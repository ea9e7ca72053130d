/**
 * `npm run pack` makes the tarball of the package, and prints its path; with `--try` it also runs it under several versions of Node.js,
 * and with `--release` it writes the notes of that release, or refuses it.
 */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { runMain, say } from '../machine/run-main';
import { rootFolder } from '../root-folder';
import { repositoryOf } from './manifest';
import { pack } from './pack';
import { releaseNotes } from './release';
import { tryPackage } from './trial';

/** Writes the notes of the release into the folder of the tarball. */
const writeNotes = async (tag: string, out: string): Promise<void> => {
  const changelog = await readFile(join(__dirname, 'CHANGELOG.md'), 'utf8');
  const runningIn = process.env['GITHUB_REPOSITORY'];
  const notes = releaseNotes({ tag, changelog, repository: repositoryOf(), runningIn });
  await mkdir(out, { recursive: true });
  await writeFile(join(out, 'release-notes.md'), notes);
};

runMain(async () => {
  const command = new Command('npm run pack --')
    .option('--out <folder>', 'where the tarball goes', resolve(rootFolder, 'dist.package'))
    .option('--try', 'also checks the tarball, and runs it under several versions of Node.js')
    .option('--release <tag>', 'refuses what may not be published so, and writes the notes')
    .parse();
  const options = command.opts<{ out: string; try?: true; release?: string }>();
  const out = resolve(options.out);
  if (options.release !== undefined) await writeNotes(options.release, out);
  const tarball = await pack(out);
  const isWell = options.try !== true || (await tryPackage(tarball));
  say(tarball);
  return isWell ? 0 : 1;
});
