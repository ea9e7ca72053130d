/** Publishing ads, and the users who publish them. */

import { beforeEach, describe, expect, test } from '@jest/globals';
import { expectError } from '../support/error-body';
import { expectOk } from '../support/expect-ok';
import { useServices } from '../support/services';
import { storedItems } from '../support/stored-items';

const services = useServices();
beforeEach(() => services().reset());

const ad = {
  title: 'Maison de maître — « Les Œillets », 250 m²',
  propertyType: 'À la location',
  publicationStatus: 'Non publiée',
  propertyStatus: 'Loué',
  description: 'Près de l’hôtel\tde ville.\nGarage, çà et là du gazon 🌱',
  price: 1250.55,
  availabilityDate: '2030-03-01T09:00:00+01:00',
  photos: ['https://images.example.com/façade.jpg'],
  userName: 'demo',
  questions: [
    {
      user: 'Zoé',
      question: 'Un étage ?',
      answers: [{ answer: 'Deux.', date: '2030-01-02T08:30:00Z' }, { answer: '' }],
    },
    { user: 'Noël', question: 'Libre ?', answers: [] },
  ],
};

const publish = (body: unknown, token = services().adToken) =>
  services().ask('POST /ads/ad', { token, body });
const stored = async (): Promise<unknown[]> => {
  const rows = await storedItems(services().db, 'ads', 'ads').select('document');
  return rows.map(({ document }: { document: string }) => JSON.parse(document));
};

describe('addAd', () => {
  test('keeps the ad, every accent of it, and answers it without an id', async () => {
    const answered = await publish(ad);
    expect(expectOk(answered)).toEqual(ad);
    expect(answered.text).toContain('À la location');
    expect(await stored()).toEqual([ad]);
  });

  test.each<[string, string[]]>([
    ['propertyType', ['À la vente', 'À la location']],
    ['publicationStatus', ['Publiée', 'Non publiée']],
    ['propertyStatus', ['Disponible', 'Loué', 'Vendu']],
  ])('takes each %s that the contract lists, as it is written there', async (field, values) => {
    for (const value of values) {
      expect(expectOk(await publish({ ...ad, [field]: value }))).toMatchObject({ [field]: value });
    }
    for (const value of values) {
      const written = value.normalize('NFD');
      const others = [value.toLowerCase(), value.toUpperCase(), `${value} `, written];
      for (const other of others.filter((text) => text !== value)) {
        await expectError(await publish({ ...ad, [field]: other }), 405, 'Invalid input');
      }
    }
    expect(await stored()).toHaveLength(values.length);
  });

  test.each([0, 0.01, 1e14, 285_000, 1e300])('takes the price %s', async (price) => {
    expect(expectOk(await publish({ ...ad, price }))).toMatchObject({ price });
    expect(await stored()).toMatchObject([{ price }]);
  });

  test.each([-1, -0.01, '100', null, true, [1]])('refuses the price %p', async (price) => {
    await expectError(await publish({ ...ad, price }), 405, 'Invalid input');
    expect(await stored()).toEqual([]);
  });

  test.each([
    'title',
    'propertyType',
    'publicationStatus',
    'propertyStatus',
    'description',
    'price',
    'availabilityDate',
    'userName',
  ])('needs %s', async (field) => {
    const answered = await publish({ ...ad, [field]: undefined });
    await expectError(answered, 405, 'Invalid input');
    expect(answered.headers['allow']).toBe('OPTIONS, POST');
    expect(await stored()).toEqual([]);
  });

  test('does without photos and questions', async () => {
    const { photos: _photos, questions: _questions, ...bare } = ad;
    expect(expectOk(await publish(bare))).toEqual(bare);
  });

  test('keeps nothing that the document does not declare, at any depth', async () => {
    const body = {
      ...ad,
      id: 7,
      questions: [{ question: 'Libre ?', votes: 3, answers: [{ answer: 'Oui.', by: 'Zoé' }] }],
    };
    const kept = { ...ad, questions: [{ question: 'Libre ?', answers: [{ answer: 'Oui.' }] }] };
    expect(expectOk(await publish(body))).toEqual(kept);
    expect(await stored()).toEqual([kept]);
  });

  test('needs write:ads and read:ads, and no other scopes do', async () => {
    const { grant, login, ask } = services();
    for (const scopes of [[], ['write:ads'], ['read:ads'], ['write:pets', 'read:pets']]) {
      const token = await grant({ service: 'ads', scopes });
      const refused = await publish(ad, token);
      await expectError(refused, 403);
      expect(refused.headers['www-authenticate']).toContain('scope="write:ads read:ads"');
    }
    await expectError(await publish(ad, login.ads), 403);
    await expectError(await publish(ad, services().petToken), 401);
    await expectError(await ask('POST /ads/ad', { key: 'special-key', body: ad }), 401);
    expect(await stored()).toEqual([]);
  });

  test.each(['application/xml', 'application/x-www-form-urlencoded'])(
    'takes JSON alone, not %s',
    async (type) => {
      const asked = { token: services().adToken, type, body: JSON.stringify(ad) };
      await expectError(await services().ask('POST /ads/ad', asked), 415);
      expect(await stored()).toEqual([]);
    },
  );
});

describe('createUser', () => {
  const claire = { username: 'claire', isAgent: true };
  const password = 'un mot de passe assez long';
  const create = (body: unknown, type?: string, token: string | undefined = services().login.ads) =>
    services().ask('POST /ads/user', { token, type, body });

  test.each<[string, string]>([
    ['application/json', JSON.stringify({ ...claire, password })],
    [
      'application/xml',
      `<user><isAgent>true</isAgent><username>claire</username><password>${password}</password></user>`,
    ],
    [
      'application/x-www-form-urlencoded',
      `username=claire&isAgent=true&password=${encodeURIComponent(password)}`,
    ],
  ])('makes a user of %s who can sign in', async (type, body) => {
    expect(expectOk(await create(body, type))).toEqual(claire);
    await services().signIn('ads', 'claire', password);
    const rows = await services().db.knex('users').where({ username: 'claire' }).select();
    expect(JSON.stringify(rows)).not.toContain(password);
  });

  test.each<[string, object]>([
    ['no name', { password, isAgent: true }],
    ['no password', { username: 'claire', isAgent: true }],
    ['no isAgent', { username: 'claire', password }],
    ['an isAgent as text', { username: 'claire', password, isAgent: 'true' }],
  ])('refuses %s', async (_, body) => {
    await expectError(await create(body), 400, 'Invalid user supplied');
    await expect(services().signIn('ads', 'claire', password)).rejects.toThrow('400');
  });

  test('refuses a missing body, since an empty user lacks what is required', async () => {
    await expectError(await create(undefined), 400, 'Invalid user supplied');
  });

  test('needs a login, and a name that is free', async () => {
    const user = { ...claire, password };
    await expectError(await services().ask('POST /ads/user', { body: user }), 401, 'Not logged in');
    await expectError(await create(user, undefined, services().adToken), 403);
    expectOk(await create(user));
    await expectError(await create(user), 409, 'Username already taken');
  });
});
