/** `admin client …`: registers, lists and deletes OAuth clients. */

import { Command } from 'commander';
import { docsClientId } from '../oauth/protocol/clients';
import { knexClients } from '../storage/identity/clients';
import { type AdminContext, gather, Refusal, serviceOption } from './admin-context';

interface CreateOptions {
  readonly service: string;
  readonly id: string;
  readonly name: string;
  readonly redirectUri: readonly string[];
}

interface ClientOptions {
  readonly service: string;
  readonly id: string;
}

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

const checkClient = ({ id, name, redirectUri }: CreateOptions): void => {
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

const createClient = async (context: AdminContext, options: CreateOptions): Promise<void> => {
  checkClient(options);
  const { service, id, name, redirectUri } = options;
  const clients = knexClients(await context.database(), service);
  if (!(await clients.add({ clientId: id, name, redirectUris: redirectUri }))) {
    throw new Refusal(`The client "${id}" exists in ${service} already.`);
  }
  context.print(`The client "${id}" of ${service} is registered.`);
};

const listClients = async (context: AdminContext, { service }: ClientOptions): Promise<void> => {
  const clients = await knexClients(await context.database(), service).list();
  for (const { clientId, name, redirectUris } of clients) {
    context.print([clientId, name, ...redirectUris].join('\t'));
  }
};

const deleteClient = async (context: AdminContext, options: ClientOptions): Promise<void> => {
  const { service, id } = options;
  if (!(await knexClients(await context.database(), service).remove(id))) {
    throw new Refusal(`There is no client "${id}" in ${service}.`);
  }
  context.print(`The client "${id}" of ${service} is deleted.`);
};

// RFC 8252 section 7.3
const redirectUriHelp =
  'an exact redirect URI; http://127.0.0.1/PATH and http://[::1]/PATH stand for every port; repeatable';

/** Makes the group of commands. */
export const clientCommands = (context: AdminContext): Command => {
  const group = new Command('client').description('create, list and delete OAuth clients');
  group
    .command('create')
    .description('register an OAuth client')
    .addOption(serviceOption(context))
    .requiredOption('--id <id>', 'the client identifier')
    .requiredOption('--name <name>', 'what the consent page calls it')
    .requiredOption('--redirect-uri <uri>', redirectUriHelp, gather)
    .action((options: CreateOptions) => createClient(context, options));
  group
    .command('list')
    .description('print identifier, name and redirect URIs, one client a line')
    .addOption(serviceOption(context))
    .action((options: ClientOptions) => listClients(context, options));
  group
    .command('delete')
    .description('remove an OAuth client')
    .addOption(serviceOption(context))
    .requiredOption('--id <id>', 'the client identifier')
    .action((options: ClientOptions) => deleteClient(context, options));
  return group;
};
