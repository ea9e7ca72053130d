/** The users of a service: what the document says of a user, beside the name and the password's hash. */

import { HttpError } from '../../../engine';
import { idsOf } from '../collections/ids';
import { idAsText } from '../collections/lists/item-pages';
import type { TextCodec } from '../collections/lists/text-codec';
import type { Database } from '../database/database';
import type { Transaction } from '../database/transaction';
import { deleteReturning } from '../sql/delete-returning';
import { searchKey } from '../sql/search-key';
import { param } from '../sql/statement';
import { isUniqueViolation } from '../sql/unique-violation';

/** What storage itself reads of a user. A schema that declares no id gets none. */
export interface IdentifiedUser {
  readonly id?: bigint | undefined;
  readonly username?: string | undefined;
}

/** A user to be created. */
export interface NewUser<User> {
  readonly user: User;
  /** Undefined: the user cannot sign in. */
  readonly passwordHash: string | undefined;
}

/** `User` is the type without a password: none is ever kept with the user, nor given back. */
export interface UserStorage<User> {
  find(username: string): Promise<User | undefined>;
  /**
   * Creates all of them and resolves to them in the same order, or creates none: `taken` where a name or an id is in use
   * or comes twice. Assigns an id where there is none.
   */
  add(users: readonly NewUser<User>[]): Promise<User[] | 'taken'>;
  /**
   * Replaces all but what is missing of id, name and password hash. Tokens follow to a new name. `taken` where a new name
   * or id is somebody else's.
   */
  replace(
    username: string,
    user: User,
    passwordHash: string | undefined,
  ): Promise<User | 'unknown' | 'taken'>;
  /** The user's tokens end with the user. False where there is none. */
  remove(username: string): Promise<boolean>;
}

/** Stands in for users without a usable schema: the operations that need them answer 501. */
export const unusableUsers = (reason: string): UserStorage<IdentifiedUser> => {
  const refuse = (): never => {
    throw new HttpError(501, 'not-implemented', reason);
  };
  return { find: refuse, add: refuse, replace: refuse, remove: refuse };
};

class NameOrIdTaken extends Error {}

const orTaken = async <Value>(change: Promise<Value>): Promise<Value | 'taken'> => {
  try {
    return await change;
  } catch (error) {
    if (error instanceof NameOrIdTaken || isUniqueViolation(error)) return 'taken';
    throw error;
  }
};

interface UserRow {
  readonly key: number | string;
  readonly id: string;
}

type UserValues = Readonly<{
  id: string;
  username: string | null;
  nameKey: string | null;
  hash: string | null;
  document: string;
  format: string;
}>;

/** Keeps users in the table `users`. */
export const knexUsers = <User extends IdentifiedUser>(
  db: Database,
  service: string,
  codec: TextCodec<User>,
): UserStorage<User> => {
  const { knex, prepare } = db;
  const ids = idsOf(db, service, 'users');
  const named = () => knex('users').where({ service, username_key: param('nameKey') });
  const columns = {
    id: param('id'),
    username: param('username'),
    username_key: param('nameKey'),
    password_hash: param('hash'),
    document: param('document'),
    format: param('format'),
  };

  const find = prepare<{ nameKey: string }, { document: string }>(named().select('document'));
  const lock = prepare<{ nameKey: string }, UserRow & { password_hash: string | null }>(
    named().forUpdate().select('key', 'password_hash', idAsText(knex)),
  );
  const insert = prepare<UserValues, never>(
    knex('users')
      .insert({ service, ...columns })
      .onConflict(['service', 'id'])
      .ignore(),
  );
  const update = prepare<UserValues & { key: string | number }, never>(
    knex('users')
      .where({ key: param('key') })
      .update(columns),
  );
  const remove = prepare<{ nameKey: string }, { id: string }>(
    deleteReturning(knex, named(), [idAsText(knex)]),
  );

  /** Only what the schema declares; not the password, even if it came. */
  const declared = (user: User): User => {
    const copy = { ...user };
    Reflect.deleteProperty(copy, 'password');
    return codec.read(codec.write(copy));
  };

  const valuesOf = (user: User, id: bigint, hash: string | null): UserValues => ({
    id: id.toString(),
    username: user.username ?? null,
    nameKey: user.username === undefined ? null : searchKey(user.username),
    hash,
    document: codec.write(user),
    format: codec.format,
  });

  const add = async (trx: Transaction, { user, passwordHash }: NewUser<User>): Promise<User> => {
    const kept = declared(user);
    let document = '';
    const id = await ids.insert(trx, kept.id, async (free) => {
      const values = valuesOf({ id: free, ...kept }, free, passwordHash ?? null);
      document = values.document;
      return (await trx.run(insert, values)) === 1;
    });
    if (id === undefined) throw new NameOrIdTaken();
    return codec.read(document);
  };

  const replace = async (
    trx: Transaction,
    username: string,
    user: User,
    passwordHash: string | undefined,
  ): Promise<User | 'unknown'> => {
    const [old] = await trx.all(lock, { nameKey: searchKey(username) });
    if (old === undefined) return 'unknown';
    const oldId = BigInt(old.id);
    const { id, ...named } = { id: oldId, username, ...declared(user) };
    const whole = { id, ...named } as User;
    const values = valuesOf(whole, id, passwordHash ?? old.password_hash);
    await trx.run(update, { ...values, key: old.key });
    // The id that was given up is not assigned again.
    if (id !== oldId) await ids.tombstone(trx, oldId);
    return codec.read(values.document);
  };

  return {
    async find(username) {
      const [row] = await db.all(find, { nameKey: searchKey(username) });
      return row && codec.read(row.document);
    },

    add: (users) =>
      orTaken(
        db.transaction(async (trx) => {
          const created: User[] = [];
          for (const user of users) created.push(await add(trx, user));
          return created;
        }, ids.lock),
      ),

    replace: (username, user, passwordHash) =>
      orTaken(db.transaction((trx) => replace(trx, username, user, passwordHash))),

    remove: (username) =>
      db.transaction(async (trx) => {
        const [removed] = await trx.all(remove, { nameKey: searchKey(username) });
        if (removed === undefined) return false;
        await ids.tombstone(trx, BigInt(removed.id));
        return true;
      }),
  };
};
