/** The operations tagged `user`. */

import type { Handlers } from '../../src/engine';
import type { Dependencies } from './collections';
import type { UserOperations } from './types';

/** Makes the handlers of the operations tagged `user`. The document says who may call them. */
export const userHandlers = ({
  users,
  identity,
  transaction,
}: Dependencies): Handlers<UserOperations> => ({
  async createUser({ body, principal, fail }) {
    if (await users.isTaken(body.username)) throw fail(409);
    const [passwordHash] = await identity.hashPasswords([body.password], principal);
    const user = await users.insert(body, passwordHash);
    if (!user) throw fail(409);
    return { status: 200, body: user };
  },

  async createUsersWithListInput({ body, principal, fail }) {
    const areTaken = await Promise.all(body.map(({ username }) => users.isTaken(username)));
    if (areTaken.includes(true)) throw fail(409);
    const passwords = body.map(({ password }) => password);
    const hashes = await identity.hashPasswords(passwords, principal);
    // All users are created, or none.
    const created = await transaction(async (stored) => {
      const inserted = [];
      for (const [index, user] of body.entries()) {
        const one = await stored.users.insert(user, hashes[index]);
        if (!one) throw fail(409);
        inserted.push(one);
      }
      return inserted;
    });
    const last = created.at(-1);
    if (!last) throw fail(400);
    return { status: 200, body: last };
  },

  async loginUser({ query: { username, password }, client, fail }) {
    if (!username || !password) throw fail(400);
    const login = await identity.signIn(username, password, client);
    if (!login) throw fail(400);
    return {
      status: 200,
      body: login.token,
      headers: {
        'X-Rate-Limit': login.callsPerHour,
        'X-Expires-After': login.expiresAt.toISOString(),
        'Set-Cookie': login.sessionCookie,
      },
    };
  },

  async logoutUser({ principal }) {
    if (principal) await identity.signOut(principal);
    return { status: 200, headers: { 'Set-Cookie': identity.endedSession } };
  },

  async getUserByName({ path, fail }) {
    const user = await users.get(path.username);
    if (!user) throw fail(404);
    return { status: 200, body: user };
  },

  async updateUser({ path, body, principal, fail }) {
    const [passwordHash] = await identity.hashPasswords([body.password], principal);
    const user = await users.update(path.username, () => body, passwordHash, principal);
    if (!user) throw fail((await users.get(path.username)) ? 409 : 404);
    return { status: 200 };
  },

  async deleteUser({ path, fail }) {
    if (!(await users.delete(path.username))) throw fail(404);
    return { status: 200 };
  },
});
