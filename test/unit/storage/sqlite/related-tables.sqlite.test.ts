import { describe, expect, test } from '@jest/globals';
import Driver from 'better-sqlite3';
import { relatedTables } from '../../../../src/storage/sqlite/sqlite-changes';

const schema = `
  create table a (id integer primary key);
  create table b (a integer references a on delete cascade);
  create table c (b integer, foreign key (b) references \`b\`);
  create table d (id integer primary key, abc text);
  create index d_abc on d (abc);
  create table e (id integer);
  create table f (id integer);
  create trigger on_e after insert on e begin delete from f; end;
  create table g (id integer);
  create view v as select * from g;`;

describe('the related tables of a statement', () => {
  const raw = new Driver(':memory:');
  raw.exec(schema);
  const tablesOf = relatedTables(raw);

  test.each<[string, string, readonly string[]]>([
    ['its table', 'select * from `d` where `abc` = ?', ['d']],
    ['all its tables', 'insert into d select id from (select id from g)', ['d', 'g']],
    ['that of tables that refer to each other', 'delete from `a` where `id` = ?', ['a']],
    ['the same one from its other end', 'select * from c', ['a']],
    ['a group once', 'select * from a join b on b.a = a.id', ['a']],
    ['what a trigger changes', 'insert into e values (?)', ['e']],
    ['what a trigger may have changed', 'select * from f', ['e']],
    ['what a view shows', 'select * from v', ['g']],
    ['no table', 'select 1', []],
  ])('are %s', (_, sql, groups) => {
    expect([...tablesOf(sql)].sort()).toEqual(groups);
    expect(tablesOf(sql)).toBe(tablesOf(sql));
  });
});
