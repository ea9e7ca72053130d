/** `admin api-key …`: issues, lists and revokes API keys. */

import { Command } from 'commander';
import { digest, newSecret } from '../identity/token';
import { knexApiKeys } from '../storage/identity/api-keys';
import { type AdminContext, commandGroup, Refusal } from './admin-context';

interface KeyOptions {
  readonly service: string;
  readonly label: string;
}

/** Makes the group of commands. */
export const apiKeyCommands = (context: AdminContext): Command => {
  const create = async ({ service, label }: KeyOptions): Promise<void> => {
    if (label.trim() === '') throw new Refusal('The label may not be empty.');
    const key = newSecret();
    const keys = knexApiKeys(await context.database(), service);
    if (!(await keys.add({ label, hash: digest(key), createdAt: context.clock() }))) {
      throw new Refusal(`The label "${label}" was used before in ${service}.`);
    }
    context.print(key);
  };

  const list = async ({ service }: KeyOptions): Promise<void> => {
    const when = (verb: string, time: number) => `${verb} ${new Date(time).toISOString()}`;
    const keys = await knexApiKeys(await context.database(), service).list();
    for (const { label, createdAt, revokedAt } of keys) {
      const revoked = revokedAt === undefined ? [] : [when('revoked', revokedAt)];
      context.print([label, when('created', createdAt), ...revoked].join('\t'));
    }
  };

  const revoke = async ({ service, label }: KeyOptions): Promise<void> => {
    const keys = knexApiKeys(await context.database(), service);
    if (!(await keys.revoke(label, context.clock()))) {
      throw new Refusal(`There is no active API key "${label}" in ${service}.`);
    }
    context.print(`The API key "${label}" of ${service} is revoked.`);
  };

  return commandGroup(
    context,
    ['api-key', 'create, list and revoke API keys'],
    [
      new Command('create')
        .description('print a new API key; it cannot be shown again')
        .requiredOption('--label <label>', 'what the key is for')
        .action(create),
      new Command('list').description('print the labels and dates, one key a line').action(list),
      new Command('revoke')
        .description('end an API key')
        .requiredOption('--label <label>', 'what the key is for')
        .action(revoke),
    ],
  );
};
