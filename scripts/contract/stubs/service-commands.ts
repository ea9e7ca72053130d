/** The commands that begin a service of this project, and its handlers. */

import { Command } from 'commander';
import {
  exitCodes,
  fileReport,
  formatOption,
  type MakeCommand,
} from '../../../src/tool/command/command';
import { type DocumentSettings, withDocumentOptions } from '../../../src/tool/new/new-document';
import { foldersOf } from '../../generate/generated-files';
import { addService } from './add-service';
import { addStubs } from './add-stubs';

interface NewOptions extends Omit<DocumentSettings, 'server'> {
  readonly format: string;
}

/** Makes `new`. */
export const newCommand: MakeCommand = ({ out }, finish) =>
  withDocumentOptions(new Command())
    .argument('<name>', 'of the document, of the folder of its handlers, and of its base path')
    .addOption(formatOption(['text', 'json']))
    .action(async (name: string, { format, ...settings }: NewOptions) => {
      const files = await addService(foldersOf(process.cwd(), process.env), name, settings);
      out(fileReport(format, files));
      if (format === 'text') out(`npm start serves it at /${name}\n`);
      finish(exitCodes.clean);
    });

/** Makes `stubs`. */
export const stubsCommand: MakeCommand = ({ out }, finish) =>
  new Command()
    .argument('[name...]', 'services; all of them, where none is named')
    .addOption(formatOption(['text', 'json']))
    .action(async (names: string[], { format }: { readonly format: string }) => {
      const files = await addStubs(foldersOf(process.cwd(), process.env), names);
      const isDone = files.length === 0 && format === 'text';
      out(isDone ? 'Every operation has a handler\n' : fileReport(format, files));
      finish(exitCodes.clean);
    });
