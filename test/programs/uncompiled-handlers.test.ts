/** The admin program while a developer works on handlers: it waits for no build, and tokens and keys for no handlers. */

import { mkdir, writeFile } from 'node:fs/promises';
import { beforeEach, expect, test } from '@jest/globals';
import { useProgram } from '../support/program';
import { useTemporaryFolder } from '../support/temporary-folder';

const folder = useTemporaryFolder();
const program = useProgram();

const document = `
openapi: 3.1.0
info: { title: Rooms, version: '1' }
servers: [{ url: /rooms }]
paths:
  /rooms:
    get:
      operationId: listRooms
      security: [{ token: [read] }]
      responses: { '204': { description: Listed } }
components:
  securitySchemes: { token: { type: http, scheme: bearer } }
  schemas:
    User:
      type: object
      required: [room]
      properties: { username: { type: string }, room: { type: integer } }
`;

const admin = (words: string, variables: Readonly<Record<string, string>> = {}) =>
  program().admin(
    {
      DATABASE_URL: `sqlite:${folder('data.sqlite')}`,
      SPECS_DIRECTORY: folder('specs'),
      HANDLERS_DIRECTORY: folder('dist', 'handlers'),
      USER_PASSWORD: 'a long password',
      ...variables,
    },
    ...words.split(' '),
  );

beforeEach(async () => {
  await mkdir(folder('specs'));
  await mkdir(folder('handlers', 'rooms'), { recursive: true });
  await writeFile(folder('specs', 'rooms.yaml'), document);
  await writeFile(
    folder('handlers', 'rooms', 'collections.ts'),
    `import type { Accounts } from './missing';\nexport const accounts = { schema: 'User' } as const;`,
  );
});

test('it creates a user by the source of the handlers, and needs none for all else', async () => {
  const create = 'user create --service rooms --username ann --field';
  expect(await admin(`${create} room=7`)).toMatchObject({ exitCode: 0, err: '' });
  expect(await admin(`${create} room=seven`)).toMatchObject({ exitCode: 2, out: '' });
  const uncompiled = /handlers\/rooms cannot be loaded: it is not compiled; run npm run build/;
  const production = await admin(`${create} room=7`, { NODE_ENV: 'production' });
  expect(production).toMatchObject({ exitCode: 1, err: expect.stringMatching(uncompiled) });
  await writeFile(folder('handlers', 'rooms', 'collections.ts'), 'export const accounts = {');
  for (const words of [
    'token create --service rooms --user ann --scope read',
    'token list --service rooms',
    'session list --service rooms',
    'api-key create --service rooms --label shop',
    'client list --service rooms',
    'user list --service rooms',
    'user disable --service rooms --username ann',
    'user delete --service rooms --username ann',
  ]) {
    expect([words, await admin(words)]).toEqual([words, expect.objectContaining({ exitCode: 0 })]);
  }
  const broken = await admin('user create --service rooms --username bob');
  expect(broken).toMatchObject({ exitCode: 1, err: expect.stringContaining('collections.ts') });
});
