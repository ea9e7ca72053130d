/** Spreads requests over the servers that take part, as a load balancer does. */

import type { HttpClient } from '../crash-test/load/http-client';

/** A server that takes part, or took. */
interface Member {
  readonly http: HttpClient;
  /** The number of requests that it has answered. */
  answered: number;
  /** The requests that it has not answered yet. */
  readonly open: Set<Promise<unknown>>;
}

/** Makes what sends each request to the next server in turn. */
export const openBalancer = () => {
  const members = new Map<string, Member>();
  let turns: string[] = [];
  let turn = 0;
  const failures: string[] = [];
  const send: HttpClient['send'] = async (request) => {
    turn += 1;
    const name = turns[turn % turns.length] ?? '';
    const member = members.get(name);
    if (member === undefined) throw new Error('No server takes part');
    const sent = member.http.send(request);
    member.open.add(sent);
    const response = await sent;
    member.open.delete(sent);
    member.answered += 1;
    const problem = typeof response === 'string' ? response : response.status;
    if (typeof problem === 'string' || problem >= 500) {
      failures.push(`${name}: ${request.method} ${request.path}: ${problem}`);
    }
    return response;
  };
  return {
    send,
    /** The requests that got no response, or one of the server's own errors. */
    failures,
    add(name: string, http: HttpClient): void {
      members.set(name, { http, answered: 0, open: new Set() });
      turns.push(name);
    },
    /** Sends it nothing more; resolves when it has answered everything. */
    async remove(name: string): Promise<void> {
      turns = turns.filter((other) => other !== name);
      await Promise.all(members.get(name)?.open ?? []);
    },
    /** Tells how many requests each has answered so far. */
    answered: (): string[] => [...members].map(([name, { answered }]) => `${answered} by ${name}`),
    close(): void {
      for (const { http } of members.values()) http.close();
    },
  };
};
