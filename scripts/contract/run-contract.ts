/** The contract commands: those of the program `spec-first`, and what only this project has. */

import { Command, Option } from 'commander';
import { versions } from '../../src/document/versions/versions';
import { csvCodec } from '../../src/server/formats/csv';
import type { securityHandlersFor } from '../../src/server/identity/security-handlers';
import {
  exitCodes,
  type MakeCommand,
  type Project,
  type ToolContext,
} from '../../src/tool/command/command';
import { runProgram } from '../../src/tool/command/run-program';
import { commands } from '../../src/tool/commands';
import { foldersOf } from '../generate/generated-files';
import { addService } from './stubs/add-service';
import { addStubs } from './stubs/add-stubs';

interface NewOptions {
  readonly title?: string;
  readonly openapi: string;
}

const newCommand: MakeCommand = ({ out }, finish) =>
  new Command()
    .argument('<name>', 'of the document, of the folder of its handlers, and of its base path')
    .option('--title <title>', 'of the document; its name, where none is given')
    .addOption(
      new Option('--openapi <version>', 'of the document')
        .choices(versions.map((version) => version.name))
        .default(versions[0]?.name),
    )
    .action(async (name: string, options: NewOptions) => {
      const lines = await addService(foldersOf(process.cwd(), process.env), name, options);
      out([...lines, `npm start serves it at /${name}`].map((line) => `${line}\n`).join(''));
      finish(exitCodes.clean);
    });

const stubsCommand: MakeCommand = ({ out }, finish) =>
  new Command()
    .argument('[name...]', 'services; all of them, where none is named')
    .action(async (names: string[]) => {
      const lines = await addStubs(foldersOf(process.cwd(), process.env), names);
      const said = lines.length > 0 ? lines : ['Every operation has a handler'];
      out(said.map((line) => `${line}\n`).join(''));
      finish(exitCodes.clean);
    });

const loadTest = (): MakeCommand => {
  const { testCommandOf } =
    require('../../src/tool/test-command') as typeof import('../../src/tool/test-command');
  const { startOwnServer } = require('./own-server') as typeof import('./own-server');
  return testCommandOf(startOwnServer);
};

const program = {
  name: 'contract',
  description: 'Checks, compares and tests API documents',
  version: '',
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
const verified = { apiKey: true, bearer: true } satisfies Record<
  keyof ReturnType<typeof securityHandlersFor> & keyof NonNullable<Project['verified']>,
  true
>;

const project: Project = { codecs: [csvCodec], verified, documentsFolder: 'specs' };

/** Runs `contract ARGUMENTS`. Resolves to the exit code. */
export const runContract = (args: readonly string[], output: ToolContext): Promise<number> =>
  runProgram(program, args, { ...output, ...project });
