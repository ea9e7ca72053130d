/** Spreads requests over the servers that take part, as a load balancer does. */

import type { HttpClient, HttpRequest, HttpResponse } from '../crash-test/load/http-client';

/** A server that takes part. */
interface Member {
  readonly name: string;
  readonly http: HttpClient;
  /** The requests that it has answered. */
  answered: number;
  /** The requests that it has not answered yet. */
  readonly open: Set<Promise<unknown>>;
}

/** Sends each request to the next server in turn. */
export interface Balancer extends HttpClient {
  add(name: string, http: HttpClient): void;
  /** Sends it nothing more; resolves when it has answered everything. */
  remove(name: string): Promise<void>;
  /** Tells how many requests each has answered so far. */
  answered(): Readonly<Record<string, number>>;
  /** The requests that got no response, or one of the server's own errors. */
  readonly failures: readonly string[];
}

/** Makes a balancer without servers. */
export const openBalancer = (): Balancer => {
  const all = new Map<string, Member>();
  let members: Member[] = [];
  let turn = 0;
  const failures: string[] = [];

  const note = (
    { name }: Member,
    { method, path }: HttpRequest,
    response: HttpResponse | string,
  ): void => {
    const problem =
      typeof response === 'string' ? response : response.status >= 500 && `${response.status}`;
    if (problem) failures.push(`${name}: ${method} ${path}: ${problem}`);
  };

  return {
    failures,
    add(name, http) {
      const member = { name, http, answered: 0, open: new Set<Promise<unknown>>() };
      all.set(name, member);
      members.push(member);
    },
    async remove(name) {
      members = members.filter((member) => member.name !== name);
      await Promise.all(all.get(name)?.open ?? []);
    },
    answered: () => Object.fromEntries([...all.values()].map((one) => [one.name, one.answered])),
    async send(request) {
      turn += 1;
      const member = members[turn % members.length];
      if (member === undefined) throw new Error('No server takes part');
      const sent = member.http.send(request);
      member.open.add(sent);
      const response = await sent;
      member.open.delete(sent);
      member.answered += 1;
      note(member, request, response);
      return response;
    },
    close() {
      for (const { http } of all.values()) http.close();
    },
  };
};
