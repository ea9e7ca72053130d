/** `admin api-key …`: issues, lists and revokes API keys. */

import { Command } from 'commander';
import { digest, newSecret } from '../identity/token';
import { knexApiKeys } from '../storage/identity/api-keys';
import { type AdminContext, Refusal, serviceOption } from './admin-context';

interface KeyOptions {
  readonly service: string;
  readonly label: string;
}

const createKey = async (context: AdminContext, { service, label }: KeyOptions): Promise<void> => {
  if (label.trim() === '') throw new Refusal('The label may not be empty.');
  const key = newSecret();
  const keys = knexApiKeys(await context.database(), service);
  if (!(await keys.add({ label, hash: digest(key), createdAt: context.clock() }))) {
    throw new Refusal(`The label "${label}" was used before in ${service}.`);
  }
  context.print(key);
};

const listKeys = async (context: AdminContext, { service }: KeyOptions): Promise<void> => {
  const keys = await knexApiKeys(await context.database(), service).list();
  for (const { label, createdAt, revokedAt } of keys) {
    const created = `created ${new Date(createdAt).toISOString()}`;
    const revoked = revokedAt === undefined ? [] : [`revoked ${new Date(revokedAt).toISOString()}`];
    context.print([label, created, ...revoked].join('\t'));
  }
};

const revokeKey = async (context: AdminContext, { service, label }: KeyOptions): Promise<void> => {
  const keys = knexApiKeys(await context.database(), service);
  if (!(await keys.revoke(label, context.clock()))) {
    throw new Refusal(`There is no active API key "${label}" in ${service}.`);
  }
  context.print(`The API key "${label}" of ${service} is revoked.`);
};

/** Makes the group of commands. */
export const apiKeyCommands = (context: AdminContext): Command => {
  const group = new Command('api-key').description('create, list and revoke API keys');
  group
    .command('create')
    .description('print a new API key; it cannot be shown again')
    .addOption(serviceOption(context))
    .requiredOption('--label <label>', 'what the key is for')
    .action((options: KeyOptions) => createKey(context, options));
  group
    .command('list')
    .description('print the labels and dates, one key a line')
    .addOption(serviceOption(context))
    .action((options: KeyOptions) => listKeys(context, options));
  group
    .command('revoke')
    .description('end an API key')
    .addOption(serviceOption(context))
    .requiredOption('--label <label>', 'what the key is for')
    .action((options: KeyOptions) => revokeKey(context, options));
  return group;
};
