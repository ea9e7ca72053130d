/** Puts load on a server: kept-alive connections, one request at a time on each, as fast as the responses come. */

import { connect, type Socket } from 'node:net';
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';

/** A request as the bytes that are sent, with the status that must be the response. */
export interface WireRequest {
  readonly bytes: Buffer;
  readonly status: number;
}

/** The load, and its length. */
export interface Load {
  readonly port: number;
  /** Sent in turn, again and again. */
  readonly requests: readonly WireRequest[];
  readonly connections: number;
  /** Decides whether the load may end, by the seconds and responses since its beginning. */
  readonly enough: (seconds: number, responses: number) => boolean;
  /** The index of the first request. */
  readonly from?: number;
  /** The most requests that are sent. */
  readonly most?: number;
  /** Seconds at the beginning that do not count. */
  readonly settle?: number;
  /** Called when responses begin to count, and when the last that counts is there. */
  readonly onStart?: () => void;
  readonly onEnd?: () => void;
}

/** The result of a load. */
export interface Driven {
  /** In microseconds; like HdrHistogram, exact to three digits. */
  readonly times: RecordableHistogram;
  readonly seconds: number;
  /** Responses that came in that time. */
  readonly responses: number;
  /** Those with another status than the wanted one, 0 for none at all, and how many of each. */
  readonly wrong: ReadonlyMap<number, number>;
  /** The number of requests that were sent. */
  readonly sent: number;
}

/** Milliseconds to wait for the responses to the last requests. */
const patience = 20_000;

/** A server that gives wrong responses is not asked any longer. */
const mostWrong = 5000;

/** Milliseconds between checks of the time while no responses come. */
const checkMilliseconds = 100;

/** A response whose last byte is there. */
interface ResponseEnd {
  readonly status: number;
  /** True where the server will close the connection. */
  readonly closes: boolean;
}

/** Takes the bytes of one response after another; gives the end of one when they complete it. */
type ResponseReader = (bytes: Buffer) => ResponseEnd | undefined;

/** The end of a chunked body without trailers (RFC 9112 section 7.1). No content here has such a line in it. */
const lastChunk = Buffer.from('\r\n0\r\n\r\n');

/** Returns the reader of one chunked body, behind which nothing comes before the next request: true when the bytes complete it. */
const chunkedEnd = (): ((bytes: Buffer) => boolean) => {
  let tail: Buffer = Buffer.from('\r\n');
  return (bytes) => {
    tail = Buffer.concat([tail, bytes.subarray(-lastChunk.length)]).subarray(-lastChunk.length);
    return tail.equals(lastChunk);
  };
};

const headEnd = Buffer.from('\r\n\r\n');

/** Makes the reader of one connection, on which requests and responses take turns. */
const responseReader = (): ResponseReader => {
  let early: Buffer | undefined;
  let end: ResponseEnd | undefined;
  /** Bytes of the body that are still to come; of a chunked one, that is for its own reader to say. */
  let missing = 0;
  let chunks: ((bytes: Buffer) => boolean) | undefined;

  const finish = (): ResponseEnd | undefined => {
    const finished = end;
    end = undefined;
    chunks = undefined;
    return finished;
  };

  const beginBody = (head: string, bytes: Buffer, from: number): ResponseEnd | undefined => {
    const length = /\r\ncontent-length: *(\d+)/i.exec(head);
    if (length !== null) {
      missing = Number(length[1]) - (bytes.length - from);
      return missing <= 0 ? finish() : undefined;
    }
    if (!/\r\ntransfer-encoding: *chunked/i.test(head)) return finish();
    chunks = chunkedEnd();
    return chunks(bytes.subarray(from)) ? finish() : undefined;
  };

  const readHead = (given: Buffer): ResponseEnd | undefined => {
    const bytes = early === undefined ? given : Buffer.concat([early, given]);
    const at = bytes.indexOf(headEnd);
    early = at < 0 ? bytes : undefined;
    if (at < 0) return undefined;
    const head = bytes.toString('latin1', 0, at);
    end = { status: Number(head.slice(9, 12)), closes: /\r\nconnection: *close/i.test(head) };
    return beginBody(head, bytes, at + headEnd.length);
  };

  return (bytes) => {
    if (end === undefined) return readHead(bytes);
    if (chunks !== undefined) return chunks(bytes) ? finish() : undefined;
    missing -= bytes.length;
    return missing <= 0 ? finish() : undefined;
  };
};

/** The status of a response that never came, because the connection was lost. */
const lost = 0;

interface Connection {
  /** Sends a request; `onResponse` is called once. */
  send(bytes: Buffer): void;
  destroy(): void;
}

/**
 * Opens a connection. A request that is sent before it stands is held back until then.
 * @param onResponse gets the status of each response, or `lost`
 */
const openConnection = (port: number, onResponse: (status: number) => void): Connection => {
  let waiting = false;
  let destroyed = false;
  let socket: Socket;

  const responded = (status: number): void => {
    waiting = false;
    onResponse(status);
  };

  const open = (): void => {
    const read = responseReader();
    const opened = connect({ port, host: '127.0.0.1', noDelay: true });
    socket = opened;
    opened.on('data', (bytes: Buffer) => {
      const response = read(bytes);
      if (response === undefined) return;
      if (response.closes) open();
      responded(response.status);
    });
    // The close that follows an error is handled.
    opened.on('error', () => {});
    opened.once('close', () => {
      if (destroyed || socket !== opened) return;
      open();
      if (waiting) responded(lost);
    });
  };

  open();
  return {
    send(bytes) {
      waiting = true;
      socket.write(bytes);
    },
    destroy() {
      destroyed = true;
      socket.destroy();
    },
  };
};

/** Puts the load on the server; resolves when the last request that was sent has its response, too. */
export const drive = (load: Load): Promise<Driven> =>
  new Promise((resolve) => {
    const { port, requests, from = 0, most = Number.POSITIVE_INFINITY, settle = 0 } = load;
    const times = createHistogram({ highest: 2 ** 31, figures: 3 });
    const wrong = new Map<number, number>();
    const connections: Connection[] = [];
    let phase: 'settling' | 'counting' | 'over' = 'settling';
    /** The begin of the phase. */
    let since = performance.now();
    let [seconds, responses, faults, sent, idle] = [0, 0, 0, 0, 0];
    let late: NodeJS.Timeout | undefined;

    const finish = (): void => {
      clearInterval(watch);
      clearTimeout(late);
      for (const connection of connections) connection.destroy();
      resolve({ times, seconds, responses, wrong, sent });
    };

    const endIfEnough = (now: number): void => {
      const isEnough =
        faults >= mostWrong ||
        (phase === 'counting' && load.enough((now - since) / 1000, responses));
      if (phase === 'over' || !isEnough) return;
      phase = 'over';
      load.onEnd?.();
      late = setTimeout(finish, patience);
    };

    /** Lets responses count once the time to settle is over. */
    const beginToCount = (now: number): void => {
      if (now - since < settle * 1000) return;
      phase = 'counting';
      since = now;
      load.onStart?.();
    };

    const account = (sentAt: number, status: number, wanted: number): void => {
      const now = performance.now();
      if (status !== wanted) {
        wrong.set(status, (wrong.get(status) ?? 0) + 1);
        faults += 1;
      }
      if (phase === 'settling') beginToCount(now);
      else if (phase === 'counting') {
        times.record(Math.max(1, Math.round((now - sentAt) * 1000)));
        responses += 1;
        seconds = (now - since) / 1000;
      }
      endIfEnough(now);
    };

    const open = (): (() => void) => {
      let wanted = 0;
      let sentAt = 0;
      const connection = openConnection(port, (status) => {
        account(sentAt, status, wanted);
        next();
      });
      connections.push(connection);
      const next = (): void => {
        const request = requests[(from + sent) % requests.length];
        if (phase === 'over' || sent === most || request === undefined) {
          idle += 1;
          if (idle === load.connections) finish();
          return;
        }
        sent += 1;
        wanted = request.status;
        sentAt = performance.now();
        connection.send(request.bytes);
      };
      return next;
    };

    const starts = Array.from({ length: load.connections }, open);
    since = performance.now();
    beginToCount(since);
    const watch = setInterval(() => endIfEnough(performance.now()), checkMilliseconds);
    for (const begin of starts) begin();
  });

/** Writes the unexpected statuses; undefined where all were right. */
export const faultsOf = ({ wrong }: Driven): string | undefined =>
  wrong.size === 0
    ? undefined
    : [...wrong].map(([status, count]) => `${count} × ${status || 'no response'}`).join(', ');
