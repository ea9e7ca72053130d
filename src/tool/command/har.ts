/** HTTP archives (HAR 1.2): messages in a file, as browsers write and read them. */

import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { errorMessage } from '../../base/error-message';
import { isPlainObject, ownText, type PlainObject } from '../../base/plain-object';
import { attempt } from '../../base/recover';
import { programVersion } from '../../base/text/program-version';
import { decodeText } from '../../document/source/source-text';
import { schemaContext } from '../../engine';
import { apiKeysIn, type Model } from '../../model/document';
import { headerOf } from '../../requests/http-client';

const { codecs } = schemaContext();

type Pairs = readonly (readonly [name: string, value: string])[];

/** Lists the names by which the credentials of a document come; those of headers in lower case. */
export const credentialNames = (document: Pick<Model, 'securitySchemes'>) => {
  const headers = ['Authorization', 'Proxy-Authorization', 'Cookie', 'Set-Cookie'];
  const all = [...headers, ...apiKeysIn('header', document)].map((name) => name.toLowerCase());
  // RFC 6750 section 2.3.
  return {
    headers: new Set(all),
    query: new Set(['access_token', ...apiKeysIn('query', document)]),
  };
};

/** A message with its body; undefined where not all of it was kept. */
interface ArchivedMessage {
  readonly headers: Pairs;
  readonly body: Uint8Array | undefined;
}

/** A request and its response, which came as a whole. */
export interface ArchiveEntry {
  readonly request: ArchivedMessage & { readonly method: string; readonly url: string };
  readonly response: ArchivedMessage & {
    readonly status: number;
    readonly statusText: string;
    /** Bytes of the body as it came, in its Content-Encoding; undefined where they are not known. */
    readonly transferred?: number | undefined;
  };
}

const named = (pairs: Pairs) => pairs.map(([name, value]) => ({ name, value }));

/** Text where the bytes are text, so that it can be read; else base64, for which requests have no word of the standard. */
const contentOf = ({ headers, body }: ArchivedMessage, encodingName: string) => {
  const bytes = Buffer.from(body ?? []);
  const mimeType = headerOf({ headers }, 'content-type') ?? '';
  const text = attempt(() => codecs.decodeText(bytes, mimeType));
  const isText = text !== undefined && codecs.encodeText(text, mimeType)?.equals(bytes) === true;
  return {
    mimeType,
    ...(body && { text: isText ? text : bytes.toString('base64') }),
    ...(!isText && { [encodingName]: 'base64' }),
  };
};

const archived = ({ request, response }: ArchiveEntry, started: Date, time: number) => {
  const sizeOf = ({ body }: ArchivedMessage): number => body?.length ?? -1;
  const { transferred = sizeOf(response) } = response;
  const saved = sizeOf(response) - transferred;
  const common = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 };
  return {
    startedDateTime: started.toISOString(),
    time,
    request: {
      ...common,
      method: request.method,
      url: request.url,
      headers: named(request.headers),
      queryString: named([...new URL(request.url).searchParams]),
      bodySize: sizeOf(request),
      ...(request.body?.length !== 0 && { postData: contentOf(request, '_encoding') }),
    },
    response: {
      ...common,
      status: response.status,
      statusText: response.statusText,
      headers: named(response.headers),
      content: {
        size: sizeOf(response),
        ...(saved > 0 && { compression: saved }),
        ...contentOf(response, 'encoding'),
      },
      redirectURL: headerOf(response, 'location') ?? '',
      bodySize: transferred,
    },
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
  };
};

/**
 * Begins an archive. It can be read after each entry, whatever becomes of the process.
 * @throws Error if the file cannot be written
 */
export const createArchive = (file: string) => {
  const creator = { name: 'spec-first', version: programVersion() };
  const head = `{"log":{"version":"1.2","creator":${JSON.stringify(creator)},"entries":[`;
  const end = '\n]}}\n';
  // What callers send is for who records it alone.
  const descriptor = openSync(file, 'w', 0o600);
  let at = writeSync(descriptor, head);
  let separator = '\n';
  writeSync(descriptor, end, at);
  return {
    /** @throws Error if it cannot be written */
    add(entry: ArchiveEntry, started: Date, milliseconds: number): void {
      const text = separator + JSON.stringify(archived(entry, started, milliseconds));
      // The end is written with it, so that the file is whole.
      writeSync(descriptor, text + end, at);
      at += Buffer.byteLength(text);
      separator = ',\n';
    },
    close: () => closeSync(descriptor),
  };
};

const objectOf = (value: unknown): PlainObject => (isPlainObject(value) ? value : {});

/** Reads a message: a text in the charset that it came in, or else in UTF-8, which its Content-Type then says. */
const messageOf = (message: PlainObject, content: PlainObject, encodingName: string) => {
  const { headers } = message;
  const sent = (Array.isArray(headers) ? headers : []).map((each: unknown) => {
    const pair = objectOf(each);
    return [ownText(pair, 'name') ?? '', ownText(pair, 'value') ?? ''] as const;
  });
  const type = headerOf({ headers: sent }, 'content-type') ?? ownText(content, 'mimeType') ?? '';
  const text = ownText(content, 'text');
  const isBase64 = ownText(content, encodingName) === 'base64';
  const encoded = isBase64
    ? Buffer.from(text ?? '', 'base64')
    : codecs.encodeText(text ?? '', type);
  const plainType = `${type.replaceAll(/;\s*charset\b[^;]*/gi, '')}; charset=utf-8`;
  const others = sent.filter(([name]) => name.toLowerCase() !== 'content-type');
  const typed = [...others, ['Content-Type', encoded ? type : plainType] as const];
  return {
    headers: type === '' ? others : typed,
    body: text === undefined ? undefined : (encoded ?? Buffer.from(text)),
  };
};

const entryOf = (value: unknown): ArchiveEntry => {
  const { request, response } = objectOf(value);
  const [asked, answered] = [objectOf(request), objectOf(response)];
  const content = objectOf(answered['content']);
  const sent = messageOf(asked, objectOf(asked['postData']), '_encoding');
  const received = messageOf(answered, content, 'encoding');
  return {
    request: {
      method: ownText(asked, 'method') ?? '',
      url: ownText(asked, 'url') ?? '',
      headers: sent.headers,
      body: isPlainObject(asked['postData']) ? sent.body : Buffer.of(),
    },
    response: {
      status: Number(answered['status']),
      statusText: ownText(answered, 'statusText') ?? '',
      headers: received.headers,
      // Browsers leave out the text of what they no longer have.
      body: received.body ?? (Number(content['size']) === 0 ? Buffer.of() : undefined),
    },
  };
};

/**
 * Reads an archive, one that a browser has written, too. What an entry does not say is empty.
 * @throws Error in one sentence if the file cannot be read or is none
 */
export const readArchive = (file: string): readonly ArchiveEntry[] => {
  let content: unknown;
  try {
    content = JSON.parse(decodeText(file, readFileSync(file)));
  } catch (error) {
    throw new Error(`${file} cannot be read: ${errorMessage(error)}`);
  }
  const { entries } = objectOf(objectOf(content)['log']);
  if (Array.isArray(entries)) return entries.map(entryOf);
  throw new Error(`${file} is no HTTP archive: it has no list log.entries.`);
};
