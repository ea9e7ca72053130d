/** Data migrations by the program itself. */

import { writeFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { useProgram } from '../support/program';
import { useTemporaryFolder } from '../support/temporary-folder';
import { done } from '../unit/server/admin/run-command';
import { useTemporaryDatabase } from '../unit/storage/temporary-database';

const temporary = useTemporaryDatabase();
const folder = useTemporaryFolder();
const program = useProgram();

test('the program applies a file of TypeScript', async () => {
  const file = folder('rename.ts');
  await writeFile(
    file,
    `export const pets = (old: { readonly name: string }) => ({ ...old, name: old.name + '!' });`,
  );
  const environment = { DATABASE_URL: `sqlite:${folder('data.sqlite')}` };
  const running = await program().start(environment);
  const migrated = await program().admin(
    environment,
    ...['data', 'migrate', '--service', 'petstore', '--with', file],
  );
  expect(migrated).toEqual(done('petstore/pets: 10 of 10 items changed\n'));
  const answer = await fetch(`${running.origin}/petstore/pet/1`, {
    headers: { api_key: 'special-key' },
  });
  expect(await answer.json()).toMatchObject({ name: 'Bello!' });
  expect((await program().admin(environment, 'data', 'check')).exitCode).toBe(0);
});

test('the program, killed on the way, goes on behind the last page that it had done', async () => {
  const { db, url } = temporary;
  await db.knex('collections').insert({ service: 'petstore', name: 'pets' });
  const where = { service: 'petstore', name: 'pets' };
  const { key: collection } = await db.knex('collections').where(where).first('key');
  const rows = Array.from({ length: 300 }, (_, at) => ({
    ...{ collection, id: at + 1, format: '' },
    document: `{"id":${at + 1},"name":"P","photoUrls":[]}`,
  }));
  await db.knex.batchInsert('items', rows, 100);
  const file = folder('rename.ts');
  const command = ['data', 'migrate', '--service', 'petstore', '--with', file] as const;
  const source = (kill: string) => `
    export const pets = (old: { readonly id: bigint; readonly name: string }) => {
      ${kill}
      return { ...old, name: old.name + '!' };
    };`;
  await writeFile(file, source(`if (old.id === 250n) process.kill(process.pid, 'SIGKILL');`));
  expect((await program().admin({ DATABASE_URL: url }, ...command)).exitCode).toBe(null);
  await writeFile(file, source(''));
  expect(await program().admin({ DATABASE_URL: url }, ...command)).toEqual(
    done('petstore/pets: 100 of 100 items changed\n'),
  );
  const documents: { document: string }[] = await db.knex('items').where({ collection });
  const names = documents.map(({ document }) => JSON.parse(document).name);
  expect([names.length, new Set(names)]).toEqual([300, new Set(['P!'])]);
});
