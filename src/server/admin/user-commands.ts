/** `admin user …`: creates, lists and deletes users. */

import { Command } from 'commander';
import { knexAccounts } from '../storage/identity/accounts';
import { knexUsers } from '../storage/identity/users';
import {
  type AdminContext,
  gather,
  Refusal,
  secretOf,
  serviceNamed,
  serviceOption,
} from './admin-context';

interface CreateOptions {
  readonly service: string;
  readonly username: string;
  readonly password: string;
  readonly field?: readonly string[];
}

interface UserOptions {
  readonly service: string;
  readonly username: string;
}

const fieldsOf = (texts: readonly string[]): Map<string, string> =>
  new Map(
    texts.map((text) => {
      const equals = text.indexOf('=');
      if (equals < 1) throw new Refusal('A field is given as --field name=value.');
      return [text.slice(0, equals), text.slice(equals + 1)];
    }),
  );

const addAccount = async (context: AdminContext, options: CreateOptions): Promise<void> => {
  const { username } = options;
  const service = serviceNamed(context, options.service);
  const password = await secretOf(context, options.password);
  if (username === '' || password === '') {
    throw new Refusal('Neither the user name nor the password may be empty.');
  }
  const fields = fieldsOf(options.field ?? [])
    .set('username', username)
    .set('password', password);
  const user = service.readUser(fields);
  const users = knexUsers(await context.database(), service.name, service.userCodec());
  const passwordHash = await context.passwords.hash(password);
  if ((await users.add([{ user, passwordHash }])) === 'taken') {
    throw new Refusal(`The name "${username}" or the id is taken in ${service.name}.`);
  }
  context.print(`The user "${username}" of ${service.name} is created.`);
};

const listAccounts = async (context: AdminContext, { service }: UserOptions): Promise<void> => {
  const accounts = await knexAccounts(await context.database(), service).list();
  for (const { username } of accounts) context.print(username);
};

const removeAccount = async (context: AdminContext, options: UserOptions): Promise<void> => {
  const { name, userCodec } = serviceNamed(context, options.service);
  const users = knexUsers(await context.database(), name, userCodec());
  if (!(await users.remove(options.username))) {
    throw new Refusal(`There is no user "${options.username}" in ${name}.`);
  }
  context.print(`The user "${options.username}" of ${name} is deleted, with all tokens.`);
};

/** Makes the group of commands. */
export const userCommands = (context: AdminContext): Command => {
  const group = new Command('user').description('create, list and delete users');
  group
    .command('create')
    .description('create a user who can log in')
    .addOption(serviceOption(context))
    .requiredOption('--username <name>', 'the name to log in with')
    .requiredOption('--password <password>', 'the password; "-" reads it from standard input')
    .option('--field <name=value>', "a further property of the service's users; repeatable", gather)
    .action((options: CreateOptions) => addAccount(context, options));
  group
    .command('list')
    .description('print the user names, one a line')
    .addOption(serviceOption(context))
    .action((options: UserOptions) => listAccounts(context, options));
  group
    .command('delete')
    .description('delete a user and end all of the tokens')
    .addOption(serviceOption(context))
    .requiredOption('--username <name>', 'the name to log in with')
    .action((options: UserOptions) => removeAccount(context, options));
  return group;
};
