/** What the admin commands work with, and how they refuse. */

import { Command, InvalidArgumentError, Option } from 'commander';
import type { Passwords } from '../identity/password';
import type { TextCodec } from '../storage/collections/lists/item-pages';
import type { Database } from '../storage/database/database';
import type { IdentifiedUser } from '../storage/identity/users';

/** What the admin commands need to know of one service. */
export interface ServiceFacts {
  readonly name: string;
  /** Every scope that the document declares or requires. */
  readonly scopes: readonly string[];
  userCodec(): TextCodec<IdentifiedUser>;
  /** Reads a user's properties, given as text, by the service's schema. Throws Refusal where one does not fit. */
  readUser(fields: ReadonlyMap<string, string>): IdentifiedUser;
}

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

/** A command that makes no sense or asks for what does not exist; the message is one sentence for the operator. */
export class Refusal extends Error {}

const serviceOption = ({ services }: AdminContext): Option =>
  new Option('--service <name>', 'the service').makeOptionMandatory().argParser((name) => {
    if (services.some((service) => service.name === name)) return name;
    const names = services.map((service) => service.name).join(', ');
    throw new InvalidArgumentError(`There is no such service; there are: ${names}.`);
  });

/** A group of commands, each of which is given `--service NAME`. */
export const commandGroup = (
  context: AdminContext,
  group: readonly [name: string, description: string],
  commands: readonly Command[],
): Command => {
  const [name, description] = group;
  const made = new Command(name).description(description);
  for (const command of commands) made.addCommand(command.addOption(serviceOption(context)));
  return made;
};

/** The facts of a service that `--service` names. */
export const serviceNamed = ({ services }: AdminContext, name: string): ServiceFacts => {
  const found = services.find((service) => service.name === name);
  if (!found) throw new Refusal(`There is no service "${name}".`);
  return found;
};

/** The value of an option that may be `-`: then the first line of the standard input, which no process list shows. */
export const secretOf = (context: AdminContext, value: string): string | Promise<string> =>
  value === '-' ? context.readLine() : value;

/** Gathers an option that may be given more than once. */
export const gather = (value: string, gathered: readonly string[] = []): readonly string[] => [
  ...gathered,
  value,
];
