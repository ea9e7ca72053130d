/** `admin client …`: registers, lists and deletes OAuth clients. */

import { Command } from 'commander';
import { docsClientId } from '../oauth/protocol/clients';
import { knexClients } from '../storage/identity/clients';
import { type AdminContext, commandGroup, gather, Refusal } from './admin-context';

interface ClientOptions {
  readonly service: string;
  readonly id: string;
}

interface CreateOptions extends ClientOptions {
  readonly name: string;
  readonly redirectUri: readonly string[];
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

// RFC 8252 section 7.3
const redirectUriHelp =
  'an exact redirect URI; http://127.0.0.1/PATH and http://[::1]/PATH stand for every port; repeatable';

/** Makes the group of commands. */
export const clientCommands = (context: AdminContext): Command => {
  const clientsOf = async (service: string) => knexClients(await context.database(), service);

  const create = async (options: CreateOptions): Promise<void> => {
    checkClient(options);
    const { service, id, name, redirectUri } = options;
    const clients = await clientsOf(service);
    if (!(await clients.add({ clientId: id, name, redirectUris: redirectUri }))) {
      throw new Refusal(`The client "${id}" exists in ${service} already.`);
    }
    context.print(`The client "${id}" of ${service} is registered.`);
  };

  const list = async ({ service }: ClientOptions): Promise<void> => {
    for (const { clientId, name, redirectUris } of await (await clientsOf(service)).list()) {
      context.print([clientId, name, ...redirectUris].join('\t'));
    }
  };

  const remove = async ({ service, id }: ClientOptions): Promise<void> => {
    if (!(await (await clientsOf(service)).remove(id))) {
      throw new Refusal(`There is no client "${id}" in ${service}.`);
    }
    context.print(`The client "${id}" of ${service} is deleted.`);
  };

  return commandGroup(
    context,
    ['client', 'create, list and delete OAuth clients'],
    [
      new Command('create')
        .description('register an OAuth client')
        .requiredOption('--id <id>', 'the client identifier')
        .requiredOption('--name <name>', 'what the consent page calls it')
        .requiredOption('--redirect-uri <uri>', redirectUriHelp, gather)
        .action(create),
      new Command('list')
        .description('print identifier, name and redirect URIs, one client a line')
        .action(list),
      new Command('delete')
        .description('remove an OAuth client')
        .requiredOption('--id <id>', 'the client identifier')
        .action(remove),
    ],
  );
};
