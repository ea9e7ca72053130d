/** `contract new` begins a service. */

import { Command } from 'commander';
import { foldersOf } from '../generate/generated-files';
import { addService } from './stubs/add-service';

/**
 * The command `new`.
 * @param out where it says what it wrote
 * @param finish takes the exit code
 */
export const newCommand = (
  out: (text: string) => void,
  finish: (exitCode: number) => void,
): Command =>
  new Command('new')
    .description('Write a small document, and handlers that serve it, for a new service')
    .argument('<name>', 'of the document, of the folder of its handlers, and of its base path')
    .option('--title <title>', 'of the document; its name, where none is given')
    .action(async (name: string, { title }: { readonly title?: string }) => {
      const lines = await addService(foldersOf(process.cwd(), process.env), name, title);
      out([...lines, `npm start serves it at /${name}`].map((line) => `${line}\n`).join(''));
      finish(0);
    });
