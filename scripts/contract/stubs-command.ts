/** `contract stubs` writes handlers for the operations that have none. */

import { Command } from 'commander';
import { foldersOf } from '../generate/generated-files';
import { addStubs } from './stubs/add-stubs';

/**
 * The command `stubs`.
 * @param out where it says what it wrote
 * @param finish takes the exit code
 */
export const stubsCommand = (
  out: (text: string) => void,
  finish: (exitCode: number) => void,
): Command =>
  new Command('stubs')
    .description('Write a handler, which answers 501, for each operation that has none')
    .argument('[name...]', 'services; all of them, where none is named')
    .action(async (names: string[]) => {
      const lines = await addStubs(foldersOf(process.cwd(), process.env), names);
      const said = lines.length > 0 ? lines : ['Every operation has a handler'];
      out(said.map((line) => `${line}\n`).join(''));
      finish(0);
    });
