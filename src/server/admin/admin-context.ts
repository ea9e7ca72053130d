/** The context of the admin commands: services, database and terminal. */

import { type ApiDocument, schemaContext } from '../../engine';
import { textCodec } from '../../host/item-codec';
import { declaredSchema, itemSchemas, plainUsers } from '../../host/item-schemas';
import { documentScopes } from '../../identity/oauth/authorization-server';
import type { Passwords } from '../../identity/password';
import { scalarReader } from '../../schema/scalars';
import type { TextCodec } from '../../storage/collections/item-schema';
import type { CollectionDeclaration } from '../../storage/collections/register-collections';
import { Refusal } from '../../storage/connections/database-errors';
import type { Database } from '../../storage/database/database';
import type { IdentifiedUser } from '../../storage/identity/users';
import { openServiceStorage } from '../../storage/storage';
import { migrateOwn, type OwnMigration } from '../../storage/tables/own-migrations';
import type { Settings } from '../config/config';

/** The surroundings of the commands. */
export interface AdminContext {
  readonly settings: Settings;
  readonly services: readonly AdminService[];
  readonly unserved: readonly string[];
  /** Opens the database at the first call. */
  database(): Promise<Database>;
  readonly passwords: Passwords;
  /** Gives milliseconds since 1970. */
  clock(): number;
  print(line: string): void;
  readLine(): Promise<string>;
  loadModule(file: string): Promise<Readonly<Record<string, unknown>>>;
}

/** The properties that every user has, even if the schema does not declare them. */
const credentials: ReadonlySet<string> = new Set(['username', 'password']);

/**
 * Makes the service of a document.
 *
 * @param accounts - the schema of users that its handlers declare
 * @param origin - that of the addresses of files, which are judged as they are answered; stored items do not contain it
 */
export const adminService = (
  document: ApiDocument,
  accounts: CollectionDeclaration | undefined,
  collections: Readonly<Record<string, CollectionDeclaration>> = {},
  origin = 'http://localhost',
  migrations: readonly OwnMigration[] = [],
) => {
  const context = schemaContext(document);
  const { shapeOf, validators } = context;
  // Read only by commands that need it, so that the others work with an invalid schema.
  const schema = () => declaredSchema(document, accounts ?? plainUsers);
  const fileUrl = (id: string): string => `${origin}${document.basePath}/files/${id}`;
  const collectionSchema = itemSchemas(document, context, { fileUrl });
  return {
    name: document.name,
    scopes: documentScopes(document).all.toSorted(),
    collections,
    migrations,
    /** Runs the migrations of its own tables; gives the files of those that it ran. */
    async migrate(db: Database): Promise<readonly string[]> {
      if (migrations.length === 0) return migrateOwn(db, document.name, migrations);
      const files = { url: fileUrl, maxItemBytes: 0, maxOwnerBytes: 0 };
      const declared = { service: document.name, collections, accounts, files };
      const storage = await openServiceStorage(db, {
        ...declared,
        schemaOf: (one) => collectionSchema(one),
      });
      return storage.migrate(migrations);
    },
    /** Finds the schemas of its collections, by name; throws UnusableSchema. */
    collectionSchemas: () =>
      new Map(
        Object.entries(collections).map(([name, declared]) => [name, collectionSchema(declared)]),
      ),
    /** Tells whether the schema of a collection, or of the users, declares a property. */
    declares(collection: string, property: string): boolean {
      const declared = collection === 'users' ? accounts : collections[collection];
      const shapeOfItems = declared && shapeOf(declaredSchema(document, declared));
      return shapeOfItems?.properties.has(property) === true;
    },
    /** Finds the schema of the users that its handlers declare; undefined where they declare none. Throws UnusableSchema. */
    userSchema: () => accounts && collectionSchema(accounts),
    userCodec: () =>
      textCodec(schema(), document, context) as TextCodec<object> as TextCodec<IdentifiedUser>,
    /** Reads the properties of a user, given as text, by the schema. Throws Refusal where one does not fit. */
    readUser(fields: ReadonlyMap<string, string>): IdentifiedUser {
      const { properties } = shapeOf(schema());
      const readField = (name: string, text: string): unknown => {
        const property = properties.get(name);
        if (property) return scalarReader(property)(text);
        if (credentials.has(name)) return text;
        const known = [...properties.keys()].filter((key) => !credentials.has(key)).join(', ');
        throw new Refusal(`A user has no field "${name}"; there are: ${known || 'none'}.`);
      };
      const user = Object.fromEntries(
        [...fields].map(([name, text]) => [name, readField(name, text)]),
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

/** One service, for the admin commands. */
export type AdminService = ReturnType<typeof adminService>;
