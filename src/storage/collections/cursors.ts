/**
 * Cursors: places in a list as texts that callers keep and give back. They are sealed with a secret of the database (AES-256-GCM), so that
 * a cursor shows nothing, and one that is forged, damaged or of another list is refused.
 */

import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { attempt } from '../../base/recover';
import type { Database } from '../database/database';
import { param, type Values } from '../sql/statement';
import { waitForLock } from './fill-indexes';

/** A page that is asked for in a way that no list has; the message is fit for callers. */
export class InvalidPage extends Error {}

/** Seals places of lists, and opens them again. */
export interface Cursors {
  /** Makes the cursor of a place; the same for the same place, so that equal pages are equal texts. */
  seal(list: string, place: unknown): string;
  /** Gives back what was sealed for the same list. Throws InvalidPage for all else. */
  open(list: string, cursor: string): unknown;
}

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;
/** Characters; a key has some 1,000 bytes at most. */
const longestCursor = 4096;

/** Makes the cursors of a secret of 32 bytes. */
const makeCursors = (secret: Buffer): Cursors => ({
  seal(list, place) {
    const text = JSON.stringify(place);
    // The same only for the same place of the same list, which is sealed to the same text (RFC 5297 makes its own so).
    const hash = createHmac('sha256', secret)
      .update(JSON.stringify([list, text]))
      .digest();
    const iv = hash.subarray(0, ivBytes);
    const cipher = createCipheriv(algorithm, secret, iv, { authTagLength: tagBytes });
    cipher.setAAD(Buffer.from(list));
    const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([sealed, cipher.getAuthTag()]).toString('base64url');
  },
  open(list, cursor) {
    const sealed = Buffer.from(cursor.slice(0, longestCursor), 'base64url');
    const text = attempt(() => {
      const iv = sealed.subarray(0, ivBytes);
      const decipher = createDecipheriv(algorithm, secret, iv, { authTagLength: tagBytes });
      decipher.setAAD(Buffer.from(list)).setAuthTag(sealed.subarray(-tagBytes));
      const begun = decipher.update(sealed.subarray(ivBytes, -tagBytes), undefined, 'utf8');
      return begun + decipher.final('utf8');
    });
    // Another spelling of the same bytes is none that was given.
    if (text !== undefined && sealed.toString('base64url') === cursor) return JSON.parse(text);
    throw new InvalidPage('The cursor is not one that this list has given');
  },
});

/** Opens the cursors of a database. All programs that share it share their secret, which the first one makes. */
export const openCursors = async ({ knex, prepare, all, transaction }: Database) => {
  const name = 'cursors';
  const tables = ['secrets'];
  const find = prepare<Values, { value: string }>(
    knex('secrets').where({ name }).select('value'),
    tables,
  );
  const add = prepare<Values, never>(
    knex('secrets')
      .insert({ name, value: param('value') })
      .onConflict('name')
      .ignore(),
    tables,
  );
  let [row] = await all(find, {});
  if (row === undefined) {
    const value = randomBytes(32).toString('base64url');
    await waitForLock(() => transaction((trx) => trx.run(add, { value })));
    [row] = await all(find, {});
  }
  if (row === undefined) throw new Error('The secret of cursors is missing');
  return makeCursors(Buffer.from(row.value, 'base64url'));
};
