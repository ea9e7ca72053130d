/** Stores the registered OAuth clients of a service (RFC 6749 section 2). */

import type { Database } from '../database/database';
import { param, paramsOf } from '../sql/statement';

/** The flows: `code` gives an authorization code (RFC 6749 section 4.1), `implicit` an access token (section 4.2). */
export const oauthFlows = ['code', 'implicit'] as const;

export type ClientFlow = (typeof oauthFlows)[number];

/** A client that may ask users for access. */
export interface OAuthClient {
  readonly clientId: string;
  /** The name on the consent page. */
  readonly name: string;
  /** The URIs to which responses may be sent; compared character by character (RFC 6749 section 3.1.2.3). */
  readonly redirectUris: readonly string[];
  /** The flows that the client may use; undefined: all. */
  readonly flows?: readonly ClientFlow[] | undefined;
}

type ClientRow = Readonly<Record<'clientId' | 'name' | 'redirectUris', string>> & {
  readonly flows: string | null;
};

// No URI contains a line break, so a list of URIs is stored as lines.
const toClient = ({ redirectUris, flows, ...client }: ClientRow): OAuthClient => ({
  ...client,
  redirectUris: redirectUris === '' ? [] : redirectUris.split('\n'),
  flows: flows === null ? undefined : oauthFlows.filter((flow) => flows.split(' ').includes(flow)),
});

const columns = ['client_id as clientId', 'name', 'redirect_uris as redirectUris', 'flows'];

/** The clients of one service, in the table `clients`. */
export const knexClients = ({ knex, prepare, all, transaction }: Database, service: string) => {
  const clients = () => knex('clients').where({ service });
  const named = () => clients().where('client_id', param('clientId'));
  const add = prepare<ClientRow, never>(
    knex('clients')
      .insert({ service, ...paramsOf(columns) })
      .onConflict()
      .ignore(),
    ['clients'],
  );
  const find = prepare<{ clientId: string }, ClientRow>(named().select(columns), ['clients']);
  const list = prepare<Record<string, never>, ClientRow>(
    clients().orderBy('client_id').select(columns),
  );
  const remove = prepare<{ clientId: string }, never>(named().delete(), ['clients']);
  return {
    /** Registers a client; false where the identifier is taken. */
    add(client: OAuthClient): Promise<boolean> {
      const [redirectUris, flows] = [client.redirectUris.join('\n'), client.flows?.join(' ')];
      const row = { ...client, redirectUris, flows: flows ?? null };
      return transaction(async (trx) => (await trx.run(add, row)) > 0);
    },

    find: async (clientId: string): Promise<OAuthClient | undefined> =>
      (await all(find, { clientId })).map(toClient)[0],

    list: async (): Promise<OAuthClient[]> => (await all(list, {})).map(toClient),

    /** Deletes a client; false where there is no such client. */
    remove: (clientId: string): Promise<boolean> =>
      transaction(async (trx) => (await trx.run(remove, { clientId })) > 0),
  };
};

export type ClientStorage = ReturnType<typeof knexClients>;
