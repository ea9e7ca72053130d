/** The effects of a statement of a migration on those that use the tables meanwhile, told from its text. */

/** A lock, in PostgreSQL's words. SQLite has one writer for all tables (`*`), beside which reads go on. */
export interface Lock {
  readonly table: string;
  readonly mode: 'ACCESS EXCLUSIVE' | 'SHARE ROW EXCLUSIVE' | 'SHARE' | 'ROW EXCLUSIVE' | 'WRITER';
}

/** The effects of a statement. */
export interface Effects {
  /** The tables that were there before, which it names. */
  readonly tables: readonly string[];
  /** Kept until the end of all migrations. */
  readonly locks: readonly Lock[];
  /** The work on the rows of these tables. */
  readonly work: 'none' | 'scan' | 'rewrite';
  /** True where programs that do not know of it go on working beside it and after it. */
  readonly isExpansion: boolean;
}

type Kind = readonly [mode: Lock['mode'], work: Effects['work'], isExpansion: boolean];

const constant = / default (?:'[^']*'|-?[\d.]+|true|false|null)(?: |$)/;

/** Tells whether it adds a column that is nullable or has a constant default: then no row is touched (PostgreSQL, ALTER TABLE, Notes). */
const addsPlainColumn = (action: string): boolean =>
  action.startsWith('add column ') &&
  !/\b(?:references|unique|check|primary|generated)\b/.test(action) &&
  (constant.test(action) || !/ default | not null/.test(action));

const addsPlainColumns = (sql: string): boolean => {
  const [, actions] = /^alter table \S+ (.+)$/.exec(sql) ?? [];
  return actions?.split(', ').every(addsPlainColumn) === true;
};

/** An index of these grows with what is stored, and changes would wait for as long as it is built. */
const largeTables = /^create index \S+ on "?(?:items|item_index|item_files|value_counts)\b/;

/** Finds the kind of a statement on a table that was there before. */
const kindOf = (sql: string, isPostgres: boolean): Kind => {
  if (addsPlainColumns(sql)) return ['ACCESS EXCLUSIVE', 'none', true];
  if (/^create (?:unique )?index /.test(sql)) {
    return ['SHARE', 'scan', !sql.startsWith('create unique') && !largeTables.test(sql)];
  }
  if (/^alter table \S+ add constraint \S+ foreign key/.test(sql)) {
    return ['SHARE ROW EXCLUSIVE', 'scan', false];
  }
  if (/^(?:insert|update|delete) /.test(sql)) return ['ROW EXCLUSIVE', 'scan', false];
  const isQuick = /^drop /.test(sql) || (isPostgres && /^alter table \S+ drop column/.test(sql));
  return ['ACCESS EXCLUSIVE', isQuick ? 'none' : 'rewrite', false];
};

const target = /^(create|alter) (?:(?:unique )?index \S+ on|table) "?(\w+)/;
const changed = /^(?:insert into|update|delete from) "?(\w+)/;

/**
 * Tells the effects of a statement.
 *
 * @param existing - the tables that were there before the migrations: nothing else uses those that they create
 */
export const effectsOf = (
  sql: string,
  isPostgres: boolean,
  existing: readonly string[],
): Effects => {
  const text = sql.toLowerCase().replaceAll('`', '"').replaceAll(/\s+/g, ' ');
  const [, verb, name = ''] = target.exec(text) ?? [];
  const isOfNewTable = verb !== undefined && !existing.includes(name);
  const before = isOfNewTable ? 'references "?' : '\\b';
  // Names of indexes begin with that of their table.
  const after = text.startsWith('drop index') ? '_' : '\\b';
  const tables = existing.filter((table) => RegExp(before + table + after).test(text));
  const [mode, work, isExpansion]: Kind = isOfNewTable
    ? ['SHARE ROW EXCLUSIVE', 'none', true]
    : kindOf(text, isPostgres);
  const [, written] = changed.exec(text) ?? [];
  const locked = isPostgres ? tables.filter((table) => (written ?? table) === table) : ['*'];
  const locks = locked.map((table): Lock => ({ table, mode: isPostgres ? mode : 'WRITER' }));
  return { tables, locks, work, isExpansion };
};
