/** Secrets stay secret: none is in any log line, whatever goes well or wrong. */

import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { digest } from '../../src/identity/token';
import { startServer } from '../../src/server/server';
import { closeDatabase, type Database, openDatabase } from '../../src/storage/database/database';
import { issueToken } from '../support/access-token';
import { type Ask, askAt } from '../support/ask';
import { authorizeTarget, backAt, grantAll } from '../support/authorize';
import { openBrowser } from '../support/browser';
import { useNewDatabases } from '../support/new-database';
import { testConfig } from '../support/start';

const newDatabase = useNewDatabases();

const password = 'S3cret-of-joan';
const wrongPassword = 'Wr0ng-of-demo';

/** Everything that carries a secret, the right ones and the wrong ones; resolves to the tokens. */
const useSecrets = async (ask: Ask, accessToken: string): Promise<readonly string[]> => {
  const login = '/petstore/user/login?username=demo&password=';
  const signedIn = await ask(`GET ${login}demo-password`);
  const token: string = JSON.parse(signedIn.text);
  const headers = { Cookie: `session=${token}` };
  const user = { username: 'joan', password };
  await ask(`GET ${login}${wrongPassword}`);
  await ask(`GET ${login}${wrongPassword}%zz`);
  await ask(`POST ${login}${wrongPassword}`);
  await ask(`GET /nowhere?password=${wrongPassword}`);
  await ask('POST /petstore/user', { token, body: user });
  await ask('POST /petstore/user', { headers, body: user });
  await ask('POST /petstore/user', { token, body: `{"password":"${password}"` });
  await ask('POST /petstore/user', { token, body: { username: 7, password } });
  await ask('POST /petstore/user', { token: 'refused-token', body: user });
  await ask('PUT /petstore/user/demo', { token, body: { password } });
  await ask('GET /petstore/pet/1?token=query-token', { key: 'special-key' });
  await ask('GET /petstore/pet/1', { key: 'refused-key' });
  await ask('GET /petstore/pet/1', { token: accessToken });
  await ask('GET /petstore/user/logout', { token });
  return [token, accessToken];
};

/** Signs in and allows on the pages, then exchanges the code; resolves to what must stay secret. */
const grantAccess = async (ask: Ask, origin: string): Promise<readonly string[]> => {
  const redirect_uri = `${origin}/petstore/docs/oauth2-redirect.html`;
  const client = { client_id: 'docs', redirect_uri, scope: 'read:pets', state: 'secret-state' };
  const browser = openBrowser(ask);
  const page = await browser.open(authorizeTarget({ ...client, response_type: 'token' }));
  await browser.press(page, {
    button: 'sign-in',
    fields: { username: 'demo', password: wrongPassword },
  });
  const implicit = backAt(
    await grantAll(browser, authorizeTarget({ ...client, response_type: 'token' })),
    ...([redirect_uri, '#'] as const),
  );
  const pkce = { code_challenge: 'c'.repeat(43), code_challenge_method: 'S256' };
  const { code = '' } = backAt(
    await grantAll(browser, authorizeTarget({ ...client, ...pkce, response_type: 'code' })),
    ...([redirect_uri, '?'] as const),
  );
  await ask('POST /petstore/oauth/token', {
    type: 'application/x-www-form-urlencoded',
    body: `grant_type=authorization_code&client_id=docs&code=${code}&code_verifier=${'v'.repeat(43)}`,
  });
  const cookies = Object.values(browser.cookiesFor('/petstore/oauth/authorize'));
  return [implicit['access_token'] ?? '', code, 'secret-state', ...cookies];
};

/** Calls whose queries fail: an error of the server's own is logged whole. */
const failInside = async (
  ask: Ask,
  db: Database,
  token: string,
  accessToken: string,
): Promise<readonly number[]> => {
  // PostgreSQL tells the whole row that breaks a rule.
  await db.knex.raw("alter table users add column trouble text check (username <> 'jim')");
  const user = { username: 'jim', password, email: 'jim@example.com' };
  const created = await ask('POST /petstore/user', { token, body: user });
  await db.knex.schema.dropTable('tokens');
  const login = await ask(`GET /petstore/user/login?username=demo&password=${password}`);
  const called = await ask('GET /petstore/pet/1', { token: accessToken });
  return [created.status, login.status, called.status];
};

test('no password, token, key or query string reaches the log', async () => {
  const databaseUrl = await newDatabase();
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) });
  const server = await startServer(testConfig({ DATABASE_URL: databaseUrl }), { log });
  const db = await openDatabase(databaseUrl);
  const scopes = ['write:pets', 'read:pets'];
  const accessToken = await issueToken(db, { service: 'petstore', scopes });
  const tokens = [
    ...(await grantAccess(askAt(server.origin), server.origin)),
    ...(await useSecrets(askAt(server.origin), accessToken)),
  ];
  const token = await issueToken(db, { service: 'petstore', kind: 'login' });
  const statuses = await failInside(askAt(server.origin), db, token, accessToken);
  await closeDatabase(db);
  await server.stop();

  const text = lines.join('');
  expect(statuses).toEqual([500, 500, 500]);
  expect(text).toContain('"path":"/petstore/user/login"');
  expect(text).toContain('"operation":"createUser"');
  expect(text).toContain('"status":500');
  expect(text).toMatch(/check constraint/i);
  const hashes = ['$scrypt$', 'jim@example.com', ...tokens.map(digest)];
  const secrets = ['demo-password', password, wrongPassword, 'special-key', ...tokens, token];
  const refused = [
    'refused-token',
    'refused-key',
    'query-token',
    'username=',
    'password=',
    'session=',
  ];
  for (const secret of [...secrets, ...refused, ...hashes]) {
    expect(lines.filter((line) => line.includes(secret))).toEqual([]);
  }
});
