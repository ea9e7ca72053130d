/** `admin user …`: creates, lists and deletes users. */

import { Command } from 'commander';
import { knexAccounts, knexUsers } from '../storage/identity/users';
import {
  type AdminContext,
  commandGroup,
  gather,
  Refusal,
  secretOf,
  serviceNamed,
} from './admin-context';

interface UserOptions {
  readonly service: string;
  readonly username: string;
}

interface CreateOptions extends UserOptions {
  readonly password: string;
  readonly field?: readonly string[];
}

const fieldsOf = (texts: readonly string[]): Map<string, string> =>
  new Map(
    texts.map((text) => {
      const equals = text.indexOf('=');
      if (equals < 1) throw new Refusal('A field is given as --field name=value.');
      return [text.slice(0, equals), text.slice(equals + 1)];
    }),
  );

/** Makes the group of commands. */
export const userCommands = (context: AdminContext): Command => {
  const create = async ({ username, ...options }: CreateOptions): Promise<void> => {
    const { name, userCodec, readUser } = serviceNamed(context, options.service);
    const password = await secretOf(context, options.password);
    if (username === '' || password === '') {
      throw new Refusal('Neither the user name nor the password may be empty.');
    }
    const fields = fieldsOf(options.field ?? []);
    const user = readUser(fields.set('username', username).set('password', password));
    const users = knexUsers(await context.database(), name, userCodec());
    const passwordHash = await context.passwords.hash(password);
    if ((await users.add([{ user, passwordHash }])) === 'taken') {
      throw new Refusal(`The name "${username}" or the id is taken in ${name}.`);
    }
    context.print(`The user "${username}" of ${name} is created.`);
  };

  const list = async ({ service }: UserOptions): Promise<void> => {
    const accounts = await knexAccounts(await context.database(), service).list();
    for (const { username } of accounts) context.print(username);
  };

  const remove = async ({ service, username }: UserOptions): Promise<void> => {
    const { name, userCodec } = serviceNamed(context, service);
    if (!(await knexUsers(await context.database(), name, userCodec()).remove(username))) {
      throw new Refusal(`There is no user "${username}" in ${name}.`);
    }
    context.print(`The user "${username}" of ${name} is deleted, with all tokens.`);
  };

  return commandGroup(
    context,
    ['user', 'create, list and delete users'],
    [
      new Command('create')
        .description('create a user who can log in')
        .requiredOption('--username <name>', 'the name to log in with')
        .requiredOption('--password <password>', 'the password; "-" reads it from standard input')
        .option(
          '--field <name=value>',
          "a further property of the service's users; repeatable",
          gather,
        )
        .action(create),
      new Command('list').description('print the user names, one a line').action(list),
      new Command('delete')
        .description('delete a user and end all of the tokens')
        .requiredOption('--username <name>', 'the name to log in with')
        .action(remove),
    ],
  );
};
