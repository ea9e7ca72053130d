/** The least length of new passwords, where one is set. */

import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { expectError } from '../support/error-body';
import { expectOk } from '../support/expect-ok';
import { useServices } from '../support/services';
import { valuesOf } from '../support/text-cases';

const cases = join(__dirname, 'min-password-length.cases.txt');

const services = useServices({ MIN_PASSWORD_LENGTH: '14' });
beforeEach(() => services().reset());

const short = 'thirteen-long';
const invalid = 'Invalid user supplied';

const send = (operation: string, body: unknown, service: 'petstore' | 'ads' = 'petstore') =>
  services().ask(operation, { token: services().login[service], body });

test.each(valuesOf<[string, string, unknown, 'petstore' | 'ads']>(cases, 'requests'))(
  '%s refuses a shorter one, without repeating it, and changes nothing',
  async (...given) => {
    const [, operation, body, service] = given;
    const rows = () => services().db.knex('users').orderBy('key').select();
    const before = await rows();
    const refused = await send(operation, body, service);
    await expectError(refused, 400, invalid);
    expect(refused.text).toContain('the password must have at least 14 characters');
    expect(refused.text).not.toContain(short);
    expect(await rows()).toEqual(before);
  },
);

test('counts characters, not bytes or halves of characters', async () => {
  const user = { username: 'joan', password: '🐕'.repeat(13) };
  await expectError(await send('POST /petstore/user', user), 400, invalid);
  expectOk(await send('POST /petstore/user', { ...user, password: '🐕'.repeat(14) }));
});

test('asks nothing of whoever has no password, nor of passwords that are there', async () => {
  expectOk(await send('POST /petstore/user', { username: 'joan' }));
  expectOk(await send('PUT /petstore/user/demo', { phone: '1' }));
  await services().signIn('petstore', 'demo', 'demo-password');
});
