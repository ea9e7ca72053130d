/** `admin api-key …` and `admin client …`: the credentials of programs. */

import { type Command, InvalidArgumentError, Option } from 'commander';
import { docsClientId, isRedirectUri } from '../../identity/oauth/clients';
import { digest, newSecret } from '../../identity/token';
import { Refusal } from '../../storage/connections/database-errors';
import { knexApiKeys } from '../../storage/identity/api-keys';
import { type ClientFlow, knexClients, oauthFlows } from '../../storage/identity/clients';
import type { AdminContext } from './admin-context';
import { commandGroup, gather, type OfService, rowLine, serviceCommand } from './declare-command';

interface OfKey extends OfService {
  readonly label: string;
}

const noKey = (service: string, label: string): string =>
  `There is no active API key "${label}" in ${service}.`;

const hour = 60 * 60 * 1000;

/** Makes the commands that issue, list, rotate and revoke API keys. */
export const apiKeyCommands = (context: AdminContext): Command => {
  const keysOf = async (service: string) => knexApiKeys(await context.database(), service);

  const create = serviceCommand(
    context,
    ['create', 'print a new API key; it cannot be shown again'],
    async ({ service: { name }, label }: OfKey) => {
      if (label.trim() === '') throw new Refusal('The label may not be empty.');
      const key = newSecret();
      const createdAt = context.clock();
      const isAdded = await (await keysOf(name)).add({ label, hash: digest(key), createdAt });
      if (isAdded) return { label, key, createdAt };
      throw new Refusal(`The label "${label}" was used before in ${name}.`);
    },
    ({ key }) => key,
  ).requiredOption('--label <label>', 'the purpose of the key');

  const list = serviceCommand(
    context,
    ['list', 'print the labels and dates, one key a line'],
    async ({ service }) => {
      const keys = await (await keysOf(service.name)).list();
      return { apiKeys: keys.map(({ hash: _, ...key }) => key) };
    },
    ({ apiKeys }) => apiKeys.map(rowLine),
  );

  const rotate = serviceCommand(
    context,
    ['rotate', 'print a new API key of the label; the old one stays good for a while'],
    async ({ service: { name }, label, overlap }: OfKey & { readonly overlap: number }) => {
      const keys = await keysOf(name);
      const key = newSecret();
      const createdAt = context.clock();
      const until = createdAt + overlap;
      if (await keys.rotate({ label, hash: digest(key), createdAt }, until)) {
        return { label, key, createdAt, previousUntil: until };
      }
      const same = (await keys.list()).filter((key) => key.label === label && !key.revokedAt);
      throw new Refusal(
        same.length === 0
          ? noKey(name, label)
          : `The key before that of "${label}" is still good; --overlap 0 ends both at once.`,
      );
    },
    ({ key }) => key,
  )
    .requiredOption('--label <label>', 'the purpose of the key')
    .addOption(
      new Option('--overlap <hours>', 'how long the old key stays good; 0 ends it at once')
        .argParser((text) => {
          if (/^(0|\d{1,4}h)$/.test(text)) return Number.parseInt(text, 10) * hour;
          throw new InvalidArgumentError('It must be a number of hours, such as 24h, or 0.');
        })
        .default(24 * hour, '24h'),
    );

  const revoke = serviceCommand(
    context,
    ['revoke', 'revoke the API key of a label, and the one that it has replaced'],
    async ({ service: { name }, label }: OfKey) => {
      const revokedAt = context.clock();
      if (await (await keysOf(name)).revoke(label, revokedAt)) return { label, revokedAt };
      throw new Refusal(noKey(name, label));
    },
    ({ label }, { service }) => `Revoked the API key "${label}" of ${service.name}.`,
  ).requiredOption('--label <label>', 'the purpose of the key');

  return commandGroup(
    ['api-key', 'create, list, rotate and revoke API keys'],
    [create, list, rotate, revoke],
  );
};

interface NewClient extends OfService {
  readonly id: string;
  readonly name: string;
  readonly redirectUri: readonly string[];
  readonly flows?: readonly ClientFlow[];
}

/** Reads a list of flows between commas, each once. */
const flowsOf = (list: string): readonly ClientFlow[] => {
  const names = list.split(',').map((name) => name.trim());
  if (names.every((name) => oauthFlows.some((flow) => flow === name))) {
    return oauthFlows.filter((flow) => names.includes(flow));
  }
  throw new InvalidArgumentError(`There are: ${oauthFlows.join(', ')}.`);
};

const checkClient = ({ id, name, redirectUri }: NewClient): void => {
  // RFC 6749 appendix A.1: visible ASCII.
  if (!/^[\x21-\x7E]{1,200}$/.test(id)) {
    throw new Refusal('The identifier must be 1 to 200 visible ASCII characters.');
  }
  if (id === docsClientId) {
    throw new Refusal(`The client "${docsClientId}" is the documentation page of each service.`);
  }
  if (name.trim() === '') throw new Refusal('The name may not be empty.');
  if (redirectUri.length === 0) throw new Refusal('Give a --redirect-uri.');
  if (!redirectUri.every(isRedirectUri)) {
    const wanted = 'an https URL, or http at localhost, without a fragment';
    throw new Refusal(`A redirect URI must be ${wanted}.`);
  }
};

/** Makes the commands that register, list and delete OAuth clients. */
export const clientCommands = (context: AdminContext): Command => {
  const clientsOf = async (service: string) => knexClients(await context.database(), service);

  const create = serviceCommand(
    context,
    ['create', 'register an OAuth client'],
    async (client: NewClient) => {
      checkClient(client);
      const { service, id, name, redirectUri, flows } = client;
      const clients = await clientsOf(service.name);
      const isAdded = await clients.add({ clientId: id, name, redirectUris: redirectUri, flows });
      if (isAdded) return { id, name, redirectUris: redirectUri, flows };
      throw new Refusal(`The client "${id}" exists in ${service.name} already.`);
    },
    ({ id }, { service }) => `Registered the client "${id}" of ${service.name}.`,
  )
    .requiredOption('--id <id>', 'the client identifier')
    .requiredOption('--name <name>', 'the name on the consent page')
    .option(
      '--redirect-uri <uri>',
      'an exact redirect URI; http://127.0.0.1/PATH and http://[::1]/PATH accept every port; repeatable',
      gather,
      [],
    )
    .option('--flows <flows>', 'the allowed flows: code, implicit; or all', flowsOf);

  const list = serviceCommand(
    context,
    ['list', 'print identifier, name, redirect URIs and allowed flows, one client a line'],
    async ({ service }) => {
      const clients = await (await clientsOf(service.name)).list();
      return { clients: clients.map(({ clientId, ...client }) => ({ id: clientId, ...client })) };
    },
    ({ clients }) =>
      clients.map(({ redirectUris, flows, ...names }) =>
        [rowLine(names), ...redirectUris, ...(flows ? [rowLine({ flows })] : [])].join('\t'),
      ),
  );

  const remove = serviceCommand(
    context,
    ['delete', 'delete an OAuth client'],
    async ({ service: { name }, id }: OfService & { readonly id: string }) => {
      if (await (await clientsOf(name)).remove(id)) return { id };
      throw new Refusal(`There is no client "${id}" in ${name}.`);
    },
    ({ id }, { service }) => `Deleted the client "${id}" of ${service.name}.`,
  ).requiredOption('--id <id>', 'the client identifier');

  return commandGroup(['client', 'create, list and delete OAuth clients'], [create, list, remove]);
};
