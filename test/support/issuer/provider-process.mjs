/** An OpenID provider as a process of its own, for oidc-provider is an ES module; tests direct it by messages. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { Provider } from 'oidc-provider';

const algorithm = 'RS256';
const clients = ['shop', 'other-shop'].map((clientId) => ({
  client_id: clientId,
  client_secret: `${clientId}-secret`,
  grant_types: ['client_credentials'],
  redirect_uris: [],
  response_types: [],
}));

/** Whatever resource is asked for, tokens for it are JWTs (RFC 8707, RFC 9068). */
const resourceIndicators = {
  enabled: true,
  getResourceServerInfo: (_context, resource) => ({
    scope: 'write:pets read:pets write:ads read:ads',
    audience: resource,
    accessTokenFormat: 'jwt',
    accessTokenTTL: 600,
  }),
};

let port = 0;
let keys;
let provider;
let generation = 0;
const requests = [];

const server = createServer((request, response) => {
  requests.push(request.url);
  provider.callback()(request, response);
});

const listen = async () => {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address());
  return `http://127.0.0.1:${port}`;
};

/** New keys; those from before are gone. */
const rotate = async () => {
  generation += 1;
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
  const kid = `key-${generation}`;
  const jwk = { ...(await exportJWK(privateKey)), kid, alg: algorithm, use: 'sig' };
  keys = { kid, privateKey };
  provider = new Provider(`http://127.0.0.1:${port}`, {
    clients,
    clientDefaults: { token_endpoint_auth_method: 'client_secret_basic' },
    jwks: { keys: [jwk] },
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      resourceIndicators,
    },
  });
};

/** Signs whatever is given with the provider's key of now, also what says that the extension `x` must be understood. */
const sign = ({ header, claims }) =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: algorithm, kid: keys.kid, ...header })
    .sign(keys.privateKey, { crit: { x: true } });

/** Stops answering; the port stays ours to come back to. */
const leave = async () => {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
};

const deeds = { rotate, sign, leave, listen, requests: () => requests.splice(0) };

process.on('message', async ({ id, deed, given }) => {
  try {
    process.send({ id, value: await deeds[deed](given) });
  } catch (error) {
    process.send({ id, error: String(error) });
  }
});
process.on('disconnect', () => process.exit());

const origin = await listen();
await rotate();
process.send({ id: 0, value: origin });
