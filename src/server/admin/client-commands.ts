/** `admin api-key …` and `admin client …`: the credentials of programs. */

import { type Command, InvalidArgumentError } from 'commander';
import { Refusal } from '../../storage/connections/database-errors';
import { knexApiKeys } from '../../storage/identity/api-keys';
import { knexClients, type OAuthFlow, oauthFlows } from '../../storage/identity/clients';
import { docsClientId } from '../identity/oauth/clients';
import { digest, newSecret } from '../identity/token';
import { type AdminContext, commandGroup, gather, serviceCommand } from './admin-context';

/** Issues, lists and revokes API keys. */
export const apiKeyCommands = (context: AdminContext): Command => {
  const keysOf = async (service: string) => knexApiKeys(await context.database(), service);
  const when = (verb: string, time: number) => `${verb} ${new Date(time).toISOString()}`;

  const create = serviceCommand<{ label: string }>(
    context,
    ['create', 'print a new API key; it cannot be shown again'],
    async ({ name }, { label }) => {
      if (label.trim() === '') throw new Refusal('The label may not be empty.');
      const key = newSecret();
      const added = { label, hash: digest(key), createdAt: context.clock() };
      if (!(await (await keysOf(name)).add(added))) {
        throw new Refusal(`The label "${label}" was used before in ${name}.`);
      }
      context.print(key);
    },
  ).requiredOption('--label <label>', 'what the key is for');

  const list = serviceCommand(
    context,
    ['list', 'print the labels and dates, one key a line'],
    async ({ name }) => {
      for (const { label, createdAt, revokedAt } of await (await keysOf(name)).list()) {
        const revoked = revokedAt === undefined ? [] : [when('revoked', revokedAt)];
        context.print([label, when('created', createdAt), ...revoked].join('\t'));
      }
    },
  );

  const revoke = serviceCommand<{ label: string }>(
    context,
    ['revoke', 'end an API key'],
    async ({ name }, { label }) => {
      if (!(await (await keysOf(name)).revoke(label, context.clock()))) {
        throw new Refusal(`There is no active API key "${label}" in ${name}.`);
      }
      context.print(`The API key "${label}" of ${name} is revoked.`);
    },
  ).requiredOption('--label <label>', 'what the key is for');

  return commandGroup(['api-key', 'create, list and revoke API keys'], [create, list, revoke]);
};

interface NewClient {
  readonly id: string;
  readonly name: string;
  readonly redirectUri: readonly string[];
  readonly flows?: readonly OAuthFlow[];
}

/** The flows of a list separated by commas, each once. */
const flowsOf = (list: string): readonly OAuthFlow[] => {
  const names = list.split(',').map((name) => name.trim());
  if (names.every((name) => oauthFlows.some((flow) => flow === name))) {
    return oauthFlows.filter((flow) => names.includes(flow));
  }
  throw new InvalidArgumentError(`There are: ${oauthFlows.join(', ')}.`);
};

// RFC 6749 appendix A.1: visible ASCII.
const clientIdPattern = /^[\x21-\x7E]{1,200}$/;

const loopbackHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** RFC 6749 section 3.1.2: absolute and without a fragment; tokens travel over TLS or stay on the machine. */
const isRedirectUri = (text: string): boolean => {
  // A URI is ASCII (RFC 3986 section 2), and so is the header in which browsers are sent there.
  if (!/^[\x21-\x7E]+$/.test(text) || text.includes('#') || !URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && loopbackHosts.has(hostname));
};

const checkClient = ({ id, name, redirectUri }: NewClient): void => {
  if (!clientIdPattern.test(id)) {
    throw new Refusal('The identifier must be 1 to 200 visible ASCII characters.');
  }
  if (id === docsClientId) {
    throw new Refusal(`The client "${docsClientId}" is the documentation page of each service.`);
  }
  if (name.trim() === '') throw new Refusal('The name may not be empty.');
  if (!redirectUri.every(isRedirectUri)) {
    throw new Refusal(
      'A redirect URI must be an https URL, or http at localhost, without a fragment.',
    );
  }
};

// RFC 8252 section 7.3
const redirectUriHelp =
  'an exact redirect URI; http://127.0.0.1/PATH and http://[::1]/PATH stand for every port; repeatable';

/** Registers, lists and deletes OAuth clients. */
export const clientCommands = (context: AdminContext): Command => {
  const clientsOf = async (service: string) => knexClients(await context.database(), service);

  const create = serviceCommand<NewClient>(
    context,
    ['create', 'register an OAuth client'],
    async (service, client) => {
      checkClient(client);
      const { id, name, redirectUri, flows } = client;
      const clients = await clientsOf(service.name);
      if (!(await clients.add({ clientId: id, name, redirectUris: redirectUri, flows }))) {
        throw new Refusal(`The client "${id}" exists in ${service.name} already.`);
      }
      context.print(`The client "${id}" of ${service.name} is registered.`);
    },
  )
    .requiredOption('--id <id>', 'the client identifier')
    .requiredOption('--name <name>', 'what the consent page calls it')
    .requiredOption('--redirect-uri <uri>', redirectUriHelp, gather)
    .option(
      '--flows <flows>',
      'the flows that it is bound to: code, implicit; both by default',
      flowsOf,
    );

  const list = serviceCommand(
    context,
    [
      'list',
      'print identifier, name, redirect URIs and what flows it is bound to, one client a line',
    ],
    async ({ name: service }) => {
      for (const client of await (await clientsOf(service)).list()) {
        const { clientId, name, redirectUris, flows } = client;
        const bound = flows === undefined ? [] : [`flows: ${flows.join(', ')}`];
        context.print([clientId, name, ...redirectUris, ...bound].join('\t'));
      }
    },
  );

  const remove = serviceCommand<{ id: string }>(
    context,
    ['delete', 'remove an OAuth client'],
    async ({ name }, { id }) => {
      if (!(await (await clientsOf(name)).remove(id))) {
        throw new Refusal(`There is no client "${id}" in ${name}.`);
      }
      context.print(`The client "${id}" of ${name} is deleted.`);
    },
  ).requiredOption('--id <id>', 'the client identifier');

  return commandGroup(['client', 'create, list and delete OAuth clients'], [create, list, remove]);
};
