/** Users: created, read, changed and deleted, by whom it may be done. */

import { beforeEach, describe, expect, test } from '@jest/globals';
import { expectError } from '../support/error-body';
import { expectOk } from '../support/expect-ok';
import { useServices } from '../support/services';

const services = useServices();
beforeEach(() => services().reset());

const password = 'correct horse battery';
const joan = { username: 'joan', firstName: 'Joan', email: 'joan@example.com', userStatus: 1 };

const as = (token: string, body?: unknown) => ({ token, body });
const asDemo = (body?: unknown) => as(services().login.petstore, body);
const createUser = (user: object) => services().ask('POST /petstore/user', asDemo(user));
const createList = (users: unknown) =>
  services().ask('POST /petstore/user/createWithList', asDemo(users));
const getUser = (name: string) => services().ask(`GET /petstore/user/${name}`);
const signIn = (username: string, given = password) =>
  services().signIn('petstore', username, given);

describe('createUser', () => {
  test.each<[string, string]>([
    ['application/json', JSON.stringify({ ...joan, password })],
    [
      'application/xml',
      `<user><username>joan</username><firstName>Joan</firstName><email>joan@example.com</email><userStatus>1</userStatus><password>${password}</password></user>`,
    ],
    [
      'application/x-www-form-urlencoded',
      String(new URLSearchParams({ ...joan, userStatus: '1', password })),
    ],
  ])('makes a user of %s who can sign in', async (type, body) => {
    const created = await services().ask('POST /petstore/user', { ...asDemo(body), type });
    expect(expectOk(created)).toEqual({ ...joan, id: 5 });
    expect(expectOk(await getUser('joan'))).toEqual({ ...joan, id: 5 });
    expect(await signIn('joan')).toMatch(/^[\w-]{43}$/);
  });

  test('keeps the password as a salted hash alone', async () => {
    const { db } = services();
    expectOk(await createUser({ ...joan, password }));
    expectOk(await createUser({ username: 'jane', password }));
    const rows = await db.knex('users').whereIn('username', ['joan', 'jane']).select();
    expect(JSON.stringify(rows)).not.toContain(password);
    const [one, other] = rows.map((row) => row.password_hash);
    expect(one).toMatch(/^\$scrypt\$/);
    expect(one).not.toBe(other);
  });

  test.each<[string, object]>([
    ['a taken name', { username: 'demo' }],
    ['a taken id', { id: 1, username: 'joan' }],
  ])('answers 409 to %s and changes nothing', async (_, user) => {
    const before = (await getUser('demo')).text;
    await expectError(await createUser({ ...user, password }), 409, 'Username already taken');
    expect((await getUser('demo')).text).toBe(before);
    await expectError(await getUser('joan'), 404, 'User not found');
  });

  test('lets one of two have a name that both ask for at once', async () => {
    const answers = await Promise.all([createUser({ ...joan, password }), createUser(joan)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('makes a user without a password, whom nobody can be', async () => {
    expectOk(await createUser(joan));
    for (const given of ['', 'undefined', 'null', password]) {
      await expect(signIn('joan', given)).rejects.toThrow('joan cannot sign in: 400');
    }
  });

  test.each<[string, string, number]>([
    ['in another case', 'Demo', 409],
    ['in another width', '\uff44emo', 409],
    ['with a blank at the end', 'demo ', 400],
    ['with what nobody sees', 'de\u200bmo', 400],
    ['that is empty', '', 400],
  ])('refuses a name %s', async (_, username, status) => {
    const messages = { 400: 'Invalid user supplied', 409: 'Username already taken' };
    const message = messages[status as keyof typeof messages];
    const refused = await createUser({ username, password });
    await expectError(refused, status, message);
    await expectError(await createList([joan, { username, password }]), status, message);
    if (status === 400) expect(refused.text).toContain('the user name must');
    expect(await services().db.knex('users').where({ service: 'petstore' })).toHaveLength(4);
  });

  test('keeps apart what differs by an accent, and knows one name in all its forms', async () => {
    expectOk(await createUser({ username: 'D\u00e9mo', password }));
    await expectError(await createUser({ username: 'de\u0301mo' }), 409);
    expect(expectOk(await getUser('D%C3%A9mo'))).toMatchObject({ username: 'D\u00e9mo' });
    for (const form of ['D\u00e9mo', 'De\u0301mo', 'd\u00e9mo', '\uff24\u00e9mo']) {
      await signIn(form);
    }
    await expect(signIn('demo')).rejects.toThrow('400');
  });

  test('knows a password however it was typed', async () => {
    expectOk(await createUser({ ...joan, password: 'caf\u00e9 noir' }));
    await signIn('joan', 'cafe\u0301\u00a0noir');
    await expect(signIn('joan', 'cafe noir')).rejects.toThrow('400');
  });
});

describe('createUsersWithListInput', () => {
  const ann = { username: 'ann', password };
  const ben = { username: 'ben', password };

  test('creates all of them and answers the last', async () => {
    expect(expectOk(await createList([ann, ben]))).toEqual({ id: 6, username: 'ben' });
    expect(expectOk(await getUser('ann'))).toEqual({ id: 5, username: 'ann' });
    await Promise.all([signIn('ann'), signIn('ben')]);
  });

  test.each<[string, unknown, number]>([
    ['one whose name is taken', [ann, { username: 'demo' }, ben], 409],
    ['one name twice', [ann, ben, ann], 409],
    [
      'one id twice',
      [
        { ...ann, id: 50 },
        { ...ben, id: 50 },
      ],
      409,
    ],
    ['one that is malformed', [ann, { username: 7 }], 400],
    ['none', [], 400],
    ['nothing at all', undefined, 400],
    ['one outside of a list', ann, 400],
    ['something that is no user', [ann, null], 400],
  ])('creates nobody from a list with %s', async (_, users, status) => {
    await expectError(await createList(users), status);
    for (const name of ['ann', 'ben']) await expectError(await getUser(name), 404);
    expect(await services().db.knex('users').where({ service: 'petstore' })).toHaveLength(4);
  });
});

describe('updateUser', () => {
  const update = (name: string, user: unknown, token = services().login.petstore) =>
    services().ask(`PUT /petstore/user/${name}`, as(token, user));

  test('changes what the user says of themselves', async () => {
    const changed = await update('demo', { username: 'demo', email: 'new@example.com' });
    expect([changed.status, changed.text]).toEqual([200, '']);
    expect(expectOk(await getUser('demo'))).toEqual({
      id: 1,
      username: 'demo',
      email: 'new@example.com',
    });
  });

  test('renames: the login goes on under the new name, the old one is free', async () => {
    expectOk(await update('demo', { username: 'new-demo' }));
    await expectError(await getUser('demo'), 404, 'User not found');
    expectOk(await update('new-demo', { username: 'NEW-demo' }));
    expectOk(await update('NEW-demo', { username: 'new-demo' }));
    expect(expectOk(await getUser('new-demo'))).toMatchObject({ id: 1 });
    await expectError(await update('demo', { phone: '1' }), 404, 'User not found');
    expectOk(await update('new-demo', { phone: '1' }));
    await signIn('new-demo', 'demo-password');
    await expect(signIn('demo', 'demo-password')).rejects.toThrow('400');
    expectOk(
      await services().ask(
        'POST /petstore/user',
        as(services().login.petstore, { username: 'demo' }),
      ),
    );
  });

  test("does not take another's name or id", async () => {
    await expectError(await update('demo', { username: 'user1' }), 409, 'Username already taken');
    await expectError(await update('demo', { username: 'USER1' }), 409, 'Username already taken');
    await expectError(await update('demo', { username: ' ' }), 400, 'Invalid user supplied');
    await expectError(await update('demo', { id: 2 }), 409, 'Username already taken');
    expect(expectOk(await getUser('demo'))).toMatchObject({ id: 1, firstName: 'Dominique' });
    expect(expectOk(await getUser('user1'))).toMatchObject({ id: 2, firstName: 'Ursula' });
  });

  test('changes the password, and keeps it where none is given', async () => {
    expectOk(await update('demo', { username: 'demo', password }));
    await expect(signIn('demo', 'demo-password')).rejects.toThrow('400');
    await signIn('demo', password);
    expectOk(await update('demo', { username: 'demo' }));
    await signIn('demo', password);
  });

  test('a new password ends the other logins and tokens of the user', async () => {
    const { ask, grant, signIn: signInAs } = services();
    const mine = await signInAs('petstore');
    const scopes = ['write:pets', 'read:pets'];
    const others = [await signInAs('petstore'), await grant({ service: 'petstore', scopes })];
    const bystander = await grant({ service: 'petstore', user: 'user1', scopes });
    const statusOf = async (token: string) =>
      (await ask('GET /petstore/pet/findByTags', { token })).status;
    expect(await Promise.all([...others, bystander].map(statusOf))).toEqual([403, 200, 200]);
    expectOk(await update('demo', { phone: '1' }, mine));
    expect(await Promise.all(others.map(statusOf))).toEqual([403, 200]);
    expectOk(await update('demo', { password }, mine));
    expect(await Promise.all([...others, bystander].map(statusOf))).toEqual([401, 401, 200]);
    expectOk(await update('demo', { phone: '2' }, mine));
  });
});

describe('getUserByName', () => {
  test.each(['nobody', 'Demo', 'demo%20', "x'%20or%20'1'='1", '%25', '*', '..', 'demo%2F'])(
    'answers 404 to the name %s',
    async (name) => {
      await expectError(await getUser(name), 404, 'User not found');
    },
  );
});

describe('deleteUser', () => {
  test('removes the user, whose tokens end', async () => {
    const { ask, login, petToken } = services();
    const other = await signIn('demo', 'demo-password');
    expectOk(await ask('DELETE /petstore/user/demo', as(login.petstore)));
    await expectError(await getUser('demo'), 404, 'User not found');
    for (const token of [login.petstore, other]) {
      await expectError(
        await ask('POST /petstore/user', as(token, joan)),
        401,
        'Not logged in: get a token by loginUser',
      );
    }
    await expectError(await ask('DELETE /petstore/pet/1', as(petToken)), 401);
    await expect(signIn('demo', 'demo-password')).rejects.toThrow('400');
  });

  test.each(['PUT', 'DELETE'])('%s answers 404 to a name that nobody has', async (method) => {
    const { ask, login } = services();
    const body = method === 'PUT' ? { phone: '1' } : undefined;
    const answered = await ask(`${method} /petstore/user/nobody`, as(login.petstore, body));
    await expectError(answered, 404, 'User not found');
  });

  test('leaves the user of that name in the other service', async () => {
    const { ask, login } = services();
    expectOk(await ask('DELETE /petstore/user/demo', as(login.petstore)));
    await services().signIn('ads', 'demo', 'demo-password');
  });
});
