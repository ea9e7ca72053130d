/** `contract new` begins a service; `contract stubs` writes handlers for the operations that have none. */

import { Command } from 'commander';
import { foldersOf } from '../generate/generated-files';
import { type ContractOutput, exitCodes, type Finish } from './contract-command';
import { addService } from './stubs/add-service';
import { addStubs } from './stubs/add-stubs';

/** Makes the command `new`. */
export const newCommand = ({ out }: ContractOutput, finish: Finish): Command =>
  new Command('new')
    .description('Write a small document, and handlers that serve it, for a new service')
    .argument('<name>', 'of the document, of the folder of its handlers, and of its base path')
    .option('--title <title>', 'of the document; its name, where none is given')
    .action(async (name: string, { title }: { readonly title?: string }) => {
      const lines = await addService(foldersOf(process.cwd(), process.env), name, title);
      out([...lines, `npm start serves it at /${name}`].map((line) => `${line}\n`).join(''));
      finish(exitCodes.clean);
    });

/** Makes the command `stubs`. */
export const stubsCommand = ({ out }: ContractOutput, finish: Finish): Command =>
  new Command('stubs')
    .description('Write a handler, which answers 501, for each operation that has none')
    .argument('[name...]', 'services; all of them, where none is named')
    .action(async (names: string[]) => {
      const lines = await addStubs(foldersOf(process.cwd(), process.env), names);
      const said = lines.length > 0 ? lines : ['Every operation has a handler'];
      out(said.map((line) => `${line}\n`).join(''));
      finish(exitCodes.clean);
    });
