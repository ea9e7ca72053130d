/** `npm run pack` makes the tarball of the package, and prints its path; with `--try` it also runs it under several versions of Node.js. */

import { resolve } from 'node:path';
import { Command } from 'commander';
import { runMain } from '../machine/run-main';
import { rootFolder } from '../root-folder';
import { pack } from './pack';

const main = async (): Promise<number> => {
  const command = new Command('npm run pack --')
    .option('--out <folder>', 'where the tarball goes', resolve(rootFolder, 'dist.package'))
    .parse();
  const { out } = command.opts<{ out: string }>();
  const tarball = await pack(resolve(out));
  process.stdout.write(`${tarball}\n`);
  return 0;
};

runMain(main);
