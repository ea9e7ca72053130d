/** Stands between a program and PostgreSQL, passes on what they say, and notes what the program asks. */

import { EventEmitter, once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A round trip: the SQL of the statements that were sent before the program waited (Sync, or a simple query). */
export type Trip = readonly string[];

export interface PostgresRelay {
  /** The URL of the database, over the relay. */
  readonly url: string;
  /** The round trips since it was last asked, in the order in which they were sent. */
  take(): Trip[];
  /** Resolves when each round trip has been answered (ReadyForQuery). */
  answered(): Promise<void>;
  /** Keeps such round trips from PostgreSQL until what is returned is called. */
  hold(isHeld: (trip: Trip) => boolean): () => void;
  /** The program has to have closed its connections. */
  close(): Promise<void>;
}

type OnMessage = (type: string, body: Buffer) => void;

/**
 * Cuts a stream into messages: a byte for the type, and the length of all but that byte (PostgreSQL, Message Formats).
 *
 * @param isStarted - whether a message without a type comes first
 */
const messageReader = (onMessage: OnMessage, isStarted = false): ((chunk: Buffer) => void) => {
  let typeBytes = isStarted ? 0 : 1;
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= typeBytes + 4) {
      const end = typeBytes + rest.readInt32BE(typeBytes);
      if (rest.length < end) return;
      onMessage(rest.toString('latin1', 0, typeBytes), rest.subarray(typeBytes + 4, end));
      rest = rest.subarray(end);
      typeBytes = 1;
    }
  };
};

const textsOf = (body: Buffer): string[] => body.toString('utf8').split('\0');

/** Reads what the program says on one connection. What it asks first sets the connection up, and is not noted. */
const frontendReader = (onTrip: (trip: Trip | undefined) => void): ((chunk: Buffer) => void) => {
  const prepared = new Map<string, string>();
  let bound = '';
  let trip: string[] = [];
  let ended = 0;
  const end = (): void => {
    ended += 1;
    onTrip(ended > 2 ? trip : undefined);
    trip = [];
  };
  const steps: Readonly<Record<string, (body: Buffer) => void>> = {
    // The startup message, which is answered by ReadyForQuery, too.
    '': end,
    P(body) {
      const [name = '', sql = ''] = textsOf(body);
      prepared.set(name, sql);
    },
    B(body) {
      const [, name = ''] = textsOf(body);
      bound = prepared.get(name) ?? '';
    },
    E: () => trip.push(bound),
    S: end,
    Q(body) {
      trip.push(textsOf(body)[0] ?? '');
      end();
    },
  };
  return messageReader((type, body) => steps[type]?.(body), true);
};

const endTogether = (one: Socket, other: Socket): void => {
  one.on('error', () => other.destroy());
  one.on('close', () => other.destroy());
};

/**
 * Listens at a port of its own.
 *
 * @param database - the URL of a database, whose server takes connections without TLS
 */
export const startPostgresRelay = async (database: string): Promise<PostgresRelay> => {
  const events = new EventEmitter();
  let trips: Trip[] = [];
  let pending = 0;
  let isHeld: (trip: Trip) => boolean = () => false;
  let held: (() => void)[] = [];
  const { hostname, port } = new URL(database);

  const server = createServer((program) => {
    const postgres = connect(Number(port || 5432), hostname);
    let pass = (chunk: Buffer): unknown => postgres.write(chunk);
    const release = (): void => {
      pass = (chunk) => postgres.write(chunk);
    };
    const read = frontendReader((trip) => {
      pending += 1;
      if (trip === undefined) return;
      trips.push(trip);
      if (!isHeld(trip)) return;
      pass = (chunk) => held.push(() => postgres.write(chunk));
      held.push(release);
    });
    const readAnswers = messageReader((type) => {
      if (type !== 'Z') return;
      pending -= 1;
      if (pending === 0) events.emit('answered');
    });
    program.on('data', (chunk: Buffer) => {
      read(chunk);
      pass(chunk);
    });
    postgres.on('data', readAnswers);
    postgres.pipe(program);
    endTogether(program, postgres);
    endTogether(postgres, program);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const url = new URL(database);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    take() {
      const taken = trips;
      trips = [];
      return taken;
    },
    async answered() {
      while (pending > 0) await once(events, 'answered');
    },
    hold(isToBeHeld) {
      isHeld = isToBeHeld;
      return () => {
        isHeld = () => false;
        const released = held;
        held = [];
        for (const pass of released) pass();
      };
    },
    async close() {
      server.close();
      await once(server, 'close');
    },
  };
};
