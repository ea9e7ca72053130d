/** Publishing ads: every accent counts. */

import { beforeEach, expect, test } from '@jest/globals';
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

const publish = (body: unknown, token = services().adToken, headers = {}) =>
  services().ask('POST /ads/ad', { token, body, headers });
const stored = async (): Promise<unknown[]> => {
  const rows = await storedItems(services().db, 'ads', 'ads').select('document');
  return rows.map(({ document }: { document: string }) => JSON.parse(document));
};

test('an ad is kept, every accent of it, and answered without an id', async () => {
  const answered = await publish(ad);
  expect(expectOk(answered)).toEqual(ad);
  expect(answered.text).toContain('À la location');
  expect(await stored()).toEqual([ad]);
});

test('a price of more digits is the nearest number, and one that no number holds is refused', async () => {
  const priced = (price: string) =>
    publish(JSON.stringify({ ...ad, price: '?' }).replace('"?"', price), undefined, {
      'Content-Type': 'application/json',
    });
  expect(expectOk(await priced('0.1234567890123456789'))).toMatchObject({
    price: 0.12345678901234568,
  });
  for (const price of ['9007199254740993', '1e400']) {
    await expectError(await priced(price), 405, 'Invalid input');
  }
});

test('the user name of an ad may be anybody’s; beside it stands whose token published', async () => {
  for (const userName of ['user1', 'nobody']) {
    expect(expectOk(await publish({ ...ad, userName }))).toEqual({ ...ad, userName });
  }
  const owners = await storedItems(services().db, 'ads', 'ads').select('owner');
  expect(owners).toEqual([{ owner: 'user:demo' }, { owner: 'user:demo' }]);
});

test.each<[string, string[]]>([
  ['propertyType', ['À la vente', 'À la location']],
  ['publicationStatus', ['Publiée', 'Non publiée']],
  ['propertyStatus', ['Disponible', 'Loué', 'Vendu']],
])('each %s that the contract lists is taken, as it is written there', async (field, values) => {
  for (const value of values) {
    expect(expectOk(await publish({ ...ad, [field]: value }))).toMatchObject({ [field]: value });
    const written = value.normalize('NFD');
    const others = [value.toLowerCase(), value.toUpperCase(), `${value} `, written];
    for (const other of others.filter((text) => text !== value)) {
      await expectError(await publish({ ...ad, [field]: other }), 405, 'Invalid input');
    }
  }
  expect(await stored()).toHaveLength(values.length);
});

test.each([0, 0.01, 1e14, 285_000, 1e300])('the price %s is taken', async (price) => {
  expect(expectOk(await publish({ ...ad, price }))).toMatchObject({ price });
  expect(await stored()).toMatchObject([{ price }]);
});

test('a price below 0 is refused', async () => {
  await expectError(await publish({ ...ad, price: -0.01 }), 405, 'Invalid input');
  expect(await stored()).toEqual([]);
});

test('photos and questions may be missing', async () => {
  const { photos: _photos, questions: _questions, ...bare } = ad;
  expect(expectOk(await publish(bare))).toEqual(bare);
});

test('nothing is kept that the document does not declare, at any depth', async () => {
  const questions = [{ question: 'Libre ?', votes: 3, answers: [{ answer: 'Oui.', by: 'Zoé' }] }];
  const kept = { ...ad, questions: [{ question: 'Libre ?', answers: [{ answer: 'Oui.' }] }] };
  expect(expectOk(await publish({ ...ad, id: 7, questions }))).toEqual(kept);
  expect(await stored()).toEqual([kept]);
});

test('tokens and keys of the pet store let nobody publish', async () => {
  const { ask, grant, petToken } = services();
  const token = await grant({ service: 'ads', scopes: ['write:pets', 'read:pets'] });
  await expectError(await publish(ad, token), 403);
  await expectError(await publish(ad, petToken), 401);
  await expectError(await ask('POST /ads/ad', { key: 'special-key', body: ad }), 401);
  expect(await stored()).toEqual([]);
});

test('whoever was created can sign in, and the password is kept as a hash alone', async () => {
  const { ask, db, login, signIn } = services();
  const user = { username: 'claire', isAgent: true };
  const body = { ...user, password: 'un mot de passe assez long' };
  expect(expectOk(await ask('POST /ads/user', { token: login.ads, body }))).toEqual(user);
  await signIn('ads', 'claire', body.password);
  const rows = await db.knex('users').where({ username: 'claire' }).select();
  expect(JSON.stringify(rows)).not.toContain(body.password);
  const again = await ask('POST /ads/user', { token: login.ads, body });
  await expectError(again, 409, 'Username already taken');
});

test('creating a user needs a body, since an empty user lacks what is required', async () => {
  const { ask, login } = services();
  await expectError(
    await ask('POST /ads/user', { token: login.ads }),
    400,
    'Invalid user supplied',
  );
});
