/** The credentials with which `contract test` meets the project's own services. */

import { mkdir, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { startOwnServer } from '../../../../scripts/contract/own-server';
import { askAt } from '../../../support/ask';
import { useTemporaryFolder } from '../../../support/temporary-folder';

const folder = useTemporaryFolder();
const environment = { ...process.env };

const document = `
openapi: 3.0.3
info: { title: Rooms, version: '1' }
servers: [{ url: /rooms }]
paths:
  /oauth: { get: { operationId: byOAuth, security: [{ oauth: [read, write] }], responses: { '204': { description: Good } } } }
  /bearer: { get: { operationId: byBearer, security: [{ bearer: [] }], responses: { '204': { description: Good } } } }
  /basic: { get: { operationId: byBasic, security: [{ basic: [] }], responses: { '204': { description: Good } } } }
  /key: { get: { operationId: byKey, security: [{ key: [] }], responses: { '204': { description: Good } } } }
  /login: { get: { operationId: byLogin, x-logged-in-user: true, responses: { '204': { description: Good } } } }
components:
  securitySchemes:
    oauth: { type: oauth2, flows: { implicit: { authorizationUrl: '{auth_url}/oauth/authorize', scopes: {} } } }
    bearer: { type: http, scheme: bearer }
    basic: { type: http, scheme: basic }
    key: { type: apiKey, in: header, name: X-Key }
  schemas: { User: { type: object, required: [email], properties: { email: { type: string } } } }
`;

const names = ['byOAuth', 'byBearer', 'byBasic', 'byKey', 'byLogin'];
const handlers = names.map((name) => `exports.${name} = async () => ({ status: 204 });`).join('\n');

beforeEach(async () => {
  await mkdir(folder('specs'));
  await mkdir(folder('handlers', 'rooms'), { recursive: true });
  await writeFile(folder('specs', 'rooms.yaml'), document);
  process.env['SPECS_DIRECTORY'] = folder('specs');
  process.env['HANDLERS_DIRECTORY'] = folder('handlers');
});

afterEach(() => {
  for (const name of ['SPECS_DIRECTORY', 'HANDLERS_DIRECTORY']) {
    const value = environment[name];
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});

const headersFor = (scheme: string, value: string): Record<string, string> => {
  if (scheme === 'key') return { 'X-Key': value };
  if (scheme !== 'basic') return { Authorization: `Bearer ${value}` };
  return { Authorization: `Basic ${Buffer.from(value).toString('base64')}` };
};

test.each([
  ['without accounts', ''],
  ['whose users have more than a name', "exports.accounts = { schema: 'User' };"],
])('every scheme of a service %s has one that is good', async (_, declarations) => {
  await writeFile(folder('handlers', 'rooms', 'room.js'), `${handlers}\n${declarations}`);
  for (const file of [undefined, folder('specs', 'rooms.yaml')]) {
    const { targets, stop } = await startOwnServer(file);
    const [target] = targets;
    if (target === undefined) throw new Error('There is no target');
    const { origin } = new URL(target.url);
    const good = new Set<string>();
    for (const { scheme, value } of target.credentials) {
      const path = scheme === 'x-logged-in-user' ? 'login' : scheme;
      const { status } = await askAt(origin)(`GET /rooms/${path}`, {
        headers: headersFor(scheme, value),
      });
      if (status === 204) good.add(scheme);
    }
    await stop();
    expect([...good]).toEqual(['oauth', 'bearer', 'basic', 'key', 'x-logged-in-user']);
  }
});
