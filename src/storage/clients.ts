/** Keeps the registered OAuth clients of a service (RFC 6749 section 2). */

import type { Database } from './database';

/** A client that may ask users for access. */
export interface OAuthClient {
  readonly clientId: string;
  /** What the consent page calls it. */
  readonly name: string;
  /** Where answers may be sent; compared character by character (RFC 6749 section 3.1.2.3). */
  readonly redirectUris: readonly string[];
}

/** The clients of one service. */
export interface ClientStorage {
  /** Registers a client; false where the identifier is taken. */
  add(client: OAuthClient): Promise<boolean>;
  find(clientId: string): Promise<OAuthClient | undefined>;
  /** All clients, by identifier. */
  list(): Promise<OAuthClient[]>;
  /** Removes a client; false where there is none. */
  remove(clientId: string): Promise<boolean>;
}

interface ClientRow {
  readonly client_id: string;
  readonly name: string;
  readonly redirect_uris: string;
}

// No URI contains a line break, so lines keep a list of them.
const toClient = (row: ClientRow): OAuthClient => ({
  clientId: row.client_id,
  name: row.name,
  redirectUris: row.redirect_uris.split('\n'),
});

const columns = ['client_id', 'name', 'redirect_uris'];

/** Keeps clients in the table `clients`. */
export const knexClients = (db: Database, service: string): ClientStorage => ({
  async add({ clientId, name, redirectUris }) {
    const rows = await db('clients')
      .insert({
        service,
        client_id: clientId,
        name,
        redirect_uris: redirectUris.join('\n'),
      })
      .onConflict()
      .ignore()
      .returning('key');
    return rows.length > 0;
  },

  async find(clientId) {
    const row: ClientRow | undefined = await db('clients')
      .where({ service, client_id: clientId })
      .first(columns);
    return row && toClient(row);
  },

  async list() {
    const rows: ClientRow[] = await db('clients')
      .where({ service })
      .orderBy('client_id')
      .select(columns);
    return rows.map(toClient);
  },

  async remove(clientId) {
    return (await db('clients').where({ service, client_id: clientId }).delete()) > 0;
  },
});
