/**
 * The users of a service as a collection, keyed by user name, and their accounts, by which they sign in. Passwords are never stored
 * with a user: their hashes stand beside.
 */

import { comparableUserName, userNameProblem } from '../../base/text/precis';
import type { SerializedJson } from '../../engine';
import { fileOwnerChange } from '../collections/attached-files';
import { type ItemCondition, requireValid, requireValidChange } from '../collections/collection';
import { idsOf } from '../collections/ids';
import { idAsText } from '../collections/item-pages';
import type { DocumentRow, TextCodec } from '../collections/item-schema';
import { type Database, lockName, type Transaction } from '../database/database';
import { deleteReturning, isUniqueViolation, searchKey } from '../sql/dialect';
import { param, paramsOf } from '../sql/statement';
import { credentialsEnder, noKey } from './tokens';

/** The properties of a user that storage itself reads. A schema may declare neither. */
export interface IdentifiedUser {
  readonly id?: bigint | undefined;
  readonly username?: string | undefined;
}

/**
 * A collection of users, keyed by user name. A property `password` is never stored, nor given back. Names that are equal by PRECIS
 * (RFC 8265) are one name. `isTaken`, `insert` and `update` throw InvalidUserName where a name is missing or not a valid user name.
 */
export interface Users<User> {
  /** Finds the user of exactly that name. */
  get(username: string): Promise<SerializedJson<User> | undefined>;
  /** Tells whether a user has that name. To hash a password is slow, so ask before. */
  isTaken(username: string | undefined): Promise<boolean>;
  /**
   * Stores a new user, and assigns a missing id. Undefined where the name or the id is taken.
   *
   * @param passwordHash - without it the user cannot sign in
   */
  insert(user: User, passwordHash?: string): Promise<SerializedJson<User> | undefined>;
  /**
   * Changes a user. The id and the name stay where the result has none; tokens follow to a new name. Undefined where there is no
   * such user, or where a new name or id is taken.
   *
   * @param passwordHash - a new one ends all logins, access tokens and authorization codes of the user, except the caller's own
   */
  update(
    username: string,
    change: (user: User) => User,
    passwordHash?: string,
    caller?: { readonly credentialId: string },
    precondition?: ItemCondition<User>,
  ): Promise<SerializedJson<User> | undefined>;
  /** Deletes a user and the user's tokens; false where there is no such user. */
  delete(username: string, precondition?: ItemCondition<User>): Promise<boolean>;
}

/** Names a user where callers of several kinds are named: in principals, and as the owner of files. */
export const subjectOf = (username: string): string => `user:${username}`;

interface UserRow extends DocumentRow {
  readonly key: number;
  readonly id: string;
  readonly comparable_key: string | null;
  readonly password_hash: string | null;
}

const columns = [
  'id',
  'username',
  'username_key',
  'comparable_key',
  'password_hash',
  'document',
  'format',
] as const;

type UserValues = Readonly<Record<(typeof columns)[number], string | null>>;

/** The error of a name that no user can have. */
export class InvalidUserName extends Error {
  /** The end of a sentence about the user name. */
  readonly problem: string;

  constructor(problem: string) {
    super(`The user name ${problem}.`);
    this.problem = problem;
  }
}

/** Makes the key by which a new name is compared. Throws InvalidUserName. */
const comparableKeyOf = (username: string | undefined): string => {
  const problem = username === undefined ? 'is required' : userNameProblem(username);
  if (problem !== undefined) throw new InvalidUserName(problem);
  return searchKey(comparableUserName(username ?? ''));
};

/** Composes the statements; the result makes the users over the database, or over a transaction in it. */
export const usersOver = <User extends IdentifiedUser>(
  root: Database,
  service: string,
  codec: TextCodec<User>,
): ((db: Database) => Users<User>) => {
  const { knex, prepare } = root;
  const ids = idsOf(root, service, 'users');
  const endCredentials = credentialsEnder(root);
  const changeFileOwner = fileOwnerChange(root, service);
  const named = () => knex('users').where({ service, username_key: param('name') });
  const find = prepare<{ name: string }, DocumentRow>(named().select('document', 'format'), [
    'users',
  ]);
  const findOthers = prepare<{ key: string; name: string; comparable: string }, { key: number }>(
    knex('users')
      .where({ service })
      .whereNot('key', param('key'))
      .where((either) =>
        either
          .where('username_key', param('name'))
          .orWhere({ comparable_key: param('comparable') }),
      )
      .select('key'),
  );
  const lock = prepare<{ name: string }, UserRow>(
    named()
      .forUpdate()
      .select('key', 'comparable_key', 'password_hash', 'document', 'format', idAsText(knex)),
  );
  const insert = prepare<UserValues, never>(
    knex('users')
      .insert({ service, ...paramsOf(columns) })
      .onConflict()
      .ignore(),
  );
  const update = prepare<UserValues & { key: string }, never>(
    knex('users').where('key', param('key')).update(paramsOf(columns)),
  );
  const remove = prepare<{ name: string }, { id: string }>(
    deleteReturning(knex, named(), [idAsText(knex)]),
  );

  /** Copies what the schema declares of a user, except the password. */
  const declared = (user: User): User => {
    const copy = { ...user };
    Reflect.deleteProperty(copy, 'password');
    return codec.read(codec.write(copy));
  };

  const isNameTaken = async (
    read: Database['all'],
    username: string | undefined,
    comparable: string,
    key: string,
  ): Promise<boolean> =>
    (await read(findOthers, { key, name: searchKey(username ?? ''), comparable })).length > 0;

  const valuesOf = (
    user: User,
    id: bigint,
    comparable: string | null,
    passwordHash: string | null,
  ): UserValues & { readonly document: string } => ({
    id: id.toString(),
    username: user.username ?? null,
    username_key: user.username === undefined ? null : searchKey(user.username),
    comparable_key: comparable,
    password_hash: passwordHash,
    document: codec.store(user),
    format: codec.format,
  });

  const add = async (trx: Transaction, user: User, passwordHash: string | undefined) => {
    const given = declared(user);
    const comparable = comparableKeyOf(given.username);
    if (given.id !== undefined) await ids.give(trx, given.id);
    const id = given.id ?? (await ids.take(trx));
    const values = valuesOf({ id, ...given }, id, comparable, passwordHash ?? null);
    if ((await trx.run(insert, values)) === 0) return undefined;
    return codec.serialized(values.document, codec.format);
  };

  /** Makes the key by which the name of a changed user is compared; undefined where another user has it. */
  const changedKeyOf = async (
    trx: Transaction,
    old: UserRow,
    username: string | undefined,
    isRenamed: boolean,
  ): Promise<string | null | undefined> => {
    // A name that stays may be older than the rules for names.
    if (!isRenamed) return old.comparable_key;
    const comparable = comparableKeyOf(username);
    const isTaken = await isNameTaken(trx.all, username, comparable, String(old.key));
    return isTaken ? undefined : comparable;
  };

  const change = async (
    trx: Transaction,
    username: string,
    edit: (user: User) => User,
    passwordHash: string | undefined,
    keptCredential: string | undefined,
    precondition: ItemCondition<User> | undefined,
  ) => {
    const [old] = await trx.all(lock, { name: searchKey(username) });
    precondition?.(old && codec.serialized(old.document, old.format));
    if (old === undefined) return undefined;
    const key = String(old.key);
    const edited = declared(edit(codec.readCurrent(old.document)));
    const user = { id: BigInt(old.id), username, ...edited };
    const isRenamed = user.username !== username;
    const comparable = await changedKeyOf(trx, old, user.username, isRenamed);
    if (comparable === undefined) return undefined;
    const values = valuesOf(user, user.id, comparable, passwordHash ?? old.password_hash);
    requireValidChange(codec, old, values.document, service, 'users', username);
    if (values.id !== old.id) await ids.give(trx, user.id);
    await trx.send(update, { ...values, key });
    if (isRenamed) {
      const renamed = user.username === undefined ? undefined : subjectOf(user.username);
      await changeFileOwner(trx, subjectOf(username), renamed);
    }
    if (passwordHash !== undefined) await endCredentials(trx, key, keptCredential);
    return codec.serialized(values.document, codec.format);
  };

  return ({ all, transaction }) => ({
    async get(username) {
      const [row] = await all(find, { name: searchKey(username) });
      const found = row && codec.serialized(row.document, row.format);
      return row && requireValid(found, service, 'users', username);
    },

    async isTaken(username) {
      return isNameTaken(all, username, comparableKeyOf(username), noKey);
    },

    insert: (user, passwordHash) =>
      transaction((trx) => add(trx, user, passwordHash), lockName.counter(`${service}/users`)),

    async update(username, edit, passwordHash, caller, precondition) {
      const kept = caller?.credentialId;
      try {
        return await transaction((trx) =>
          change(trx, username, edit, passwordHash, kept, precondition),
        );
      } catch (error) {
        // The name or the id is in use.
        if (isUniqueViolation(error)) return undefined;
        throw error;
      }
    },

    delete: (username, precondition) =>
      transaction(async (trx) => {
        if (precondition !== undefined) {
          const [old] = await trx.all(lock, { name: searchKey(username) });
          precondition(old && codec.serialized(old.document, old.format));
        }
        await changeFileOwner(trx, subjectOf(username), undefined);
        const [removed] = await trx.all(remove, { name: searchKey(username) });
        return removed !== undefined;
      }),
  });
};

/** The account of a user. */
export interface Account {
  /** The key of the row, which stays when the name changes. */
  readonly key: string;
  readonly username: string;
  /** Undefined for a user without a password, who cannot sign in. */
  readonly passwordHash: string | undefined;
  /** Undefined for a user who may sign in; milliseconds since 1970. */
  readonly disabledAt: number | undefined;
}

interface AccountRow {
  readonly key: number;
  readonly username: string;
  readonly password_hash: string | null;
  readonly disabled_at: number | null;
}

const toAccount = ({ key, username, password_hash, disabled_at }: AccountRow): Account => ({
  key: String(key),
  username,
  passwordHash: password_hash ?? undefined,
  disabledAt: disabled_at ?? undefined,
});

/** The accounts of one service. */
export const knexAccounts = (db: Database, service: string) => {
  const { knex, prepare, all, transaction } = db;
  const accounts = () =>
    knex('users').where({ service }).select('key', 'username', 'password_hash', 'disabled_at');
  const named = () => accounts().where('username_key', param('name'));
  const find = prepare<{ name: string }, AccountRow>(named(), ['users']);
  const findComparable = prepare<{ name: string }, AccountRow>(
    accounts().where('comparable_key', param('name')),
    ['users'],
  );
  const list = prepare<Record<string, never>, AccountRow>(
    accounts().whereNotNull('username_key').orderBy('username_key'),
  );
  const findOpen = prepare<Record<string, never>, AccountRow>(
    accounts().whereNotNull('password_hash').whereNull('disabled_at').limit(1),
    ['users'],
  );
  const setDisabled = prepare<{ name: string; at: number | null }, { key: number }>(
    named()
      .update({ disabled_at: param('at') })
      .returning('key'),
    ['users'],
  );
  const endCredentials = credentialsEnder(db);
  return {
    /** Finds the account of exactly that name. */
    find: async (username: string): Promise<Account | undefined> =>
      (await all(find, { name: searchKey(username) })).map(toAccount)[0],
    /** Finds the account of that name, else the one whose name is equal by PRECIS (RFC 8265). */
    async findComparable(username: string): Promise<Account | undefined> {
      const [row] = await all(find, { name: searchKey(username) });
      const name = searchKey(comparableUserName(username));
      const found = row === undefined ? await all(findComparable, { name }) : [row];
      return found.map(toAccount)[0];
    },
    canAnySignIn: async (): Promise<boolean> => (await all(findOpen, {})).length > 0,
    /** Lists all accounts that have a name, by name. */
    list: async (): Promise<Account[]> => (await all(list, {})).map(toAccount),

    /** Notes since when a user is disabled, or null, and ends the user's tokens and codes; false where there is no such user. */
    setDisabled: (username: string, at: number | null): Promise<boolean> =>
      transaction(async (trx) => {
        const [row] = await trx.all(setDisabled, { name: searchKey(username), at });
        if (row !== undefined) await endCredentials(trx, String(row.key), undefined);
        return row !== undefined;
      }),
  };
};

export type AccountStorage = ReturnType<typeof knexAccounts>;
