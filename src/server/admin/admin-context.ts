/** What the admin commands work with, and how they are made. */

import { Command, InvalidArgumentError, Option } from 'commander';
import type { OpenAPIV3 } from 'openapi-types';
import { type ApiDocument, type Shape, scalarReader, schemaContext } from '../../engine';
import type { CollectionSchema } from '../../storage/collections/collection';
import type { TextCodec } from '../../storage/collections/lists/item-pages';
import type { CollectionDeclaration } from '../../storage/collections/register-collections';
import { Refusal } from '../../storage/connections/database-errors';
import type { Database } from '../../storage/database/database';
import type { IdentifiedUser } from '../../storage/identity/users';
import { documentScopes } from '../identity/oauth/authorization-server';
import type { Passwords } from '../identity/password';
import { textCodec } from '../services/item-codec';
import { declaredSchema, itemSchemas } from '../services/item-schemas';

/** The world outside of the commands. */
export interface AdminContext {
  readonly services: readonly ServiceFacts[];
  /** Why documents cannot be served, a line each. */
  readonly unserved: readonly string[];
  /** Where the database is; it may hold a password. */
  readonly databaseUrl: string;
  /** Where the running server is asked; undefined: nowhere. */
  readonly controlSocket: string | undefined;
  /** Opens the database at the first call. */
  database(): Promise<Database>;
  readonly passwords: Passwords;
  /** Characters that a new password has at least. */
  readonly minPasswordLength: number;
  readonly tokenTtlSeconds: number;
  /** Milliseconds since 1970. */
  clock(): number;
  /** Writes one line for the caller. */
  print(line: string): void;
  /** The first line of the standard input. */
  readLine(): Promise<string>;
  /** What a module of TypeScript or JavaScript exports. */
  loadModule(file: string): Promise<Readonly<Record<string, unknown>>>;
}

type Named = readonly [name: string, description: string];

/** A group of commands. */
export const commandGroup = ([name, description]: Named, commands: readonly Command[]): Command =>
  commands.reduce(
    (group, command) => group.addCommand(command),
    new Command(name).description(description),
  );

/**
 * A required option whose value is secret, or may hold a password: the arguments of a program can be read by all users of the
 * machine, so it may be given as `-`, for a line of the standard input, or as an environment variable.
 */
export const secretOption = (flags: string, description: string, variable: string): Option =>
  new Option(flags, `${description}; "-" reads it from standard input`)
    .env(variable)
    .makeOptionMandatory();

/** The value of a secret option. */
export const secretOf = ({ readLine }: AdminContext, value: string): string | Promise<string> =>
  value === '-' ? readLine() : value;

/** Finds the service that an option names. */
export const serviceNamed =
  ({ services }: AdminContext) =>
  (wanted: string): ServiceFacts => {
    const found = services.find((service) => service.name === wanted);
    if (found) return found;
    const names = services.map((service) => service.name).join(', ');
    throw new InvalidArgumentError(`There is no such service; there are: ${names}.`);
  };

/** A command on the service that `--service` names; further options are the caller's to add. */
export const serviceCommand = <Options = object>(
  context: AdminContext,
  [name, description]: Named,
  act: (service: ServiceFacts, options: Options) => Promise<void>,
): Command =>
  new Command(name)
    .description(description)
    .requiredOption('--service <name>', 'the service', serviceNamed(context))
    .action(({ service, ...options }) => act(service, options));

/** Gathers an option that may be given more than once. */
export const gather = (value: string, gathered: readonly string[] = []): readonly string[] => [
  ...gathered,
  value,
];

/** What the admin commands need to know of one service. */
export interface ServiceFacts {
  readonly name: string;
  /** Every scope that the document declares or requires. */
  readonly scopes: readonly string[];
  /** By the names of its collections; throws UnusableSchema. */
  collectionSchemas(): ReadonlyMap<string, CollectionSchema<object>>;
  /** Of the users that its handlers declare; undefined where they declare none. Throws UnusableSchema. */
  userSchema(): CollectionSchema<object> | undefined;
  userCodec(): TextCodec<IdentifiedUser>;
  /** Reads a user's properties, given as text, by the service's schema. Throws Refusal where one does not fit. */
  readUser(fields: ReadonlyMap<string, string>): IdentifiedUser;
}

/** Where the handlers declare no users, a user is a name and an id. */
const bareSchema: OpenAPIV3.SchemaObject = {
  type: 'object',
  properties: { id: { type: 'integer', format: 'int64' }, username: { type: 'string' } },
};

/** What every user has, whether or not the schema declares it. */
const credentials: ReadonlySet<string> = new Set(['username', 'password']);

const readField = (name: string, text: string, shape: Shape): unknown => {
  const property = shape.properties.get(name);
  if (property) return scalarReader(property)(text);
  if (credentials.has(name)) return text;
  const known = [...shape.properties.keys()].filter((key) => !credentials.has(key)).join(', ');
  throw new Refusal(`A user has no field "${name}"; there are: ${known || 'none'}.`);
};

/**
 * Takes the facts from a document.
 *
 * @param accounts - the schema of users that its handlers declare
 */
export const serviceFacts = (
  document: ApiDocument,
  accounts: CollectionDeclaration | undefined,
  collections: Readonly<Record<string, CollectionDeclaration>> = {},
): ServiceFacts => {
  const context = schemaContext(document);
  const { shapeOf, validators } = context;
  // Asked for only by commands that need it: an invalid schema must not keep the others from working.
  const schema = () => (accounts === undefined ? bareSchema : declaredSchema(document, accounts));
  const shape = (): Shape => shapeOf(schema());
  // Where files are given back is not known here; what is stored of their addresses does not say it.
  const fileUrl = (id: string): string => `${document.basePath}/files/${id}`;
  const schemaOf = itemSchemas(document, context, { fileUrl });
  return {
    name: document.name,
    scopes: [...documentScopes(document).known.keys()].sort(),
    collectionSchemas: () =>
      new Map(Object.entries(collections).map(([name, declared]) => [name, schemaOf(declared)])),
    userSchema: () => accounts && schemaOf(accounts),
    userCodec: () =>
      textCodec(schema(), document, context) as TextCodec<object> as TextCodec<IdentifiedUser>,
    readUser(fields) {
      const user = Object.fromEntries(
        [...fields].map(([name, text]) => [name, readField(name, text, shape())]),
      );
      const [problem] = validators.validatorOf(schema(), 'request')(user);
      if (problem) {
        throw new Refusal(
          `The ${document.name} document says of the field ${problem.path.slice(1)}: ${problem.message}.`,
        );
      }
      return user;
    },
  };
};
