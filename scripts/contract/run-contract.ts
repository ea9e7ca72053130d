/** The contract commands: those of the program `spec-first`, and what only this project has. */

import { Command } from 'commander';
import type { securityHandlersFor } from '../../src/identity/identity';
import { deadFlowAddresses } from '../../src/identity/oauth/authorization-server';
import {
  exitCodes,
  fileReport,
  formatOption,
  type MakeCommand,
  type Project,
  type ToolContext,
} from '../../src/tool/command/command';
import { runProgram } from '../../src/tool/command/run-program';
import { commands } from '../../src/tool/commands';
import { type DocumentSettings, withDocumentOptions } from '../../src/tool/new/new-document';
import { foldersOf } from '../generate/generated-files';
import { addService } from './stubs/add-service';
import { addStubs } from './stubs/add-stubs';

interface NewOptions extends Omit<DocumentSettings, 'server'> {
  readonly format: string;
}

const newCommand: MakeCommand = ({ out }, finish) =>
  withDocumentOptions(new Command())
    .argument('<name>', 'of the document, of the folder of its handlers, and of its base path')
    .addOption(formatOption(['text', 'json']))
    .action(async (name: string, { format, ...settings }: NewOptions) => {
      const files = await addService(foldersOf(process.cwd(), process.env), name, settings);
      out(fileReport(format, files));
      if (format === 'text') out(`npm start serves it at /${name}\n`);
      finish(exitCodes.clean);
    });

const stubsCommand: MakeCommand = ({ out }, finish) =>
  new Command()
    .argument('[name...]', 'services; all of them, where none is named')
    .addOption(formatOption(['text', 'json']))
    .action(async (names: string[], { format }: { readonly format: string }) => {
      const files = await addStubs(foldersOf(process.cwd(), process.env), names);
      const isDone = files.length === 0 && format === 'text';
      out(isDone ? 'Every operation has a handler\n' : fileReport(format, files));
      finish(exitCodes.clean);
    });

const loadTest = (): MakeCommand => {
  const { testCommandOf } =
    require('../../src/tool/test-command') as typeof import('../../src/tool/test-command');
  const { startOwnServer } = require('./own-server') as typeof import('./own-server');
  return testCommandOf(startOwnServer);
};

const program = {
  name: 'npm run contract --',
  description: 'Checks, compares and tests API documents',
  commands: {
    check: commands.check,
    diff: commands.diff,
    new: {
      description: 'Write a small document, and handlers that serve it, for a new service',
      examples: ['shop', 'shop --title "The shop" --openapi 3.1'],
      load: () => newCommand,
    },
    stubs: {
      description: 'Write a handler, which answers 501, for each operation that has none',
      examples: ['', 'petstore'],
      load: () => stubsCommand,
    },
    test: {
      description: 'Test a server against its document; without --url, the server of this project',
      examples: ['', '--document specs/petstore.yaml --depth quick', ...commands.test.examples],
      load: loadTest,
    },
    upgrade: commands.upgrade,
  },
};

/** The kinds of security schemes that the server verifies. */
const verified = { apiKey: true, bearer: true, basic: true } satisfies Record<
  Exclude<keyof ReturnType<typeof securityHandlersFor>, 'session' | 'accountExists'>,
  true
>;

const project: Project = {
  verified,
  serverProblems: (document) =>
    deadFlowAddresses(document, `http://127.0.0.1${document.basePath}`, true),
  documentsFolder: 'specs',
};

/** Runs `contract ARGUMENTS`. Resolves to the exit code. */
export const runContract = (args: readonly string[], output: ToolContext): Promise<number> =>
  runProgram(program, args, { ...output, ...project });
