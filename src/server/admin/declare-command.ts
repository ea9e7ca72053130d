/** Declares the admin commands, and prints their outcomes. */

import { Command, InvalidArgumentError, Option } from 'commander';
import type { AdminContext, ServiceFacts } from './admin-context';

type Named = readonly [name: string, description: string];

/**
 * Makes a command; its options are added by the caller.
 *
 * @param run - runs the command with its options and its argument; resolves to the lines to print
 */
export const command = <Options>(
  { print }: AdminContext,
  [name, description]: Named,
  run: (options: Options, argument: string) => Promise<string | readonly string[]>,
): Command => {
  const made = new Command(name).description(description);
  return made.action(async () => {
    const outcome = await run(made.opts() as Options, made.args[0] ?? '');
    for (const line of [outcome].flat()) print(line);
  });
};

/** Finds the service that an option names. */
export const serviceNamed =
  ({ services }: AdminContext) =>
  (wanted: string): ServiceFacts => {
    const found = services.find((service) => service.name === wanted);
    if (found) return found;
    const names = services.map((service) => service.name).join(', ');
    throw new InvalidArgumentError(`There is no such service; there are: ${names}.`);
  };

/** Makes a command with the option `--service`, which must be given. */
export const serviceCommand = <Options = object>(
  context: AdminContext,
  named: Named,
  run: (
    options: Options & { readonly service: ServiceFacts },
  ) => Promise<string | readonly string[]>,
): Command =>
  command(context, named, run).requiredOption(
    '--service <name>',
    'the service',
    serviceNamed(context),
  );

/** Makes a group of commands. */
export const commandGroup = ([name, description]: Named, commands: readonly Command[]): Command =>
  commands.reduce(
    (group, one) => group.addCommand(one),
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

/** Collects the values of an option that may be repeated. */
export const gather = (value: string, gathered: readonly string[] = []): readonly string[] => [
  ...gathered,
  value,
];
