/** `npm run pack` makes the tarball of the package, and prints its path; with `--try` it also runs it under several versions of Node.js. */

import { resolve } from 'node:path';
import { Command } from 'commander';
import { runMain, say } from '../machine/run-main';
import { rootFolder } from '../root-folder';
import { pack } from './pack';
import { tryPackage } from './trial';

runMain(async () => {
  const command = new Command('npm run pack --')
    .option('--out <folder>', 'where the tarball goes', resolve(rootFolder, 'dist.package'))
    .option('--try', 'also checks the tarball, and runs it under several versions of Node.js')
    .parse();
  const options = command.opts<{ out: string; try?: true }>();
  const tarball = await pack(resolve(options.out));
  const isWell = options.try !== true || (await tryPackage(tarball));
  say(tarball);
  return isWell ? 0 : 1;
});
