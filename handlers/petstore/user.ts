/** What the operations tagged `user` do. */

import type { Handlers, Principal } from '../../src/engine';
import type { Dependencies } from './collections';
import type { User, UserOperations, UserResponse } from './types';

const withoutPassword = ({ password: _, ...user }: User): UserResponse => user;

/** Handlers of the operations tagged `user`. Who may call them is the document's to say. */
export const userHandlers = ({ users, identity }: Dependencies): Handlers<UserOperations> => {
  const create = async (
    given: readonly User[],
    caller: Principal,
  ): Promise<UserResponse[] | 'taken'> => {
    // Hashing is slow: it begins where the names are free.
    if (await users.isAnyTaken(given.map(({ username }) => username))) return 'taken';
    const passwords = given.map(({ password }) => password);
    const hashes = await identity.hashPasswords(passwords, caller);
    return users.add(
      given.map((user, index): { user: UserResponse; passwordHash: string | undefined } => ({
        user: withoutPassword(user),
        passwordHash: hashes[index],
      })),
    );
  };

  return {
    async createUser({ body, principal, fail }) {
      const created = await create([body], principal);
      const [user] = created === 'taken' ? [] : created;
      if (!user) throw fail(409);
      return { status: 200, body: user };
    },

    async createUsersWithListInput({ body, principal, fail }) {
      const created = await create(body, principal);
      if (created === 'taken') throw fail(409);
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
      const user = await users.find(path.username);
      if (!user) throw fail(404);
      return { status: 200, body: user };
    },

    async updateUser({ path, body, principal, fail }) {
      const [passwordHash] = await identity.hashPasswords([body.password], principal);
      const user = withoutPassword(body);
      const replaced = await users.replace(path.username, user, passwordHash, principal);
      if (replaced === 'unknown') throw fail(404);
      if (replaced === 'taken') throw fail(409);
      return { status: 200 };
    },

    async deleteUser({ path, fail }) {
      if (!(await users.remove(path.username))) throw fail(404);
      return { status: 200 };
    },
  };
};
