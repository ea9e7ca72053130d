/** Statements over lists of values, of which SQL wants to know the length. */

import type { Knex } from 'knex';
import { memoize } from '../../base/memoize';
import { param, type Statement, type Value, type Values } from './statement';

/** A statement that fits a list, and the list as its parameters. */
export type ForList<Row> = readonly [Statement<Values, Row>, Values];

/** No statement carries more: databases bound how many values one may have (SQLite: 32,766; PostgreSQL: 65,535). */
const mostValues = 256;

const sizeFor = (count: number): number => {
  let size = 1;
  while (size < count) size *= 2;
  return size;
};

/**
 * Writes statements for lists of 1, 2, 4, 8 … 256 values when they are first wanted. A list that is shorter than its statement
 * repeats its last value, so the statement must mean the same for a value that comes twice (`in`, `on conflict ignore`).
 *
 * @returns a function that cuts a list into as many statements as it needs; none for an empty list
 */
export const listStatement = <Row>(
  compose: (slots: readonly Knex.Value[]) => Statement<Values, Row>,
): ((list: readonly Value[], others?: Values) => ForList<Row>[]) => {
  const statementFor = memoize(
    (size: number) => compose(Array.from({ length: size }, (_, at) => param(String(at)))),
    { max: mostValues },
  );

  const fitTo = (part: readonly Value[], others: Values): ForList<Row> => {
    const size = sizeFor(part.length);
    const parameters: Record<string, Value> = { ...others };
    for (let at = 0; at < size; at += 1) {
      parameters[at] = part[Math.min(at, part.length - 1)] ?? null;
    }
    return [statementFor(size), parameters];
  };

  return (list, others = {}) => {
    const fitted: ForList<Row>[] = [];
    for (let at = 0; at < list.length; at += mostValues) {
      fitted.push(fitTo(list.slice(at, at + mostValues), others));
    }
    return fitted;
  };
};
