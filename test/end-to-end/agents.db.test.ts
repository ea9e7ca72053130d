/** Agents at `POST BASE/mcp`: credentials, sign-in, limits, logs and metrics are those of the requests that their calls are. */

import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { headersOf, meta } from '../support/agent';
import type { Answered, Asked } from '../support/ask';
import { authorizeTarget, backAt, grantAll, shop, shopUri, useShop } from '../support/authorize';
import { expectOk } from '../support/expect-ok';
import { startTestServer, stopTestServer } from '../support/start';

const { services, browse } = useShop({});

const ask = (method: string, params: object = {}, asked: Asked = {}): Promise<Answered> => {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method,
    params: { _meta: meta, ...params },
  });
  const headers = { ...headersOf({ method, params }), ...asked.headers };
  return services().ask('POST /petstore/mcp', { ...asked, headers, body });
};

const call = async (name: string, given: object = {}, asked: Asked = {}) => {
  const answered = await ask('tools/call', { name, arguments: given }, asked);
  const { result } = JSON.parse(answered.text);
  const texts = result.content.map(({ text }: { text: string }) => text).join('\n');
  return { answered, text: String(texts), isError: result.isError === true };
};
const key = { key: 'special-key' };

test('the operations of each service are tools', async () => {
  const { tools } = JSON.parse((await ask('tools/list')).text).result;
  const { text } = await services().ask('GET /petstore/openapi.json');
  const operations = Object.values<object>(JSON.parse(text).paths).flatMap((path) =>
    Object.values(path),
  );
  expect(tools.map(({ name }: { name: string }) => name)).toEqual(
    operations.map(({ operationId }) => operationId),
  );
});

test('what is created by an agent is there for all, with all digits', async () => {
  const body = { id: '9007199254740993', name: 'Rex', photoUrls: [] };
  const asked = { token: await newToken() };
  expect((await call('addPet', { body }, asked)).text).toBe(
    '{"id":9007199254740993,"name":"Rex","photoUrls":[]}',
  );
  const read = await services().ask('GET /petstore/pet/9007199254740993', key);
  expect(read.text).toContain('"id":9007199254740993');
  expect((await call('getPetById', { path: { petId: '9007199254740993' } }, key)).text).toBe(
    read.text,
  );
});

test('a refusal is that of HTTP', async () => {
  const { text, isError } = await call('getPetById', { path: { petId: '404404' } }, key);
  const read = await services().ask('GET /petstore/pet/404404', key);
  expect({ text, isError }).toEqual({ text: `404 ${read.text}`.replace(' ', '\n'), isError: true });
});

/** A token by the code flow with PKCE, as clients of the protocol get it. */
const newToken = async (scope = 'read:pets write:pets', resource?: string): Promise<string> => {
  const verifier = 'v'.repeat(43);
  const bound = resource === undefined ? {} : { resource };
  const target = authorizeTarget({
    ...{
      response_type: 'code',
      client_id: shop.clientId,
      redirect_uri: shopUri,
      state: 's',
      scope,
    },
    ...{ code_challenge_method: 'S256', ...bound },
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  });
  const { code = '' } = backAt(await grantAll(browse(), target), shopUri, '&');
  const fields = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: shopUri,
    client_id: shop.clientId,
    code_verifier: verifier,
    ...bound,
  };
  const body = new URLSearchParams(fields).toString();
  const answered = await services().ask('POST /petstore/oauth/token', {
    type: 'application/x-www-form-urlencoded',
    body,
  });
  expectOk(answered);
  return JSON.parse(answered.text).access_token;
};

describe('sign-in', () => {
  const byStatus = ['findPetsByStatus', { query: { status: ['sold'] } }] as const;

  test('a refusal leads to where tokens come from, and such a token is good', async () => {
    const refused = await call(...byStatus);
    const challenge = String(refused.answered.headers['www-authenticate']);
    expect(refused.answered.status).toBe(401);
    const [, metadataUrl = ''] = /resource_metadata="([^"]+)"/.exec(challenge) ?? [];
    expect(challenge).toContain('scope="write:pets read:pets"');
    const { origin } = services();
    const metadata = JSON.parse(
      (await services().ask(`GET ${metadataUrl.replace(origin, '')}`)).text,
    );
    const [issuer] = metadata.authorization_servers;
    const path = `/.well-known/oauth-authorization-server${new URL(issuer).pathname}`;
    const server = JSON.parse((await services().ask(`GET ${path}`)).text);
    expect({
      resource: metadata.resource,
      issuer: server.issuer,
      pkce: server.code_challenge_methods_supported,
    }).toEqual({
      resource: `${origin}/petstore/mcp`,
      issuer,
      pkce: ['S256'],
    });
    const token = await newToken('read:pets write:pets', metadata.resource);
    expect(await call(...byStatus, { token })).toMatchObject({ isError: false });
    // It is for the tools alone.
    expect(
      (await services().ask('GET /petstore/pet/findByStatus?status=sold', { token })).status,
    ).toBe(401);
  });

  test('a token without the scope is refused with it', async () => {
    const { answered, text } = await call(...byStatus, { token: await newToken('read:pets') });
    const direct = await services().ask('GET /petstore/pet/findByStatus?status=sold', {
      token: await newToken('read:pets'),
    });
    expect({
      status: answered.status,
      challenge: answered.headers['www-authenticate'],
      text,
    }).toEqual({
      status: 403,
      challenge: expect.stringMatching(
        /^Bearer resource_metadata="[^"]+", .*error="insufficient_scope", scope="write:pets read:pets"/,
      ),
      text: `403\n${direct.text}`,
    });
  });

  test('cookies are no credentials: a browser would send them for any page', async () => {
    const login = await services().ask(
      'GET /petstore/user/login?username=demo&password=demo-password',
    );
    const cookie = String(login.headers['set-cookie']).split(';')[0] ?? '';
    const own = { body: { username: 'new', password: 'new-password' } };
    const refused = await call('createUser', own, { headers: { cookie } });
    expect([refused.answered.status, refused.isError]).toEqual([401, true]);
    const token = JSON.parse(login.text);
    expect((await call('createUser', own, { token })).isError).toBe(false);
  });
});

test('calls count in the metrics as requests of their operations', async () => {
  await call('getPetById', { path: { petId: '1' } }, key);
  await call('getPetById', { path: { petId: 'x' } }, key);
  const { text } = await services().ask('GET /metrics');
  const lines = text
    .split('\n')
    .filter((line) => /_count\{.*operation="getPetById",method="POST"/.test(line));
  expect(lines.map((line) => /status="(\d+)"/.exec(line)?.[1]).sort()).toEqual(
    expect.arrayContaining(['200', '400']),
  );
});

test.each<[string, Readonly<Record<string, string>>, number]>([
  ['a page of another origin', { origin: 'https://evil.example.com' }, 403],
  ['a page of this server', { origin: 'self' }, 200],
  ['a page of this machine, outside of production', { origin: 'http://localhost:6274' }, 200],
])('%s', async (_name, headers, status) => {
  const { origin } = services();
  const own = headers['origin'] === 'self' ? { origin } : headers;
  expect((await ask('server/discover', {}, { headers: own })).status).toBe(status);
});

test('GET is told what the endpoint takes', async () => {
  const { status, headers } = await services().ask('GET /petstore/mcp');
  expect([status, headers['allow']]).toEqual([405, 'POST']);
});

test('programs find the endpoint', async () => {
  const catalog = JSON.parse((await services().ask('GET /.well-known/api-catalog')).text);
  expect(JSON.stringify(catalog)).toContain(`"${services().origin}/petstore/mcp"`);
  expect((await services().ask('GET /llms.txt')).text).toContain('/petstore/mcp');
});

test('MCP=false: there is no endpoint', async () => {
  const server = await startTestServer({ MCP: 'false' });
  try {
    const response = await fetch(`${server.running.origin}/petstore/mcp`, { method: 'POST' });
    expect(response.status).toBe(404);
  } finally {
    await stopTestServer(server);
  }
});
