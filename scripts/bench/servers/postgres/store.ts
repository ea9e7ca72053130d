/** Everything that the framework peers ask of PostgreSQL, as prepared statements. */

import { digest } from '../database';
import { type Resource, type Row, read, type Store, tagNames } from '../store';
import { prepareChanges } from './changes';
import { openPool } from './pool';

/** Opens the database. */
export const postgresStore = (url: string): Store => {
  const prepare = openPool(url);
  const keys = prepare('key', 'SELECT 1 FROM api_keys WHERE hash = $1');
  const tokens = prepare<{ user: string; scopes: string }>(
    'token',
    'SELECT "user", scopes FROM tokens WHERE hash = $1 AND expires_at > $2',
  );
  const find = prepare<Row>('pet', 'SELECT id, document FROM pets WHERE id = $1');
  const byStatus = prepare<Row>(
    'by-status',
    'SELECT id, document FROM pets WHERE status = $1 ORDER BY id',
  );
  const byStatuses = prepare<Row>(
    'by-statuses',
    'SELECT id, document FROM pets WHERE status = ANY ($1) ORDER BY id',
  );
  const byTags = prepare<Row>(
    'by-tags',
    `SELECT id, document FROM pets WHERE id IN (
       SELECT pet_id FROM pet_tags WHERE name = ANY ($1)
     ) ORDER BY id`,
  );
  const counts = prepare<{ status: string; count: number }>(
    'inventory',
    'SELECT status, count(*) AS count FROM pets WHERE status IS NOT NULL GROUP BY status',
  );
  const order = prepare<Row>('order', 'SELECT id, document FROM orders WHERE id = $1');
  const changes = prepareChanges(prepare);

  const first = ([row]: readonly Row[]): Resource | undefined => row && read(row);

  return {
    knowsKey: async (key) => (await keys(digest(key))).length > 0,
    async userOf(token, scopes) {
      const [found] = await tokens(digest(token), Date.now());
      const granted = found?.scopes.split(' ') ?? [];
      return scopes.every((scope) => granted.includes(scope)) ? found?.user : undefined;
    },
    findPet: async (id) => first(await find(id)),
    async petsByStatus([status = '', ...more]) {
      const found = more.length === 0 ? byStatus(status) : byStatuses([status, ...more]);
      return (await found).map(read);
    },
    petsByTags: async (tags) => (await byTags(tags)).map(read),
    inventory: async () => ({
      ...{ available: 0, pending: 0, sold: 0 },
      ...Object.fromEntries((await counts()).map(({ status, count }) => [status, count])),
    }),
    async addPet({ id, ...pet }) {
      const document = JSON.stringify(pet);
      const given = await changes.addPet(id, pet['status'] ?? null, document, tagNames(pet));
      return given === undefined ? undefined : { id: given, ...pet };
    },
    async updatePet({ id = 0, ...pet }) {
      const document = JSON.stringify(pet);
      const isThere = await changes.replacePet(id, pet['status'] ?? null, document, tagNames(pet));
      return isThere ? { id, ...pet } : undefined;
    },
    findOrder: async (id) => first(await order(id)),
    async addOrder({ id, ...rest }) {
      const given = await changes.addOrder(id, JSON.stringify(rest));
      return given === undefined ? undefined : { id: given, ...rest };
    },
    async addAd(ad, author) {
      await changes.addAd(author, JSON.stringify(ad));
      return ad;
    },
  };
};
