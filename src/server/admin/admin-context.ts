/** What the admin commands work with, and how they are made. */

import { Command, InvalidArgumentError } from 'commander';
import type { Passwords } from '../identity/password';
import type { Database } from '../storage/database/database';
import type { ServiceFacts } from './service-facts';

/** The world outside of the commands. */
export interface AdminContext {
  readonly services: readonly ServiceFacts[];
  /** Where the database is; it may hold a password. */
  readonly databaseUrl: string;
  /** Opens the database at the first call. */
  database(): Promise<Database>;
  readonly passwords: Passwords;
  readonly tokenTtlSeconds: number;
  /** Milliseconds since 1970. */
  clock(): number;
  /** Writes one line for the caller. */
  print(line: string): void;
  /** The first line of the standard input. */
  readLine(): Promise<string>;
}

type Named = readonly [name: string, description: string];

/** A group of commands. */
export const commandGroup = ([name, description]: Named, commands: readonly Command[]): Command =>
  commands.reduce(
    (group, command) => group.addCommand(command),
    new Command(name).description(description),
  );

/** A command on the service that `--service` names; further options are the caller's to add. */
export const serviceCommand = <Options = object>(
  { services }: AdminContext,
  [name, description]: Named,
  act: (service: ServiceFacts, options: Options) => Promise<void>,
): Command => {
  const find = (wanted: string): ServiceFacts => {
    const found = services.find((service) => service.name === wanted);
    if (found) return found;
    const names = services.map((service) => service.name).join(', ');
    throw new InvalidArgumentError(`There is no such service; there are: ${names}.`);
  };
  return new Command(name)
    .description(description)
    .requiredOption('--service <name>', 'the service', find)
    .action(({ service, ...options }) => act(service, options));
};

/** Gathers an option that may be given more than once. */
export const gather = (value: string, gathered: readonly string[] = []): readonly string[] => [
  ...gathered,
  value,
];
