/** The contract commands: those of the program `spec-first`, and what only this project has. */

import type { securityHandlersFor } from '../../src/identity/identity';
import { deadFlowAddresses } from '../../src/identity/oauth/authorization-server';
import type { MakeCommand, Project, ToolContext } from '../../src/tool/command/command';
import { runProgram } from '../../src/tool/command/run-program';
import { commands } from '../../src/tool/commands';

const loadServiceCommands = () =>
  require('./stubs/service-commands') as typeof import('./stubs/service-commands');

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
      load: () => loadServiceCommands().newCommand,
    },
    stubs: {
      description: 'Write a handler, which answers 501, for each operation that has none',
      examples: ['', 'petstore'],
      load: () => loadServiceCommands().stubsCommand,
    },
    test: {
      description: 'Test a server against its document; without --url, the server of this project',
      examples: ['', '--document specs/petstore.yaml --depth quick', ...commands.test.examples],
      load: loadTest,
    },
    upgrade: commands.upgrade,
    overlay: commands.overlay,
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
