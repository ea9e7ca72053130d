/** Runs one admin command; its outcome is an exit code. */

import { type Command, CommanderError } from 'commander';
import { operatorMessage, Refusal } from '../../storage/connections/database-errors';
import { type AdminContext, commandGroup } from './admin-context';
import { apiKeyCommands, clientCommands } from './client-commands';
import { dataCommands } from './data-commands';
import { databaseCommands } from './database-commands';
import { reloadCommand } from './reload-command';
import { tokenCommands, userCommands } from './user-commands';

/** Where the commands write. */
export interface AdminOutput {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

const wrongUse = 2;
const failed = 1;

/** A URL that was given wrongly is repeated in complaints, but not its password. */
const withoutPasswords = (text: string): string =>
  text.replaceAll(/:\/\/\S*@/g, '://…@').replaceAll(/([?&]password=)[^&\s']*/g, '$1…');

const adminProgram = (context: AdminContext, { out, err }: AdminOutput): Command => {
  const groups = [userCommands, tokenCommands, apiKeyCommands, clientCommands, dataCommands];
  const commands = [
    ...groups.map((make) => make(context)),
    ...databaseCommands(context),
    reloadCommand(context),
  ];
  const program = commandGroup(
    [
      'admin',
      'Manages the users, tokens, API keys, OAuth clients and stored data of the services, and their database',
    ],
    commands,
  );
  // Subcommands do not inherit settings from a parent they are added to, so each is set.
  for (const command of [program, ...commands.flatMap((one) => [one, ...one.commands])]) {
    command
      .exitOverride()
      .showSuggestionAfterError(false)
      .configureOutput({ writeOut: out, writeErr: (text) => err(withoutPasswords(text)) });
  }
  return program;
};

/**
 * Runs `admin ARGUMENTS`. Resolves to the exit code: 0, 1 where the command failed, 2 where it was used wrongly or
 * asked for what cannot be. What went wrong is one sentence, never a stack.
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
    const sentence = operatorMessage(error);
    output.err(`${withoutPasswords(sentence)}\n`);
    return error instanceof Refusal ? wrongUse : failed;
  }
};
