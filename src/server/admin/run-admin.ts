/** Runs one admin command; its outcome is an exit code. */

import { type Command, CommanderError } from 'commander';
import { operatorMessage, Refusal } from '../../storage/connections/database-errors';
import type { AdminContext } from './admin-context';
import { apiKeyCommands, clientCommands } from './client-commands';
import { dataCommands } from './data-commands';
import { databaseCommands, migrateCommand } from './database-commands';
import { command, commandGroup } from './declare-command';
import { sessionCommands, tokenCommands } from './token-commands';
import { userCommands } from './user-commands';

/** The outputs of the commands. */
export interface AdminOutput {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

const wrongUse = 2;

const withoutPasswords = (text: string): string =>
  text.replaceAll(/:\/\/\S*@/g, '://…@').replaceAll(/([?&]password=)[^&\s']*/g, '$1…');

const configCommand = (context: AdminContext): Command =>
  command(
    context,
    ['config', 'print each setting, its value in force without secrets, and where that comes from'],
    async () => {
      const { config, settings, problem } = context.settings;
      return { settings, misspelt: config.misspelt, problem };
    },
    ({ settings, misspelt }) => [
      ...settings.map(({ variable, value = '', source }) => [variable, value, source].join('\t')),
      ...misspelt,
    ],
  );

const adminProgram = (context: AdminContext, { out, err }: AdminOutput): Command => {
  const credentials = [tokenCommands, sessionCommands, apiKeyCommands, clientCommands];
  const groups = [userCommands, ...credentials, dataCommands];
  const commands = [
    ...groups.map((make) => make(context)),
    ...databaseCommands(context),
    migrateCommand(context),
    configCommand(context),
  ];
  const description =
    'Manages the users, tokens, sessions, API keys, OAuth clients and stored data of the services, and their database';
  const program = commandGroup(['admin', description], commands);
  // Subcommands do not inherit settings from a parent they are added to, so each is set.
  for (const each of [program, ...commands.flatMap((command) => [command, ...command.commands])]) {
    each
      .exitOverride()
      .showSuggestionAfterError(false)
      .configureOutput({ writeOut: out, writeErr: (text) => err(withoutPasswords(text)) });
  }
  return program;
};

/**
 * Runs `admin ARGUMENTS`. Resolves to the exit code: 0, 1 where the command failed, 2 where its use was wrong. An error is one
 * sentence, never a stack.
 */
export const runAdmin = async (
  args: readonly string[],
  context: AdminContext,
  output: AdminOutput,
): Promise<number> => {
  try {
    await adminProgram(context, output).parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has written its message itself.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : wrongUse;
    output.err(`${withoutPasswords(operatorMessage(error))}\n`);
    return error instanceof Refusal ? wrongUse : 1;
  }
};
