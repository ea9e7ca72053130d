/** The effects of a statement of a migration on those that use the tables meanwhile, told from its text. */

/** A lock in PostgreSQL's words, the work on rows, and whether programs that do not know of the statement go on working. */
type Kind = readonly [lock: string, work: 'none' | 'scan' | 'rewrite', isExpansion: boolean];

/** Tells whether it adds a column that is nullable or has a constant default: no row is touched (PostgreSQL, ALTER TABLE, Notes). */
const addsPlainColumn = (action: string): boolean =>
  /^add column (?!.* (?:references|unique|check|primary|generated)\b)/.test(action) &&
  (/ default (?:'[^']*'|-?[\d.]+|true|false|null)(?: |$)/.test(action) ||
    !/ default | not null/.test(action));

/** Finds the kind of a statement on a table that was there before. */
const kindOf = (sql: string, isPostgres: boolean): Kind => {
  const [, actions = ''] = /^alter table \S+ (.+)/.exec(sql) ?? [];
  if (actions.split(', ').every(addsPlainColumn)) return ['ACCESS EXCLUSIVE', 'none', true];
  if (/^create (?:unique )?index /.test(sql)) {
    // Changes wait while it is built: not on tables that grow with what is stored.
    const isSmall = !/ on "?(?:items|item_index|item_files|value_counts)\b/.test(sql);
    return ['SHARE', 'scan', isSmall && sql.startsWith('create index')];
  }
  if (/^add constraint \S+ foreign key/.test(actions))
    return ['SHARE ROW EXCLUSIVE', 'scan', false];
  if (/^(?:insert|update|delete) /.test(sql)) return ['ROW EXCLUSIVE', 'scan', false];
  const isQuick = sql.startsWith('drop ') || (isPostgres && actions.startsWith('drop column'));
  return ['ACCESS EXCLUSIVE', isQuick ? 'none' : 'rewrite', false];
};

const made = /^(?:create|alter) (?:(?:unique )?index \S+ on|table) "?(\w+)/;
const changed = /^(?:insert into|update|delete from) "?(\w+)/;

/**
 * Tells the effects of a statement. SQLite has one writer for all tables (`*`), beside which reads go on.
 *
 * @param existing - the tables that were there before the migrations: nothing else uses those that they create
 */
export const effectsOf = (statement: string, isPostgres: boolean, existing: readonly string[]) => {
  const sql = statement.toLowerCase().replaceAll('`', '"').replaceAll(/\s+/g, ' ');
  const [, name] = made.exec(sql) ?? [];
  const [, written] = changed.exec(sql) ?? [];
  const isOfNewTable = name !== undefined && !existing.includes(name);
  const before = isOfNewTable ? 'references "?' : '\\b';
  // Names of indexes begin with that of their table.
  const after = sql.startsWith('drop index') ? '_' : '\\b';
  const tables = existing.filter((table) => RegExp(before + table + after).test(sql));
  const [mode, work, isExpansion]: Kind = isOfNewTable
    ? ['SHARE ROW EXCLUSIVE', 'none', true]
    : kindOf(sql, isPostgres);
  const locked = tables.filter((table) => (written ?? table) === table);
  const locks = isPostgres
    ? locked.map((table) => ({ table, mode }))
    : [{ table: '*', mode: 'WRITER' }];
  return { tables, locks, work, isExpansion };
};
