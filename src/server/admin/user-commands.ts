/** `admin user …` and `admin token …`: users, and access tokens that are issued on their behalf. */

import { type Command, InvalidArgumentError } from 'commander';
import { userNameProblem } from '../../base/text/precis';
import { Refusal } from '../../storage/connections/database-errors';
import { type Account, knexAccounts } from '../../storage/identity/accounts';
import { knexTokens } from '../../storage/identity/tokens';
import { usersOver } from '../../storage/identity/users';
import { passwordProblem } from '../identity/password';
import { digest, newSecret } from '../identity/token';
import type { AdminContext, AdminService } from './admin-context';
import {
  commandGroup,
  gather,
  type OfService,
  secretOf,
  secretOption,
  serviceCommand,
} from './declare-command';

const fieldsOf = (texts: readonly string[]): Map<string, string> =>
  new Map(
    texts.map((text) => {
      const equals = text.indexOf('=');
      if (equals < 1) throw new Refusal('A field is given as --field name=value.');
      return [text.slice(0, equals), text.slice(equals + 1)];
    }),
  );

const checkCredentials = (username: string, password: string, minLength: number): void => {
  if (username === '' || password === '') {
    throw new Refusal('Neither the user name nor the password may be empty.');
  }
  const nameProblem = userNameProblem(username);
  if (nameProblem !== undefined) throw new Refusal(`The user name ${nameProblem}.`);
  const problem = passwordProblem(password, minLength);
  if (problem !== undefined) throw new Refusal(`The password ${problem}.`);
};

interface NewUser extends OfService {
  readonly username: string;
  readonly password: string;
  readonly field?: readonly string[];
}

interface OfUser extends OfService {
  readonly username: string;
}

/** Makes the commands that create, list and delete users. */
export const userCommands = (context: AdminContext): Command => {
  const usersOf = async ({ name, userCodec }: AdminService) => {
    const db = await context.database();
    return usersOver(db, name, userCodec())(db);
  };

  const create = serviceCommand(
    context,
    ['create', 'create a user who can log in'],
    async ({ service, username, field = [], ...given }: NewUser) => {
      const password = await secretOf(context, given.password);
      checkCredentials(username, password, context.minPasswordLength);
      const fields = fieldsOf(field).set('username', username).set('password', password);
      const user = service.readUser(fields);
      const users = await usersOf(service);
      const passwordHash = await context.passwords.hash(password);
      if (await users.insert(user, passwordHash)) return { username };
      const taken = `The name "${username}", one like it, or the id is taken in ${service.name}.`;
      throw new Refusal(taken);
    },
    ({ username }, { service }) => `Created the user "${username}" of ${service.name}.`,
  )
    .requiredOption('--username <name>', 'the name to log in with')
    .addOption(secretOption('--password <password>', 'the password', 'USER_PASSWORD'))
    .option('--field <name=value>', 'a further property of the user; repeatable', gather);

  const list = serviceCommand(
    context,
    ['list', 'print the user names, one a line'],
    async ({ service }) => {
      const accounts = await knexAccounts(await context.database(), service.name).list();
      return { users: accounts.map(({ username }) => ({ username })) };
    },
    ({ users }) => users.map(({ username }) => username),
  );

  const remove = serviceCommand(
    context,
    ['delete', 'delete a user and revoke all tokens of the user'],
    async ({ service, username }: OfUser) => {
      if (await (await usersOf(service)).delete(username)) return { username };
      throw new Refusal(`There is no user "${username}" in ${service.name}.`);
    },
    ({ username }, { service }) =>
      `Deleted the user "${username}" of ${service.name} and all tokens of the user.`,
  ).requiredOption('--username <name>', 'the name to log in with');

  return commandGroup(['user', 'create, list and delete users'], [create, list, remove]);
};

const longestTtl = 10 * 365 * 24 * 60 * 60;

const seconds = (text: string): number => {
  const value = Number(text);
  if (/^\d{1,10}$/.test(text) && value >= 1 && value <= longestTtl) return value;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${longestTtl}.`);
};

/** Reads a list of scopes between blanks (RFC 6749 section 3.3), each once. */
const scopesOf = (list: string, service: AdminService): string[] => {
  const scopes = [...new Set(list.split(/\s+/).filter((scope) => scope !== ''))];
  const unknown = scopes.find((scope) => !service.scopes.includes(scope));
  if (unknown !== undefined) {
    const known = service.scopes.join(', ') || 'none';
    throw new Refusal(`${service.name} knows no scope "${unknown}"; it knows: ${known}.`);
  }
  return scopes;
};

const revokedTokens = (count: number): string =>
  count === 1 ? 'Revoked 1 token.' : `Revoked ${count} tokens.`;

interface NewToken extends OfService {
  readonly user: string;
  readonly scope: string;
  readonly ttl?: number;
}

/** Makes the commands that issue and revoke access tokens. */
export const tokenCommands = (context: AdminContext): Command => {
  const accountOf = async ({ name }: AdminService, username: string): Promise<Account> => {
    const account = await knexAccounts(await context.database(), name).find(username);
    if (!account) throw new Refusal(`There is no user "${username}" in ${name}.`);
    return account;
  };

  const create = serviceCommand(
    context,
    ['create', 'print a new access token; it cannot be shown again'],
    async ({ service, user, scope, ttl = context.tokenTtlSeconds }: NewToken) => {
      const scopes = scopesOf(scope, service);
      const { key: userKey } = await accountOf(service, user);
      const token = newSecret();
      const createdAt = context.clock();
      const isAdded = await knexTokens(await context.database(), service.name).add({
        kind: 'access-token',
        hash: digest(token),
        userKey,
        scopes,
        client: undefined,
        createdAt,
        expiresAt: createdAt + ttl * 1000,
      });
      if (!isAdded) throw new Refusal(`The user "${user}" has just been deleted.`);
      return { token };
    },
    ({ token }) => token,
  )
    .requiredOption('--user <name>', 'the user on whose behalf it is issued')
    .requiredOption('--scope <scopes>', 'the granted scopes, separated by blanks')
    .option('--ttl <seconds>', 'lifetime in seconds', seconds, context.tokenTtlSeconds);

  const revoke = serviceCommand(
    context,
    ['revoke', 'revoke a token, or all tokens and logins of a user'],
    async ({ service, token, user }: OfService & { token?: string; user?: string }) => {
      if ((token === undefined) === (user === undefined)) {
        throw new Refusal('Give either --token or --user.');
      }
      const tokens = knexTokens(await context.database(), service.name);
      if (user !== undefined) {
        const { key } = await accountOf(service, user);
        return { revoked: await tokens.revokeAll(key) };
      }
      const hash = digest(await secretOf(context, token ?? ''));
      const active = await tokens.findActive(hash, context.clock());
      if (active && (await tokens.revoke(active.key))) return { revoked: 1 };
      throw new Refusal(`There is no such token in ${service.name}; it may have expired.`);
    },
    ({ revoked }, { user }) => (user === undefined ? 'Revoked the token.' : revokedTokens(revoked)),
  )
    .option('--token <token>', 'the token; "-" reads it from standard input')
    .option('--user <name>', 'the user whose tokens are all revoked');

  return commandGroup(['token', 'create and revoke access tokens'], [create, revoke]);
};
