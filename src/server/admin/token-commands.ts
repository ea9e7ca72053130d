/** `admin token …`: issues access tokens on behalf of users, and ends them. */

import { Command, InvalidArgumentError } from 'commander';
import { digest, newSecret } from '../identity/token';
import { knexTokens } from '../storage/identity/tokens';
import { type Account, knexAccounts } from '../storage/identity/users';
import {
  type AdminContext,
  commandGroup,
  Refusal,
  type ServiceFacts,
  secretOf,
  serviceNamed,
} from './admin-context';

interface CreateOptions {
  readonly service: string;
  readonly user: string;
  readonly scope: string;
  readonly ttl: number;
}

interface RevokeOptions {
  readonly service: string;
  readonly token?: string;
  readonly user?: string;
}

const longestTtl = 10 * 365 * 24 * 60 * 60;

const seconds = (text: string): number => {
  const value = Number(text);
  if (/^\d{1,10}$/.test(text) && value >= 1 && value <= longestTtl) return value;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${longestTtl}.`);
};

/** The scopes of a list separated by blanks (RFC 6749 section 3.3), each once. */
const scopesOf = (list: string, service: ServiceFacts): string[] => {
  const scopes = [...new Set(list.split(/\s+/).filter((scope) => scope !== ''))];
  const unknown = scopes.find((scope) => !service.scopes.includes(scope));
  if (unknown !== undefined) {
    const known = service.scopes.join(', ') || 'none';
    throw new Refusal(`${service.name} knows no scope "${unknown}"; it knows: ${known}.`);
  }
  return scopes;
};

const accountOf = async (
  context: AdminContext,
  service: string,
  username: string,
): Promise<Account> => {
  const account = await knexAccounts(await context.database(), service).find(username);
  if (!account) throw new Refusal(`There is no user "${username}" in ${service}.`);
  return account;
};

/** Makes the group of commands. */
export const tokenCommands = (context: AdminContext): Command => {
  const create = async (options: CreateOptions): Promise<void> => {
    const service = serviceNamed(context, options.service);
    const scopes = scopesOf(options.scope, service);
    const { key: userKey } = await accountOf(context, service.name, options.user);
    const token = newSecret();
    const createdAt = context.clock();
    const isAdded = await knexTokens(await context.database(), service.name).add({
      ...{ kind: 'access-token', hash: digest(token), userKey, scopes, client: undefined },
      ...{ createdAt, expiresAt: createdAt + options.ttl * 1000 },
    });
    if (!isAdded) throw new Refusal(`The user "${options.user}" has just been deleted.`);
    context.print(token);
  };

  const revoke = async ({ service, token, user }: RevokeOptions): Promise<void> => {
    if ((token === undefined) === (user === undefined)) {
      throw new Refusal('Give either --token or --user.');
    }
    const tokens = knexTokens(await context.database(), service);
    if (user !== undefined) {
      const { key } = await accountOf(context, service, user);
      context.print(`${await tokens.revokeAll(key)} tokens are ended.`);
      return;
    }
    const hash = digest(await secretOf(context, token ?? ''));
    const active = await tokens.findActive(hash, context.clock());
    if (!active || !(await tokens.revoke(active.key))) {
      throw new Refusal(`There is no such token in ${service}; it may have expired.`);
    }
    context.print('The token is ended.');
  };

  return commandGroup(
    context,
    ['token', 'create and revoke access tokens'],
    [
      new Command('create')
        .description('print a new access token; it cannot be shown again')
        .requiredOption('--user <name>', 'the user on whose behalf it is issued')
        .requiredOption('--scope <scopes>', 'the granted scopes, separated by blanks')
        .option('--ttl <seconds>', 'lifetime in seconds', seconds, context.tokenTtlSeconds)
        .action(create),
      new Command('revoke')
        .description('revoke a token, or all tokens and logins of a user')
        .option('--token <token>', 'the token; "-" reads it from standard input')
        .option('--user <name>', 'the user whose tokens are all ended')
        .action(revoke),
    ],
  );
};
