/** Declares the admin commands, and prints their outcomes. */

import { Command, InvalidArgumentError, Option } from 'commander';
import { integer } from '../config/config-values';
import type { AdminContext, AdminService } from './admin-context';

type Named = readonly [name: string, description: string];

/**
 * The outcome of a command, as programs read it in JSON. Lists have a name. A number whose name ends with `At` or `Until` is a time in
 * milliseconds since 1970, which is written by ISO 8601.
 */
export interface CommandOutcome {
  /** The reason why the command failed nonetheless: a sentence for standard error, with exit code 1. */
  readonly problem?: string | undefined;
  readonly [name: string]: unknown;
}

/** Makes the lines that people read of an outcome; without its problem. */
type LinesOf<Data, Options> = (data: Data, options: Options) => string | readonly string[];

const withIsoTime = (name: string, value: unknown): unknown =>
  typeof value === 'number' && /(At|Until)$/.test(name) ? new Date(value).toISOString() : value;

/**
 * Makes a command; its options are added by the caller.
 *
 * @param run - runs the command with its options and its argument; `progress` prints a line at once, for people alone
 */
export const command = <Options extends object, Data extends CommandOutcome>(
  { print }: AdminContext,
  [name, description]: Named,
  run: (options: Options, argument: string, progress: (line: string) => void) => Promise<Data>,
  linesOf: LinesOf<Data, Options>,
): Command => {
  const format = new Option('--format <format>', 'the format of the output');
  format.choices(['text', 'json']).default('text');
  const declared = new Command(name).description(description).addOption(format);
  return declared.action(async () => {
    const isText = declared.getOptionValue('format') === 'text';
    const options = declared.opts() as Options;
    const data = await run(options, declared.args[0] ?? '', isText ? print : () => undefined);
    const lines = isText ? [linesOf(data, options)].flat() : [JSON.stringify(data, withIsoTime, 2)];
    for (const line of lines) print(line);
    if (data.problem !== undefined) throw new Error(data.problem);
  });
};

/** Makes the line of a row of a list: its values between tabs, of which times and lists have their names. */
export const rowLine = (row: object): string => {
  const cells = Object.entries(row).flatMap(([name, value]) => {
    if (value === undefined) return [];
    if (Array.isArray(value)) return `${name}: ${value.join(', ')}`;
    const text = withIsoTime(name, value);
    const words = name.replace('At', '').replace('Until', ' until');
    return text === value ? value : `${words} ${text}`;
  });
  return cells.join('\t');
};

/** Finds the service that an option names. */
export const serviceNamed =
  ({ services }: AdminContext) =>
  (wanted: string): AdminService => {
    const found = services.find((service) => service.name === wanted);
    if (found) return found;
    const names = services.map((service) => service.name).join(', ');
    throw new InvalidArgumentError(`There is no such service; there are: ${names}.`);
  };

/** The option `--service`. */
export interface OfService {
  readonly service: AdminService;
}

/** Makes a command with the option `--service`, which must be given. */
export const serviceCommand = <Options extends OfService, Data extends CommandOutcome>(
  context: AdminContext,
  named: Named,
  run: (options: Options, argument: string, progress: (line: string) => void) => Promise<Data>,
  linesOf: LinesOf<Data, Options>,
): Command =>
  command(context, named, run, linesOf).requiredOption(
    '--service <name>',
    'the service',
    serviceNamed(context),
  );

/** Makes a group of commands. */
export const commandGroup = ([name, description]: Named, commands: readonly Command[]): Command =>
  commands.reduce(
    (group, command) => group.addCommand(command),
    new Command(name).description(description),
  );

/**
 * Makes a required option whose value is secret, or may hold a password. All users of the machine can read the arguments of a
 * program, so the value may be `-`, for a line of the standard input, or an environment variable.
 */
export const secretOption = (flags: string, description: string, variable: string): Option =>
  new Option(flags, `${description}; "-" reads it from standard input`)
    .env(variable)
    .makeOptionMandatory();

/** Reads the value of a secret option. */
export const secretOf = ({ readLine }: AdminContext, value: string): string | Promise<string> =>
  value === '-' ? readLine() : value;

/** Makes the reader of an option that is a whole number. */
export const wholeNumberUpTo =
  (most: number) =>
  (text: string): number => {
    const read = integer(1, most)(text);
    if ('value' in read) return read.value;
    throw new InvalidArgumentError(`It ${read.problem}.`);
  };

/** Collects the values of an option that may be repeated. */
export const gather = (value: string, gathered: readonly string[] = []): readonly string[] => [
  ...gathered,
  value,
];
