/** What the operations tagged `user` do. */

import type { Handlers } from '../../src/engine';
import type { Dependencies } from './collections';
import type { UserOperations } from './types';

/** Handlers of the operations tagged `user`. Who may call them is the document's to say. */
export const userHandlers = ({ users, identity }: Dependencies): Handlers<UserOperations> => ({
  async createUser({ body: { password, ...user }, principal, fail }) {
    if (await users.isAnyTaken([user.username])) throw fail(409);
    const [passwordHash] = await identity.hashPasswords([password], principal);
    const created = await users.add([{ user, passwordHash }]);
    const [added] = created === 'taken' ? [] : created;
    if (!added) throw fail(409);
    return { status: 200, body: added };
  },

  async loginUser({ query: { username, password }, client, fail }) {
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
});
