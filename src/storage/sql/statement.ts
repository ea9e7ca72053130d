/** SQL with places for values, and for lists of values: written by Knex once, run many times as a prepared statement. */

import type { Knex } from 'knex';
import { memoize } from '../../base/memoize';

class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** A value of a slot. The drivers know int64 by its decimal text alone. */
export type Value = string | number | null | Uint8Array;

/** Values by the names of their slots. */
export type Values = Readonly<Record<string, Value>>;

/** A prepared statement, its parameters and the rows that it gives. */
export interface Statement<Parameters extends Values, Row> {
  readonly sql: string;
  /** The tables that it changes, or reads where it changes none; undefined where that is not said. */
  readonly tables: readonly string[] | undefined;
  /** Gives the values in the order of the statement's places. */
  bind(parameters: Parameters): Value[];
  /** Gives a key for the parameters: the same for equal ones, and different ones otherwise. */
  key(parameters: Parameters): Value;
  /** For the type alone: there is never a value. */
  readonly row?: Row;
}

/** A query that Knex has composed. */
export type Query = Knex.QueryBuilder | Knex.Raw;

/** Makes a slot, which stands for a value in a query that is being composed. */
export const param = (name: string): Knex.Value => new Slot(name) as unknown as Knex.Value;

/** Makes a slot for each column, with the column's name, or the one that Knex would select it as: `user_key as userKey`. */
export const paramsOf = (columns: readonly string[]): Readonly<Record<string, Knex.Value>> =>
  Object.fromEntries(
    columns.map((named) => {
      const [column = '', name = column] = named.split(' as ');
      return [column, param(name)];
    }),
  );

/**
 * Makes the arguments of orderByRaw for a column and a slot called `limit`, which Knex's own `limit` does not take. SQLite prepares a
 * statement again whenever a value is bound right behind `limit`, since its plan may depend on it; a cast prevents that.
 */
export const orderAndLimit = (column: string): [string, Knex.Value[]] => [
  '?? limit cast(? as integer)',
  [column, param('limit')],
];

const fill = (sql: string, { name }: Slot, parameters: Values): Value => {
  const value: unknown = parameters[name];
  if (value === undefined) throw new TypeError(`There is no value for ${name}: ${sql}`);
  // One driver stores a bigint as NULL silently.
  if (typeof value === 'bigint') {
    throw new TypeError(`A bigint cannot be bound, only its decimal text: ${sql}`);
  }
  return value as Value;
};

/** Makes the key of a list of values; equal only for equal lists of the same length. */
const joinValues = (values: readonly Value[]): string => {
  let key = '';
  for (const value of values) {
    key += typeof value === 'string' ? `${value.length}:${value}` : `${typeof value} ${value};`;
  }
  return key;
};

/** Takes the SQL and the order of the values from a query. */
export const statement = <Parameters extends Values, Row>(
  query: Query,
  tables?: readonly string[],
): Statement<Parameters, Row> => {
  const { sql, bindings } = query.toSQL().toNative();
  const places: readonly (Slot | Value)[] = bindings as readonly (Slot | Value)[];
  const slots = places.filter((place) => place instanceof Slot);
  const [only, ...more] = slots;
  return {
    sql,
    tables,
    key: (parameters) =>
      only !== undefined && more.length === 0
        ? fill(sql, only, parameters)
        : joinValues(slots.map((slot) => fill(sql, slot, parameters))),
    bind: (parameters) =>
      places.map((place) => (place instanceof Slot ? fill(sql, place, parameters) : place)),
  };
};

/** No statement carries more: databases bound how many values one may have (SQLite: 32,766; PostgreSQL: 65,535). */
const mostValues = 256;

/**
 * Writes statements for lists of 1, 2, 4, 8 … 256 values when they are first wanted: SQL needs to know how many there are. A list
 * that is shorter than its statement repeats its last value, so the statement must mean the same for a value that comes twice
 * (`in`, `on conflict ignore`).
 *
 * @returns a function that cuts a list into as many statements as it needs, with their parameters; none for an empty list
 */
export const listStatement = <Row>(
  compose: (slots: readonly Knex.Value[]) => Statement<Values, Row>,
) => {
  const statementFor = memoize(
    (size: number) => compose(Array.from({ length: size }, (_, at) => param(String(at)))),
    { max: mostValues },
  );

  return (list: readonly Value[], others: Values = {}) => {
    const fitted: (readonly [Statement<Values, Row>, Values])[] = [];
    for (let at = 0; at < list.length; at += mostValues) {
      const part = list.slice(at, at + mostValues);
      let size = 1;
      while (size < part.length) size *= 2;
      const parameters: Record<string, Value> = { ...others };
      for (let slot = 0; slot < size; slot += 1) {
        parameters[slot] = part[Math.min(slot, part.length - 1)] ?? null;
      }
      fitted.push([statementFor(size), parameters]);
    }
    return fitted;
  };
};
