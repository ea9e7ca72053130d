/** Runs a program of several commands, of which only the one that is named is loaded. */

import { Command, CommanderError } from 'commander';
import { errorMessage } from '../../base/error-message';
import { nearestName } from '../../base/text/nearest-name';
import { printable } from '../../base/text/printable';
import { exitCodes, type Finish, type MakeCommand, type ToolContext } from './command';

/** A command of a program. */
export interface CommandEntry {
  readonly description: string;
  readonly examples: readonly string[];
  /** Words that other programs have for it. */
  readonly otherNames?: readonly string[];
  /** True for a command that looks at all the others. */
  readonly needsAll?: boolean;
  readonly load: () => MakeCommand;
}

/** A program. */
export interface Program {
  readonly name: string;
  readonly description: string;
  readonly version?: string;
  /** The commands to begin with, above the help. */
  readonly firstSteps?: string;
  /** By name, in the order of the help. */
  readonly commands: Readonly<Record<string, CommandEntry>>;
}

const makeProgram = (
  { name, description, version, firstSteps, commands }: Program,
  [first, second]: readonly string[],
  context: ToolContext,
  finish: Finish,
): Command => {
  const named = first === 'help' ? second : first;
  const isWhole = Object.entries(commands).some(([own, entry]) => own === named && entry.needsAll);
  const program = new Command(name).description(description);
  if (version !== undefined) program.version(version);
  if (firstSteps !== undefined) program.addHelpText('before', `${firstSteps}\n`);
  for (const [own, entry] of Object.entries(commands)) {
    const command = isWhole || own === named ? entry.load()(context, finish) : new Command();
    const examples = entry.examples.map((example) => `\n  ${name} ${own} ${example}`);
    command
      .name(own)
      .description(entry.description)
      .addHelpText('after', `\nExamples:${examples.join('')}`)
      .showHelpAfterError(`${name} ${own} --help has its options, and examples.`);
    program.addCommand(command);
  }
  for (const command of [program, ...program.commands]) {
    // Subcommands do not inherit settings from a parent they are added to.
    command.exitOverride().configureOutput({ writeOut: context.out, writeErr: context.err });
  }
  return program;
};

/** Says what is meant by a command that is not there; undefined for one that is, and for options. */
const unknownCommand = ({ name, commands }: Program, [given = '-']: readonly string[]) => {
  if (given.startsWith('-') || given === 'help' || Object.hasOwn(commands, given)) return undefined;
  const known = Object.keys(commands);
  const same = known.find((own) => commands[own]?.otherNames?.includes(given.toLowerCase()));
  const isFile = /\.(?:ya?ml|json)$/i.test(given);
  const near = same ?? (isFile ? `${known[0]} ${given}` : nearestName(given, known));
  const advice = near === undefined ? '' : ` Did you mean ${near}?`;
  return printable(`There is no command ${given}.${advice} ${name} --help lists the commands.`);
};

/**
 * Runs the command that the arguments name. Resolves to the exit code: 0 where nothing was found, 1 where something was, 2 for
 * wrong use and for files that cannot be read, with a sentence.
 */
export const runProgram = async (
  program: Program,
  args: readonly string[],
  context: ToolContext,
): Promise<number> => {
  const fault = unknownCommand(program, args);
  if (fault !== undefined) {
    context.err(`${fault}\n`);
    return exitCodes.unusable;
  }
  let exitCode: number = exitCodes.unusable;
  const finish: Finish = (code) => {
    exitCode = code;
  };
  try {
    await makeProgram(program, args, context, finish).parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) {
      // Commander has written its message itself.
      return error.exitCode === 0 ? exitCodes.clean : exitCodes.unusable;
    }
    // Faults of the program itself, which only its authors can mend.
    const isFault = [TypeError, ReferenceError, RangeError].some((kind) => error instanceof kind);
    context.err(`${error instanceof Error && isFault ? error.stack : errorMessage(error)}\n`);
    return exitCodes.unusable;
  }
};

/** Runs a program with the streams of this process, whose exit code becomes that of the program. */
export const runInProcess = async (run: (context: ToolContext) => Promise<number>) => {
  const { stdout, stderr } = process;
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error) => {
      // A reader that has gone, as head does, wants no more.
      if (Reflect.get(error, 'code') === 'EPIPE') return;
      process.exitCode = exitCodes.unusable;
      if (stream === stdout) stderr.write(`The output cannot be written: ${errorMessage(error)}\n`);
    });
  }
  const exitCode = await run({
    out: (text) => stdout.write(text),
    err: (text) => stderr.write(text),
    isTerminal: stderr.isTTY,
    isTyped: process.stdin.isTTY,
    // Without them where NO_COLOR is set.
    hasColours: stdout.isTTY && stdout.hasColors(),
  });
  process.exitCode ??= exitCode;
};
