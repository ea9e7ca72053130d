/** `admin token …` and `admin session …`: the access tokens of users, and their sign-ins. */

import { type Command, InvalidArgumentError } from 'commander';
import { digest, newToken } from '../../identity/token';
import { Refusal } from '../../storage/connections/database-errors';
import { knexTokens, type StoredToken } from '../../storage/identity/tokens';
import { knexAccounts } from '../../storage/identity/users';
import type { AdminContext, AdminService } from './admin-context';
import {
  commandGroup,
  type OfService,
  rowLine,
  secretOf,
  serviceCommand,
  wholeNumberUpTo,
} from './declare-command';

const described = (token: StoredToken) => {
  const { key, kind, username, scopes, resources, client, createdAt, expiresAt } = token;
  return {
    ...{ id: key, kind: kind === 'page-login' ? 'oauth-page' : kind, user: username },
    // A sign-in may do all that its user may.
    scopes: kind === 'access-token' ? scopes : undefined,
    ...{ resources, client, createdAt, expiresAt },
  };
};

const tokensOf = async (context: AdminContext, { name }: AdminService) =>
  knexTokens(await context.database(), name);

const findUserKey = async (context: AdminContext, { name }: AdminService, username: string) => {
  const account = await knexAccounts(await context.database(), name).find(username);
  if (!account) throw new Refusal(`There is no user "${username}" in ${name}.`);
  return account.key;
};

/** The kinds of lists: a sign-in is a token, too. */
type Noun = 'token' | 'session';

interface Wanted extends OfService {
  readonly token?: string;
  readonly id?: string;
  readonly user?: string;
  readonly client?: string;
}

const find = async (context: AdminContext, noun: Noun, wanted: Wanted): Promise<StoredToken[]> => {
  const { service, token, id, user, client } = wanted;
  const values = {
    ...(token !== undefined && { hash: digest(await secretOf(context, token)) }),
    ...(id !== undefined && { key: id }),
    ...(user !== undefined && { user_key: await findUserKey(context, service, user) }),
  };
  const found = await (await tokensOf(context, service)).list(context.clock(), values);
  return found.filter(
    (token) =>
      (noun === 'token' || token.kind !== 'access-token') &&
      (client === undefined || token.client === client),
  );
};

const listAndRevoke = (context: AdminContext, noun: Noun, revokes: string): [Command, Command] => [
  serviceCommand(
    context,
    ['list', `print the ${noun}s that have not expired, one a line`],
    async (wanted: Wanted): Promise<Readonly<Record<string, readonly object[]>>> => ({
      [`${noun}s`]: (await find(context, noun, wanted)).map(described),
    }),
    (data) => Object.values(data).flat().map(rowLine),
  ).option('--user <name>', 'of this user alone'),
  serviceCommand(
    context,
    ['revoke', revokes],
    async (wanted: Wanted) => {
      const { service, token, id, user } = wanted;
      if ([token, id, user].filter((choice) => choice !== undefined).length !== 1) {
        throw new Refusal(`Give either ${noun === 'token' ? '--token, ' : ''}--id or --user.`);
      }
      const found = await find(context, noun, wanted);
      const tokens = await tokensOf(context, service);
      const revoked = await tokens.revoke(found.map(({ key }) => key));
      if (user !== undefined || revoked > 0) return { revoked };
      throw new Refusal(`There is no such ${noun} in ${service.name}; it may have expired.`);
    },
    ({ revoked }, { user }) =>
      user === undefined
        ? `Revoked the ${noun}.`
        : `Revoked ${revoked} ${noun}${revoked === 1 ? '' : 's'}.`,
  )
    .option('--id <id>', `the id of the ${noun} in the list`, (text: string) => {
      // A key has four bytes.
      if (/^\d{1,10}$/.test(text) && Number(text) < 2 ** 31) return text;
      throw new InvalidArgumentError('It must be a number of the list.');
    })
    .option('--user <name>', `the user whose ${noun}s are all revoked`),
];

/** Makes the commands that issue, list and revoke access tokens. */
export const tokenCommands = (context: AdminContext): Command => {
  const create = serviceCommand(
    context,
    ['create', 'print a new access token; it cannot be shown again'],
    async (wanted: OfService & Readonly<{ user: string; scope: string; ttl: number }>) => {
      const { service, user, scope, ttl } = wanted;
      // Scopes stand between blanks (RFC 6749 section 3.3).
      const scopes = [...new Set(scope.split(/\s+/).filter((name) => name !== ''))];
      const unknown = scopes.find((name) => !service.scopes.includes(name));
      if (unknown !== undefined) {
        const known = service.scopes.join(', ') || 'none';
        throw new Refusal(`${service.name} knows no scope "${unknown}"; it knows: ${known}.`);
      }
      const userKey = await findUserKey(context, service, user);
      const tokens = await tokensOf(context, service);
      const grant = { kind: 'access-token', userKey, scopes, client: undefined } as const;
      const { secret, stored } = newToken(grant, ttl, context.clock());
      const isAdded = await tokens.add(stored);
      const added = isAdded && (await tokens.findActive(stored.hash, stored.createdAt));
      if (!added) throw new Refusal(`The user "${user}" is disabled, or has just been deleted.`);
      return { token: secret, ...described(added) };
    },
    ({ token }) => token,
  )
    .requiredOption('--user <name>', 'the user on whose behalf it is issued')
    .requiredOption('--scope <scopes>', 'the granted scopes, separated by blanks')
    .option(
      '--ttl <seconds>',
      'lifetime in seconds',
      wholeNumberUpTo(10 * 365 * 24 * 60 * 60),
      context.settings.config.tokenTtlSeconds,
    );

  const revokes = 'revoke a token, or all tokens and logins of a user';
  const [list, revoke] = listAndRevoke(context, 'token', revokes);
  list.option('--client <id>', 'of this OAuth client alone');
  revoke.option('--token <token>', 'the token; "-" reads it from standard input');
  return commandGroup(['token', 'create, list and revoke access tokens'], [create, list, revoke]);
};

/** Makes the commands that list and revoke the sign-ins of users. */
export const sessionCommands = (context: AdminContext): Command =>
  commandGroup(
    ['session', 'list and revoke sign-ins'],
    listAndRevoke(context, 'session', 'end a sign-in, or all of a user; access tokens stay'),
  );
