/** Collections as views, `SERVICE_COLLECTION`: their ids, the scalar properties of their items by name and type, and the items. */

import type { Knex } from 'knex';
import type { Database } from '../database/database';
import { isPostgres, quoted } from '../sql/dialect';

/** The types of a view's columns; `time` is a text of RFC 3339. */
export type ViewType = 'text' | 'time' | 'boolean' | 'integer' | 'number' | 'decimal';

/** A collection as its view has it. */
export interface ViewedCollection {
  readonly name: string;
  /** The key of its items. */
  readonly key: number;
  /** The types of properties by their names; with one called `id` where that is a text. */
  readonly columns: () => ReadonlyMap<string, ViewType>;
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const sqliteTypes: Readonly<Record<ViewType, string>> = {
  text: 'text',
  time: 'text',
  boolean: 'boolean',
  integer: 'bigint',
  number: 'real',
  decimal: 'real',
};

const sqliteColumn = (name: string, type: ViewType): string => {
  const value = `json_extract(document, ${literal(`$."${name}"`)})`;
  if (type !== 'time') return value;
  // As times are bound; see own-statements.ts.
  return `case when ${value} like '%Z' then substr(${value}, 1, length(${value}) - 1) || '+00:00' else ${value} end`;
};

/** Reads a property in PostgreSQL: what has another type than the document says is null, since no cast may fail. */
const postgresColumn = (name: string, type: ViewType): string => {
  const value = `(document::json ->> ${literal(name)})`;
  const where = (pattern: string, result: string) =>
    `case when ${value} ~ '${pattern}' then ${result} end`;
  switch (type) {
    case 'boolean':
      return where('^(true|false)$', `${value}::boolean`);
    case 'integer': {
      const fits = `case when ${value}::numeric between -9223372036854775808 and 9223372036854775807`;
      return where('^-?[0-9]{1,19}$', `${fits} then ${value}::bigint end`);
    }
    case 'number':
      return where('^-?[0-9]{1,200}([.][0-9]+)?([eE][+-]?[0-9]{1,2})?$', `${value}::float8`);
    case 'decimal':
      return where('^-?[0-9]{1,1000}([.][0-9]{1,1000})?$', `${value}::numeric`);
    default:
      // Sorts as SQLite does, whatever the collation of the database.
      return `${value} collate "C"`;
  }
};

/** Names of properties that can be columns: PostgreSQL cuts them at 63 bytes; in SQLite they differ in more than their case. */
const usableColumns = (columns: ReadonlyMap<string, ViewType>) => {
  const known = new Set(['item']);
  return [...columns].filter(([name]) => {
    const key = name.toLowerCase();
    const isUsable = /^[^"'\\]+$/.test(name) && Buffer.byteLength(name) <= 63 && !known.has(key);
    known.add(key);
    return isUsable;
  });
};

/** Writes the select of a view. In SQLite a comment has the types of its columns; see own-statements.ts. */
const viewSelect = (knex: Knex, { key, columns }: ViewedCollection): string => {
  const usable = usableColumns(columns());
  const own = usable.some(([name]) => name === 'id') ? [] : ['"id"'];
  const types = usable.map(([name, type]) => `${quoted(name)} ${sqliteTypes[type]}`);
  const declared = [...own.map((id) => `${id} bigint`), ...types, '"item" json'].join(', ');
  const [column, json, comment] = isPostgres(knex)
    ? [postgresColumn, 'document::json', '']
    : [sqliteColumn, 'document', `/* columns (${declared}) */ `];
  const selected = [
    ...own.map((id) => `id as ${id}`),
    ...usable.map(([name, type]) => `${column(name, type)} as ${quoted(name)}`),
    `${json} as "item"`,
  ];
  return `select ${comment}${selected.join(', ')} from items where collection = ${key}`;
};

interface StoredView {
  readonly name: string;
  /** The text that it was made of: its statement in SQLite, a comment on it in PostgreSQL; null of others' views. */
  readonly source: string | null;
  readonly type: string;
}

/** Finds the views of a service, and whatever else has the name of one. */
const storedViews = async (knex: Knex, prefix: string): Promise<readonly StoredView[]> => {
  const start = `${prefix}%`.replaceAll('_', '\\_');
  if (!isPostgres(knex)) {
    return knex.raw(
      `select name, sql as source, type from sqlite_master where type in ('table', 'view') and name like ? escape '\\'`,
      [start],
    );
  }
  const { rows } = await knex.raw(
    `select relname as name, obj_description(oid, 'pg_class') as source,
      case relkind when 'v' then 'view' else 'table' end as type from pg_class
      where relnamespace = current_schema()::regnamespace and relkind in ('r', 'v', 'm', 'p', 'f') and relname like ?`,
    [start],
  );
  return rows;
};

/**
 * Brings the views of a service in line with what it declares.
 *
 * @returns their names, in lower case
 * @throws Error in one sentence where a table has the name of one
 */
export const updateViews = async (
  db: Pick<Database, 'knex' | 'changeTables'>,
  service: string,
  collections: readonly ViewedCollection[],
): Promise<ReadonlySet<string>> => {
  const { knex } = db;
  const of = ` /* of ${service} */ `;
  // What each has to be, in a text that names its service: that which SQLite keeps.
  const wanted = new Map(
    collections.map((collection) => {
      const name = `${service}_${collection.name}`;
      if (Buffer.byteLength(name) > 63) {
        throw new Error(`${name} is too long for the name of a view: it has at most 63 bytes`);
      }
      return [name, `CREATE VIEW ${quoted(name)} as${of}${viewSelect(knex, collection)}`];
    }),
  );
  const changes = (stored: readonly StoredView[]) => {
    const taken = stored.find(({ name, type }) => type === 'table' && wanted.has(name));
    if (taken !== undefined) {
      throw new Error(
        `The table ${taken.name} has the name of the view of a collection: rename it`,
      );
    }
    const isCurrent = ({ name, source }: StoredView) => wanted.get(name) === source;
    const current = new Set(stored.filter(isCurrent).map(({ name }) => name));
    return {
      dropped: stored.filter(
        (view) =>
          view.type === 'view' &&
          !isCurrent(view) &&
          (wanted.has(view.name) || view.source?.includes(of) === true),
      ),
      created: [...wanted].filter(([name]) => !current.has(name)),
    };
  };
  const found = changes(await storedViews(knex, `${service}_`));
  if (found.dropped.length + found.created.length > 0) {
    await db.changeTables(async (trx) => {
      // Another process may have done it meanwhile.
      const { dropped, created } = changes(await storedViews(trx, `${service}_`));
      for (const { name } of dropped) await trx.raw(`drop view ${quoted(name)}`);
      for (const [name, source] of created) {
        await trx.raw(source.replaceAll('?', '\\?'));
        if (!isPostgres(trx)) continue;
        const comment = `comment on view ${quoted(name)} is ${literal(source)}`;
        await trx.raw(comment.replaceAll('?', '\\?'));
      }
    });
  }
  return new Set([...wanted.keys()].map((name) => name.toLowerCase()));
};
