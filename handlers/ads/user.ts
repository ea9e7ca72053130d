/** The operations tagged `user`. */

import type { Handlers } from '../../src/engine';
import type { Dependencies } from './collections';
import type { UserOperations } from './types';

/** Makes the handlers of the operations tagged `user`. The document says who may call them. */
export const userHandlers = ({ users, identity }: Dependencies): Handlers<UserOperations> => ({
  async createUser({ body, principal, fail }) {
    if (await users.isTaken(body.username)) throw fail(409);
    const [passwordHash] = await identity.hashPasswords([body.password], principal);
    const user = await users.insert(body, passwordHash);
    if (!user) throw fail(409);
    return { status: 200, body: user };
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
