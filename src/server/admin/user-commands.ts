/** `admin user …`: the users of a service. */

import type { Command } from 'commander';
import { userNameProblem } from '../../base/text/precis';
import { passwordProblem } from '../../identity/password';
import { Refusal } from '../../storage/connections/database-errors';
import { knexAccounts, usersOver } from '../../storage/identity/users';
import type { AdminContext, AdminService } from './admin-context';
import {
  commandGroup,
  gather,
  type OfService,
  rowLine,
  secretOf,
  secretOption,
  serviceCommand,
} from './declare-command';

interface OfUser extends OfService {
  readonly username: string;
}

/** Makes the commands that create, list, disable, enable and delete users. */
export const userCommands = (context: AdminContext): Command => {
  const usersOf = async ({ name, userCodec }: AdminService) => {
    const db = await context.database();
    return usersOver(db, name, userCodec())(db);
  };
  const accountsOf = async ({ name }: AdminService) => knexAccounts(await context.database(), name);

  /** Makes a command that changes one user; the change resolves to false where there is no such user. */
  const changing = (
    named: readonly [name: string, description: string],
    change: (service: AdminService, username: string) => Promise<boolean>,
    done: (user: string) => string,
  ): Command =>
    serviceCommand(
      context,
      named,
      async ({ service, username }: OfUser) => {
        if (await change(service, username)) return { username };
        throw new Refusal(`There is no user "${username}" in ${service.name}.`);
      },
      ({ username }, { service }) => done(`the user "${username}" of ${service.name}`),
    ).requiredOption('--username <name>', 'the name to log in with');

  const create = serviceCommand(
    context,
    ['create', 'create a user who can log in'],
    async (wanted: OfUser & Readonly<{ password: string; field?: readonly string[] }>) => {
      const { service, username, field = [], ...given } = wanted;
      const password = await secretOf(context, given.password);
      if (username === '' || password === '') {
        throw new Refusal('Neither the user name nor the password may be empty.');
      }
      const nameProblem = userNameProblem(username);
      if (nameProblem !== undefined) throw new Refusal(`The user name ${nameProblem}.`);
      const problem = passwordProblem(password, context.settings.config.minPasswordLength);
      if (problem !== undefined) throw new Refusal(`The password ${problem}.`);
      const fields = new Map<string, string>();
      for (const text of field) {
        const equals = text.indexOf('=');
        if (equals < 1) throw new Refusal('A field is given as --field name=value.');
        fields.set(text.slice(0, equals), text.slice(equals + 1));
      }
      fields.set('username', username).set('password', password);
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
    ['list', 'print the user names, one a line, and who is disabled'],
    async ({ service }) => {
      const accounts = await (await accountsOf(service)).list();
      return { users: accounts.map(({ username, disabledAt }) => ({ username, disabledAt })) };
    },
    ({ users }) => users.map(rowLine),
  );

  return commandGroup(
    ['user', 'create, list, disable, enable and delete users'],
    [
      create,
      list,
      changing(
        ['disable', 'refuse a user every sign-in, and revoke all tokens and sessions of the user'],
        async (service, name) => (await accountsOf(service)).setDisabled(name, context.clock()),
        (user) => `Disabled ${user} and revoked all tokens of the user.`,
      ),
      changing(
        ['enable', 'let a disabled user sign in again'],
        async (service, name) => (await accountsOf(service)).setDisabled(name, null),
        (user) => `Enabled ${user}.`,
      ),
      changing(
        ['delete', 'delete a user and revoke all tokens of the user'],
        async (service, name) => (await usersOf(service)).delete(name),
        (user) => `Deleted ${user} and all tokens of the user.`,
      ),
    ],
  );
};
