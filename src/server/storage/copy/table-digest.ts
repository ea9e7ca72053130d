/** Tells whether two tables hold the same rows, whatever kinds of databases they are in. */

import { createHash } from 'node:crypto';
import type { Cell } from './table-rows';

/** What a table held. */
export interface Digest {
  readonly rows: number;
  /**
   * Hexadecimal: the sum of the SHA-256 of all rows, modulo 2^256. Databases sort texts in different orders; a sum has none.
   */
  readonly checksum: string;
}

/** A digest that is being taken. */
export interface Digesting {
  /** The cells of a row, in the same order of columns each time. */
  add(cells: readonly Cell[]): void;
  digest(): Digest;
}

const modulus = 2n ** 256n;

/** Written before a cell: no two cells, nor two rows of cells, are hashed alike. */
const prefixOf = (cell: Cell): string => {
  if (cell === null) return 'null;';
  return typeof cell === 'string' ? `text ${Buffer.byteLength(cell)};` : `bytes ${cell.length};`;
};

const hashOf = (cells: readonly Cell[]): bigint => {
  const hash = createHash('sha256');
  for (const cell of cells) {
    hash.update(prefixOf(cell));
    if (cell !== null) hash.update(cell);
  }
  return BigInt(`0x${hash.digest('hex')}`);
};

/** Starts with no rows. */
export const startDigest = (): Digesting => {
  let rows = 0;
  let sum = 0n;
  return {
    add(cells) {
      rows += 1;
      sum = (sum + hashOf(cells)) % modulus;
    },
    digest: () => ({ rows, checksum: sum.toString(16).padStart(64, '0') }),
  };
};
