/** A server of bookings that keeps conditions on ETags and keys of requests, and mistakes that it may make with them. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { TestRule } from '../../../src/contract';
import type { UntypedHandler } from '../../../src/engine/operation/handler';

export const bookings: object = parse(readFileSync(join(__dirname, 'bookings.yaml'), 'utf8'));

/** The document as the engine serves it: without what would have it keep conditions itself, as other servers do not. */
export const servedBookings = JSON.parse(
  JSON.stringify(bookings, (key, value) =>
    /^(?:ETag|304|412|428)$/.test(key) ? undefined : value,
  ),
);

type Booking = Readonly<Record<string, unknown>>;
interface Request {
  readonly path: { readonly bookingId: number };
  readonly header: Readonly<Record<string, string | undefined>>;
  readonly body: Booking;
}

/** What a server does with keys and conditions. */
interface Manner {
  readonly keepsKeys: boolean;
  readonly keepsIfMatch: boolean;
  readonly keepsIfNoneMatch: boolean;
  /** Tells an ETag that it does not know again. */
  readonly forgetsTags: boolean;
  /** Drops an optional property of what is sent. */
  readonly dropsNights: boolean;
}

const sound: Manner = {
  keepsKeys: true,
  keepsIfMatch: true,
  keepsIfNoneMatch: true,
  forgetsTags: false,
  dropsNights: false,
};

/** The handlers of a server of this manner. */
export const bookingHandlers = (given: Partial<Manner> = {}) => {
  const manner = { ...sound, ...given };
  const stored = new Map<number, Booking>();
  const answers = new Map<string, { readonly text: string; readonly id: number }>();
  let last = 0;
  const tagOf = (one: Booking): string =>
    `"${createHash('sha256').update(JSON.stringify(one)).digest('hex').slice(0, 16)}"`;
  const answer = (status: number, one: Booking) => ({
    status,
    headers: { ETag: tagOf(one) },
    body: one,
  });
  const put = (id: number, body: Booking): Booking => {
    const { nights, ...others } = body;
    const one = manner.dropsNights ? { ...others, id } : { ...body, id };
    stored.set(id, one);
    return one;
  };
  /** Acts on a booking that is there, where the condition holds. */
  const onMatch =
    (act: (one: Booking, request: Request) => object) =>
    (request: Request): object => {
      const { path, header: headers } = request;
      const one = stored.get(path.bookingId);
      if (one === undefined) return { status: 404 };
      const tag = headers['If-Match'];
      if (tag === undefined) return { status: 428 };
      const none = ['*', tagOf(one)].includes(headers['If-None-Match'] ?? '');
      const isOther = tag !== tagOf(one) || manner.forgetsTags;
      const isRefused = (manner.keepsIfMatch && isOther) || (manner.keepsIfNoneMatch && none);
      return isRefused ? { status: 412 } : act(one, request);
    };
  const handlers = {
    create: ({ header: headers, body }: Request) => {
      const key = headers['Idempotency-Key'] ?? '';
      const text = JSON.stringify(body);
      const earlier = manner.keepsKeys ? answers.get(key) : undefined;
      if (earlier !== undefined && earlier.text !== text) return { status: 422 };
      if (earlier !== undefined) return answer(201, stored.get(earlier.id) ?? {});
      last += 1;
      answers.set(key, { text, id: last });
      return answer(201, put(last, body));
    },
    read: ({ path, header: headers }: Request) => {
      const one = stored.get(path.bookingId);
      if (one === undefined) return { status: 404 };
      const isKnown = headers['if-none-match'] === tagOf(one);
      return isKnown && manner.keepsIfNoneMatch ? { status: 304 } : answer(200, one);
    },
    replace: onMatch((_, { path, body }) => answer(200, put(path.bookingId, body))),
    remove: onMatch((_, { path }) => {
      stored.delete(path.bookingId);
      return { status: 204 };
    }),
  };
  return handlers as unknown as Readonly<Record<string, UntypedHandler>>;
};

/** Mistakes with keys and conditions, and what has to be said of them. */
export const bookingFaults: readonly {
  readonly name: string;
  readonly manner: Partial<Manner>;
  readonly rule: TestRule;
  readonly operations: readonly string[];
}[] = [
  {
    name: 'a key that is sent again creates again',
    manner: { keepsKeys: false },
    rule: 'idempotency-ignored',
    operations: ['create'],
  },
  {
    name: 'If-Match is ignored',
    manner: { keepsIfMatch: false },
    rule: 'condition-ignored',
    operations: ['replace', 'remove'],
  },
  {
    name: 'If-None-Match is ignored',
    manner: { keepsIfNoneMatch: false },
    rule: 'condition-ignored',
    operations: ['read', 'replace'],
  },
  {
    name: 'the ETag that was read is refused',
    manner: { forgetsTags: true },
    rule: 'valid-refused',
    operations: ['replace', 'remove'],
  },
];
