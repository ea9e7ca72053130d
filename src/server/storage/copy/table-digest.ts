/** Tells whether two tables hold the same rows, whatever kinds of databases they are in. */

import { createHash } from 'node:crypto';
import type { Cell, Row } from './table-statements';

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
  /** How many were added so far. */
  readonly rows: number;
  add(rows: readonly Row[]): void;
  digest(): Digest;
}

const modulus = 2n ** 256n;

/** No two cells, nor two rows of cells, are written alike. */
const headOf = (cell: Cell): string => {
  if (cell === null) return 'null;';
  return typeof cell === 'string' ? `text ${Buffer.byteLength(cell)};` : `bytes ${cell.length};`;
};

const hashOf = (row: Row): bigint => {
  const hash = createHash('sha256');
  for (const cell of row) {
    hash.update(headOf(cell));
    if (cell !== null) hash.update(cell);
  }
  return BigInt(`0x${hash.digest('hex')}`);
};

/** Starts with no rows. */
export const startDigest = (): Digesting => {
  let rows = 0;
  let sum = 0n;
  return {
    get rows() {
      return rows;
    },
    add(added) {
      rows += added.length;
      for (const row of added) sum = (sum + hashOf(row)) % modulus;
    },
    digest: () => ({ rows, checksum: sum.toString(16).padStart(64, '0') }),
  };
};

/** Whether the same rows were held. */
export const isSame = (one: Digest, other: Digest): boolean =>
  one.rows === other.rows && one.checksum === other.checksum;

/** Whether both cells of each column are the same. */
export const isSameRow = (one: Row, other: Row): boolean =>
  one.every((cell, at) => {
    const counterpart = other[at] ?? null;
    return Buffer.isBuffer(cell) && Buffer.isBuffer(counterpart)
      ? cell.equals(counterpart)
      : cell === counterpart;
  });
