/** The users of a service: what the document says of a user, beside the name and the password's hash. */

import type { Database } from './database';
import { insertUnderId, removeUnderId } from './ids';
import type { TextCodec } from './text-codec';
import { isUniqueViolation } from './unique-violation';

/** What storage itself reads of a user. A schema that declares no id gets none. */
export interface IdentifiedUser {
  readonly id?: bigint | undefined;
  readonly username?: string | undefined;
}

/** A user to be created. */
export interface NewUser<User> {
  readonly user: User;
  /** Undefined: nobody can sign in as this user. */
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

class NameOrIdTaken extends Error {}

const orTaken = async <Value>(change: Promise<Value>): Promise<Value | 'taken'> => {
  try {
    return await change;
  } catch (error) {
    if (error instanceof NameOrIdTaken || isUniqueViolation(error)) return 'taken';
    throw error;
  }
};

/** Keeps users in the table `users`. */
export const knexUsers = <User extends IdentifiedUser>(
  db: Database,
  service: string,
  codec: TextCodec<User>,
): UserStorage<User> => {
  const kind = `${service}/users`;

  const findRow = async (source: Database, username: string) => {
    const row: { key: number; id: string; document: string } | undefined = await source('users')
      .where({ service, username })
      .forUpdate()
      // The driver reads integers as doubles, which lose digits above 2^53.
      .first('key', 'document', source.raw('cast(id as text) as id'));
    return row && { key: row.key, id: BigInt(row.id), document: row.document };
  };

  /** Only what the schema declares; not the password, even if it came. */
  const declared = (user: User): User => {
    const copy = { ...user };
    Reflect.deleteProperty(copy, 'password');
    return codec.read(codec.write(copy));
  };

  const insert = async (trx: Database, { user, passwordHash }: NewUser<User>): Promise<User> => {
    const kept = declared(user);
    let document = '';
    const id = await insertUnderId(trx, kind, kept.id, async (free) => {
      document = codec.write({ id: free, ...kept });
      const inserted = await trx('users')
        .insert({
          service,
          id: free.toString(),
          username: kept.username ?? null,
          password_hash: passwordHash ?? null,
          document,
        })
        .onConflict(['service', 'id'])
        .ignore()
        .returning('key');
      return inserted.length === 1;
    });
    if (id === undefined) throw new NameOrIdTaken();
    return codec.read(document);
  };

  const replaceIn = async (
    trx: Database,
    username: string,
    user: User,
    passwordHash: string | undefined,
  ): Promise<User | 'unknown'> => {
    const old = await findRow(trx, username);
    if (!old) return 'unknown';
    const kept = declared(user);
    const named = { id: old.id, username, ...kept };
    const document = codec.write(named);
    const update = { id: named.id.toString(), username: named.username, document };
    await trx('users')
      .where({ key: old.key })
      .update(passwordHash === undefined ? update : { ...update, password_hash: passwordHash });
    // The id that was given up is not assigned again.
    if (named.id !== old.id) await removeUnderId(trx, kind, old.id, async () => true);
    return codec.read(document);
  };

  return {
    async find(username) {
      const row: { document: string } | undefined = await db('users')
        .where({ service, username })
        .first('document');
      return row && codec.read(row.document);
    },

    add: (users) =>
      orTaken(
        db.transaction(async (trx) => {
          const created: User[] = [];
          for (const user of users) created.push(await insert(trx, user));
          return created;
        }),
      ),

    replace: (username, user, passwordHash) =>
      orTaken(db.transaction((trx) => replaceIn(trx, username, user, passwordHash))),

    remove: (username) =>
      db.transaction(async (trx) => {
        const row = await findRow(trx, username);
        if (!row) return false;
        return removeUnderId(
          trx,
          kind,
          row.id,
          async () => (await trx('users').where({ key: row.key }).delete()) > 0,
        );
      }),
  };
};
