/** A sound server for the shop's document, and what can be wrong with it. */

import { readFileSync } from 'node:fs';
import {
  Agent,
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
  request as sendRequest,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { openApiService, parseApiDocument, schemaContext } from '../../../src/engine';
import { nodeListener } from '../../../src/http/exchange';

/** The document as plain data, for changes. */
// biome-ignore lint/suspicious/noExplicitAny: a document is changed at any place of it.
export type Changeable = any;

const text = readFileSync(join(__dirname, 'shop.yaml'), 'utf8');

/** The document that the server is held to. */
export const shopDocument = parseApiDocument('shop.yaml', text);

interface Item {
  readonly id: bigint;
  readonly [property: string]: unknown;
}

/** What the server keeps, and how it does so. */
export class Shop {
  readonly items = new Map<bigint, Item>();
  readonly notes: object[] = [];
  readonly boxes = new Map<bigint, object>();
  readonly images = new Map<bigint, unknown>();
  lastId = 0n;

  create(body: object): Item {
    this.lastId += 1n;
    const item = { id: this.lastId, ...body };
    this.store(item);
    return item;
  }

  store(item: Item): void {
    this.items.set(item.id, item);
  }

  replace(id: bigint, body: object): Item {
    const item = { ...body, id };
    this.store(item);
    return item;
  }

  change(item: Item, body: object): Item {
    return this.replace(item.id, { ...item, ...body });
  }

  listBoxes(): object[] {
    return [...this.boxes.values()];
  }

  remove(id: bigint): void {
    this.items.delete(id);
  }

  /** Under the id that it says, else under a new one. */
  storeBox(body: { readonly id?: bigint }): object {
    this.lastId += 1n;
    const box = { ...body, id: body.id ?? this.lastId };
    this.boxes.set(box.id, box);
    return box;
  }

  list(): Item[] {
    return [...this.items.values()];
  }
}

/** An answer of the sound server, before it is sent on. */
export interface PassedAnswer {
  status: number;
  headers: OutgoingHttpHeaders;
  body: string;
}

/** A request before it reaches the sound server. */
export interface PassedRequest {
  method: string;
  url: string;
  headers: OutgoingHttpHeaders;
  body: string;
}

/** One mistake of a server. */
export interface Mistake {
  /** In the document that it serves. */
  readonly document?: (document: Changeable) => void;
  /** In what it keeps. */
  readonly shop?: (shop: Shop) => void;
  /** In what it makes of a request. */
  readonly request?: (request: PassedRequest) => void;
  /** In what it answers. */
  readonly answer?: (answer: PassedAnswer, request: PassedRequest) => void;
  /** In the message itself; true: it has been dealt with. */
  readonly message?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** In whom it lets in. */
  readonly acceptsAnyToken?: boolean;
}

const principal = (scopes: readonly string[]) => ({
  username: undefined,
  subject: 'tester',
  scopes,
  credentialId: 'test',
});

const scopesOf: Readonly<Record<string, readonly string[]>> = {
  'full-token': ['read:items', 'write:items'],
  'reader-token': ['read:items'],
};

/** What a handler is given, as far as these look at it. */
interface Asked {
  readonly path: Readonly<Record<string, never>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  fail(status: number): Error;
}

const handlersOf = (shop: Shop) => {
  const find = ({ path, fail }: Asked): Item => {
    const item = shop.items.get(path['id'] ?? 0n);
    if (item === undefined) throw fail(404);
    return item;
  };
  const bodyOf = ({ body }: Asked): object => Object(body);
  return {
    listItems: () => ({ status: 200, body: shop.list() }),
    createItem: (asked: Asked) => ({ status: 201, body: shop.create(bodyOf(asked)) }),
    getItem: (asked: Asked) => ({ status: 200, body: find(asked) }),
    replaceItem: (asked: Asked) => ({
      status: 200,
      body: shop.replace(find(asked).id, bodyOf(asked)),
    }),
    changeItem: (asked: Asked) => ({ status: 200, body: shop.change(find(asked), bodyOf(asked)) }),
    getImage: (asked: Asked) => {
      const image = shop.images.get(find(asked).id);
      if (image === undefined) throw asked.fail(404);
      return { status: 200, body: image };
    },
    putImage: (asked: Asked) => {
      shop.images.set(find(asked).id, asked.body);
      return { status: 204 };
    },
    deleteItem: (asked: Asked) => {
      shop.remove(find(asked).id);
      return { status: 204 };
    },
    searchItems: ({ query }: Asked) => ({ status: 200, body: Object(query['colors']).length }),
    setLimits: ({ body }: Asked) => ({ status: 200, headers: { 'X-Revision': 1 }, body }),
    createNote: (asked: Asked) => {
      const note = { number: shop.notes.length, ...bodyOf(asked) };
      shop.notes.push(note);
      return { status: 201, body: note };
    },
    getNote: ({ path, fail }: Asked) => {
      const note = shop.notes[path['key'] ?? -1];
      if (note === undefined) throw fail(404);
      return { status: 200, body: note };
    },
    listBoxes: ({ query }: Asked) => ({
      status: 200,
      body: shop.listBoxes().slice(0, Number(query['limit'] ?? 50)),
    }),
    createBox: (asked: Asked) => ({ status: 201, body: shop.storeBox(bodyOf(asked)) }),
    replaceBox: (asked: Asked) => ({ status: 200, body: shop.storeBox(bodyOf(asked)) }),
    getBox({ path, fail }: Asked) {
      const box = shop.boxes.get(path['boxId'] ?? 0n);
      if (box === undefined) throw fail(404);
      return { status: 200, body: box };
    },
    getHealth: () => ({
      status: 200,
      headers: { 'X-Uptime': 5 },
      body: { status: 'up', load: 0.5 },
    }),
  };
};

const readText = async (message: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks).toString('latin1');
};

/** Asks the sound server. */
const ask = (
  { method, url, headers, body }: PassedRequest,
  port: number,
  agent: Agent,
): Promise<PassedAnswer> =>
  new Promise((resolve, reject) => {
    const to = { agent, host: '127.0.0.1', port, method, path: url, headers };
    const sending = sendRequest(to, (message) => {
      void readText(message).then((answered) => {
        const { 'transfer-encoding': _, connection: __, ...rest } = message.headers;
        resolve({ status: message.statusCode ?? 0, headers: rest, body: answered });
      }, reject);
    });
    sending.on('error', reject);
    sending.end(body, 'latin1');
  });

const sendAnswer = (response: ServerResponse, { status, headers, body }: PassedAnswer): void => {
  const length = Buffer.byteLength(body, 'latin1');
  const isEmpty = status === 204 || length === 0;
  const { 'content-length': _, ...rest } = headers;
  response.writeHead(status, isEmpty ? rest : { ...rest, 'content-length': length });
  response.end(isEmpty ? undefined : body, 'latin1');
};

/** Stands before the sound server, and changes what passes. */
const passOn = async (
  mistakes: readonly Mistake[],
  port: number,
  agent: Agent,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  if (mistakes.some(({ message }) => message?.(request, response))) return;
  const { method = '', url = '', headers } = request;
  const passed = { method, url, headers: { ...headers }, body: await readText(request) };
  for (const mistake of mistakes) mistake.request?.(passed);
  passed.headers['content-length'] = String(Buffer.byteLength(passed.body, 'latin1'));
  const answer = await ask(passed, port, agent);
  for (const mistake of mistakes) mistake.answer?.(answer, passed);
  sendAnswer(response, answer);
};

const listen = async (
  listener: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ port: number; close: () => void }> => {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
};

/** Starts the server with some mistakes; without any it is sound. */
export const startShop = async (
  mistakes: readonly Mistake[],
): Promise<{ url: string; stop: () => void }> => {
  const definition: Changeable = parse(text);
  const shop = new Shop();
  for (const { document, shop: change } of mistakes) {
    document?.(definition);
    change?.(shop);
  }
  const document = parseApiDocument('shop.yaml', stringify(definition));
  const acceptsAny = mistakes.some(({ acceptsAnyToken }) => acceptsAnyToken);
  const service = openApiService(document, {
    handlers: new Map(Object.entries(handlersOf(shop))) as never,
    securityHandlers: {
      bearer: (token) => {
        const scopes = acceptsAny ? scopesOf['full-token'] : scopesOf[token];
        return scopes && principal(scopes);
      },
      apiKey: (key) => (acceptsAny || key === 'good-key' ? principal([]) : undefined),
    },
    tools: schemaContext(document),
    maxBodyBytes: 1_000_000,
    maxUploadBytes: 1_000_000,
    validateResponses: false,
    log: { error: () => undefined },
  });
  const sound = await listen(nodeListener(service));
  const isPassing = mistakes.some(({ request, answer, message }) => request ?? answer ?? message);
  if (!isPassing) return { url: `http://127.0.0.1:${sound.port}`, stop: sound.close };
  const agent = new Agent({ keepAlive: true });
  const outer = await listen((request, response) => {
    void passOn(mistakes, sound.port, agent, request, response);
  });
  return {
    url: `http://127.0.0.1:${outer.port}`,
    stop() {
      outer.close();
      agent.destroy();
      sound.close();
    },
  };
};
