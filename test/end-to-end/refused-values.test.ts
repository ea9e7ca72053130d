/** A refusal says where a fault lies and never repeats what was refused: it may be a secret. */

import { expect, test } from '@jest/globals';
import { useServices } from '../support/services';

const services = useServices();

const secret = '4815162342';

test.each<[string, string, string]>([
  ['a password of a wrong type', 'application/json', `{"username":"eve","password":${secret}}`],
  ['a password in a list', 'application/json', `{"username":"eve","password":["${secret}"]}`],
  ['a body that ends early', 'application/json', `{"password":"${secret}`],
  ['a repeated password', 'application/json', `{"password":"${secret}","password":"${secret}"}`],
  ['a number out of range', 'application/json', `{"userStatus":${secret}}`],
  ['a malformed document', 'application/xml', `<user><password>${secret}</user>`],
  [
    'a repeated element',
    'application/xml',
    `<user>${`<password>${secret}</password>`.repeat(2)}</user>`,
  ],
  ['a malformed form', 'application/x-www-form-urlencoded', `password=${secret}%zz`],
  [
    'a repeated field',
    'application/x-www-form-urlencoded',
    `password=${secret}&password=${secret}`,
  ],
])('%s in a body', async (_, type, body) => {
  const { ask, login } = services();
  for (const accept of ['application/json', 'application/xml']) {
    const asked = { token: login.petstore, type, body, accept };
    const { status, text } = await ask('POST /petstore/user', asked);
    expect([status, text]).toEqual([400, expect.not.stringContaining(secret)]);
  }
});

test.each([
  `/petstore/user/login?username=demo&password=${secret}`,
  `/petstore/user/login?username=demo&password=${secret}&password=${secret}`,
  `/petstore/user/login?username=${secret}%zz&password=x`,
  `/ads/user/login?password=${secret}`,
  `/petstore/pet/findByStatus?status=${secret}`,
  `/petstore/pet/${secret}x`,
  `/petstore/user/${secret}`,
  `/nowhere/${secret}`,
])('%s', async (target) => {
  const { ask, petToken: token } = services();
  for (const accept of ['application/json', 'application/xml']) {
    const { status, text } = await ask(`GET ${target}`, { token, accept });
    expect([400, 404]).toContain(status);
    expect(text).not.toContain(secret);
  }
});
