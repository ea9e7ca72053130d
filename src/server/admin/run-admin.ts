/** Runs one admin command; its outcome is an exit code. */

import { Command, CommanderError } from 'commander';
import { type AdminContext, Refusal } from './admin-context';
import { apiKeyCommands } from './api-key-commands';
import { backupCommands } from './backup-commands';
import { clientCommands } from './client-commands';
import { copyCommand } from './copy-command';
import { tokenCommands } from './token-commands';
import { userCommands } from './user-commands';

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

/** Subcommands do not inherit settings from a parent they are added to, so each is set. */
const forEachCommand = (command: Command, change: (command: Command) => void): void => {
  change(command);
  for (const inner of command.commands) forEachCommand(inner, change);
};

const adminProgram = (context: AdminContext, { out, err }: AdminOutput): Command => {
  const program = new Command('admin')
    .description(
      'Manages the users, tokens, API keys and OAuth clients of the services, and their database',
    )
    .addCommand(userCommands(context))
    .addCommand(tokenCommands(context))
    .addCommand(apiKeyCommands(context))
    .addCommand(clientCommands(context))
    .addCommand(copyCommand(context));
  for (const command of backupCommands(context)) program.addCommand(command);
  forEachCommand(program, (command) =>
    command
      .exitOverride()
      .showSuggestionAfterError(false)
      .configureOutput({ writeOut: out, writeErr: (text) => err(withoutPasswords(text)) }),
  );
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
    const sentence = error instanceof Error ? error.message : String(error);
    output.err(`${withoutPasswords(sentence)}\n`);
    return error instanceof Refusal ? wrongUse : failed;
  }
};
