/** Creating users, one or several at once, and signing in and out. */

import type { KeyedStep } from '../history/history';
import { type Fields, stateWithoutId } from '../history/views';
import { type Client, fieldsIn, newMark, requestChange, without } from './client';

const newUser = (client: Client, password: string | undefined): Fields => {
  const username = newMark(client);
  return {
    username,
    firstName: `First ${username}`,
    email: `${username}@example.com`,
    userStatus: client.random.below(10),
    ...(password !== undefined && { password }),
  };
};

const nameOf = (user: Fields): string => String(user['username']);

const stepOf = (user: Fields): KeyedStep => ({
  kind: 'user',
  key: nameOf(user),
  to: stateWithoutId(user),
});

/** Reads a user that was created, and its id, which the server assigned. */
const stepsIn = (body: Buffer): KeyedStep[] => {
  const user = fieldsIn(body);
  return [stepOf(user), { kind: 'number', key: String(user['id']), to: nameOf(user) }];
};

export const createUser = async (client: Client): Promise<void> => {
  const password = client.random.chance(0.3) ? `password of ${client.number}` : undefined;
  const user = newUser(client, password);
  const outcome = await requestChange(client, {
    request: {
      method: 'POST',
      path: '/petstore/user',
      token: client.credentials.login,
      json: user,
    },
    operation: 'createUser',
    steps: [stepOf(user)],
    stepsIn,
  });
  if (outcome.kind === 'made') client.shared.users.push({ username: nameOf(user), password });
};

/** Creates two to five users at once; now and then with one whose name is taken, so that none may be created. */
export const createUsers = async (client: Client): Promise<void> => {
  const { random, shared } = client;
  const users = Array.from({ length: 2 + random.below(4) }, () => newUser(client, undefined));
  const steps = users.map(stepOf);
  const taken = random.chance(0.2) ? random.pickAny(shared.users) : undefined;
  await requestChange(client, {
    request: {
      method: 'POST',
      path: '/petstore/user/createWithList',
      token: client.credentials.login,
      json: taken === undefined ? users : [...users, { username: taken.username }],
    },
    operation: 'createUsersWithListInput',
    steps,
    refusals: taken === undefined ? [] : [409],
    // The response is the last one alone.
    stepsIn: (body) => [...steps.slice(0, -1), ...stepsIn(body)],
  });
};

export const loginUser = async (client: Client): Promise<void> => {
  const { random, shared } = client;
  const own = random.pickAny(shared.users.filter(({ password }) => password !== undefined));
  const { username, password = '' } = own ?? { username: 'demo', password: 'demo-password' };
  const query = new URLSearchParams({ username, password });
  const tokenIn = (body: Buffer): string => String(JSON.parse(body.toString()));
  const outcome = await requestChange(client, {
    request: { method: 'GET', path: `/petstore/user/login?${query}` },
    // A token that no client has got has no effect.
    operation: 'loginUser',
    steps: [],
    stepsIn: (body) => [{ kind: 'login', key: tokenIn(body), to: 'live' }],
  });
  if (outcome.kind === 'made') client.logins.push(tokenIn(outcome.body));
};

export const logoutUser = async (client: Client): Promise<void> => {
  const token = client.random.pickAny(client.logins);
  if (token === undefined) return loginUser(client);
  client.logins = without(client.logins, token);
  const outcome = await requestChange(client, {
    request: { method: 'GET', path: '/petstore/user/logout', token },
    operation: 'logoutUser',
    steps: [{ kind: 'login', key: token, to: undefined }],
  });
  if (outcome.kind === 'refused') client.logins.push(token);
};
