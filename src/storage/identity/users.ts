/** The users of a service: what the document says of a user, beside the name and the password's hash. */

import { comparableUserName, userNameProblem } from '../../base/precis';
import { HttpError } from '../../engine';
import { idsOf } from '../collections/ids';
import { idAsText } from '../collections/item-pages';
import {
  type DocumentRow,
  requireValid,
  requireValidChange,
  type TextCodec,
} from '../collections/item-schema';
import type { Database } from '../database/database';
import type { Transaction } from '../database/transaction';
import { deleteReturning, isUniqueViolation } from '../sql/dialect';
import { searchKey } from '../sql/search-key';
import { param, paramsOf } from '../sql/statement';
import { credentialsEnder } from './end-credentials';

/** What storage itself reads of a user. A schema that declares no id gets none. */
export interface IdentifiedUser {
  readonly id?: bigint | undefined;
  readonly username?: string | undefined;
}

/** A user to be created. */
interface NewUser<User> {
  readonly user: User;
  /** Undefined: the user cannot sign in. */
  readonly passwordHash: string | undefined;
}

/** `User` is the type without a password: none is ever stored with the user, nor given back. */
export interface UserStorage<User> {
  find(username: string): Promise<User | undefined>;
  /**
   * Tells whether `add` would find one of the names in use, or twice. Throws HttpError `invalid-body` for a text that is no user
   * name, and where a name is missing.
   */
  isAnyTaken(usernames: readonly (string | undefined)[]): Promise<boolean>;
  /**
   * Creates all of them and resolves to them in the same order, or creates none: `taken` where a name or an id is in use
   * or comes twice, or a name that is the same by PRECIS (RFC 8265). Assigns an id where there is none. Throws HttpError
   * `invalid-body` for a text that is no user name, and where a name is missing: nobody could find such a user.
   */
  add(users: readonly NewUser<User>[]): Promise<User[] | 'taken'>;
  /**
   * Replaces all but what is missing of id, name and password hash. Tokens follow to a new name; a new password hash ends
   * all logins, access tokens and authorization codes of the user but the caller's own. `taken` where a new name or id is
   * somebody else's; throws HttpError `invalid-body` where it is no user name.
   */
  replace(
    username: string,
    user: User,
    passwordHash: string | undefined,
    caller?: { readonly credentialId: string },
  ): Promise<User | 'unknown' | 'taken'>;
  /** The user's tokens end with the user. False where there is none. */
  remove(username: string): Promise<boolean>;
}

class NameOrIdTaken extends Error {}

const orTaken = async <Value>(change: Promise<Value>): Promise<Value | 'taken'> => {
  try {
    return await change;
  } catch (error) {
    if (error instanceof NameOrIdTaken || isUniqueViolation(error)) return 'taken';
    throw error;
  }
};

interface UserRow extends Pick<DocumentRow, 'format'> {
  readonly key: number | string;
  readonly id: string;
  readonly comparable_key: string | null;
  readonly password_hash: string | null;
}

const columns = [
  ...(['id', 'username', 'username_key', 'comparable_key'] as const),
  ...(['password_hash', 'document', 'format'] as const),
];

/** Makes the key that a new name is compared by. Throws HttpError `invalid-body` where it is no user name, or missing. */
const comparableKeyOf = (username: string | undefined): string => {
  const problem = username === undefined ? 'is required' : userNameProblem(username);
  if (problem !== undefined) {
    throw new HttpError(400, 'invalid-body', `The user name ${problem}.`, {
      errors: [{ in: 'body', path: '', message: `the user name ${problem}` }],
    });
  }
  return searchKey(comparableUserName(username ?? ''));
};

type UserValues = Readonly<Record<(typeof columns)[number], string | null>>;

/** Stores users in the table `users`. */
export const knexUsers = <User extends IdentifiedUser>(
  db: Database,
  service: string,
  codec: TextCodec<User>,
): UserStorage<User> => {
  const { knex, prepare, all, transaction } = db;
  const ids = idsOf(db, service, 'users');
  const endCredentials = credentialsEnder(db);
  const named = () => knex('users').where({ service, username_key: param('name') });
  const find = prepare<{ name: string }, DocumentRow>(named().select('document', 'format'));
  const taken = prepare<{ name: string; comparable: string }, { key: number | string }>(
    knex('users')
      .where({ service })
      .where((either) =>
        either
          .where({ username_key: param('name') })
          .orWhere({ comparable_key: param('comparable') }),
      )
      .select('key'),
  );
  const lock = prepare<{ name: string }, UserRow>(
    named().forUpdate().select('key', 'comparable_key', 'password_hash', 'format', idAsText(knex)),
  );
  const insert = prepare<UserValues, never>(
    knex('users')
      .insert({ service, ...paramsOf(columns) })
      .onConflict(['service', 'id'])
      .ignore(),
  );
  const update = prepare<UserValues & { key: string | number }, never>(
    knex('users')
      .where({ key: param('key') })
      .update(paramsOf(columns)),
  );
  const remove = prepare<{ name: string }, { id: string }>(
    deleteReturning(knex, named(), [idAsText(knex)]),
  );

  /** Only what the schema declares; not the password, even if it came. */
  const declared = (user: User): User => {
    const copy = { ...user };
    Reflect.deleteProperty(copy, 'password');
    return codec.read(codec.write(copy));
  };

  const valuesOf = (user: User, id: bigint, comparable: string | null, hash: string | null) => ({
    id: id.toString(),
    username: user.username ?? null,
    username_key: user.username === undefined ? null : searchKey(user.username),
    comparable_key: comparable,
    password_hash: hash,
    document: codec.store(user),
    format: codec.format,
  });

  const add = async (trx: Transaction, { user, passwordHash }: NewUser<User>): Promise<User> => {
    const stored = declared(user);
    const comparable = comparableKeyOf(stored.username);
    let document = '';
    const id = await ids.insert(trx, stored.id, async (free) => {
      const values = valuesOf({ id: free, ...stored }, free, comparable, passwordHash ?? null);
      document = values.document;
      return (await trx.run(insert, values)) === 1;
    });
    if (id === undefined) throw new NameOrIdTaken();
    return codec.read(document);
  };

  const changedValues = (old: UserRow, username: string, user: User, hash: string | undefined) => {
    const { id, ...rest } = { id: BigInt(old.id), username, ...declared(user) };
    const isRenamed = rest.username !== username;
    // A name that stays may be older than what names must be today.
    const comparable = isRenamed ? comparableKeyOf(rest.username) : old.comparable_key;
    return valuesOf({ id, ...rest } as User, id, comparable, hash ?? old.password_hash);
  };

  return {
    async find(username) {
      const [row] = await all(find, { name: searchKey(username) });
      const found = row && codec.serialized(row.document, row.format);
      return row && requireValid(found, service, 'users', username).read();
    },

    async isAnyTaken(usernames) {
      const names = usernames.map((name) => ({
        name: searchKey(name ?? ''),
        comparable: comparableKeyOf(name),
      }));
      if (new Set(names.map(({ comparable }) => comparable)).size < names.length) return true;
      const found = await Promise.all(names.map((name) => all(taken, name)));
      return found.some((rows) => rows.length > 0);
    },

    add: (users) =>
      orTaken(
        transaction(async (trx) => {
          const created: User[] = [];
          for (const user of users) created.push(await add(trx, user));
          return created;
        }, ids.lock),
      ),

    replace: (username, user, passwordHash, caller) =>
      orTaken(
        transaction(async (trx): Promise<User | 'unknown'> => {
          const [old] = await trx.all(lock, { name: searchKey(username) });
          if (old === undefined) return 'unknown';
          const values = changedValues(old, username, user, passwordHash);
          requireValidChange(codec, old, values.document, service, 'users', username);
          await trx.send(update, { ...values, key: old.key });
          // The id that was given up is not assigned again.
          if (values.id !== old.id) await ids.giveUp(trx, BigInt(old.id));
          if (passwordHash !== undefined) {
            await endCredentials(trx, String(old.key), caller?.credentialId);
          }
          return codec.read(values.document);
        }),
      ),

    remove: (username) =>
      transaction(async (trx) => {
        const [removed] = await trx.all(remove, { name: searchKey(username) });
        if (removed === undefined) return false;
        await ids.giveUp(trx, BigInt(removed.id));
        return true;
      }),
  };
};
