/** The route of stored files, `GET /files/ID`: who may read one, whole or in part, and how long it is kept. */

import express, { type Request, type Response, type Router } from 'express';
import { listElements } from '../../base/text/list-elements';
import type { ApiDocument, openApiService } from '../../engine';
import { HttpError, otherMethodResponse } from '../../http/http-error';
import { splitTarget } from '../../http/request';
import { send } from '../../http/send';
import type { Operation } from '../../model/operation';
import type {
  FileReaders,
  StoredFile,
  StoredFiles,
} from '../../storage/collections/attached-files';

type CompileSecurity = ReturnType<typeof openApiService>['compileSecurity'];

type FileRequest = Parameters<ReturnType<CompileSecurity>>[0];

/** Lets the caller read a file. Throws HttpError 401, 403 or 404. */
type AllowReading = (file: StoredFile, request: FileRequest) => Promise<void>;

const notFound = (): HttpError => new HttpError(404, 'route-not-found', 'Not found');

/** Makes what finds the caller of any scheme, or of a session; undefined where the document has neither. Throws HttpError 401. */
const anyCaller = ({ securitySchemes }: ApiDocument, compileSecurity: CompileSecurity) => {
  const security = [...securitySchemes.keys()].map((name) => ({ [name]: [] }));
  const common = { responses: [], loggedInUser: undefined };
  const login = { required: false, parameter: undefined };
  const findLogin = compileSecurity({ ...common, security: [], loggedInUser: login });
  const require = compileSecurity({ ...common, security });
  return async (request: FileRequest) => (await findLogin(request, {})) ?? require(request, {});
};

/**
 * Makes the check of who reads the files of each collection. To a caller without good credentials a private file looks like none: both
 * are 401, with the same challenge.
 *
 * @param readers - by collection
 */
const readingChecks = (
  document: ApiDocument,
  readers: ReadonlyMap<string, FileReaders>,
  compileSecurity: CompileSecurity,
) => {
  const identify = anyCaller(document, compileSecurity);
  const byOwner: AllowReading = async (file, request) => {
    const caller = await identify(request);
    if (caller === undefined || !file.isOwnedBy(caller.subject)) throw notFound();
  };
  const byOperation = (operation: Operation): AllowReading => {
    const authorize = compileSecurity(operation);
    return async (_, request) => {
      try {
        await authorize(request, {});
      } catch (error) {
        if (error instanceof HttpError && error.status === 401) await identify(request);
        throw error;
      }
    };
  };
  const byNone: AllowReading = (_, request) => refuse(request);
  /** Makes the check of one collection; undefined where all may read. */
  const checkFor = (reader: FileReaders): AllowReading | undefined => {
    if (reader === 'public') return undefined;
    if (reader === true) return byOwner;
    const operation = document.operations.find(({ operationId }) => operationId === reader.read);
    if (operation === undefined || operation.invalidReason !== undefined) return byNone;
    const { security, loggedInUser } = operation;
    const isPublic =
      loggedInUser?.required !== true &&
      (security.length === 0 || security.some((one) => Object.keys(one).length === 0));
    return isPublic ? undefined : byOperation(operation);
  };
  const checks = new Map([...readers].map(([name, reader]) => [name, checkFor(reader)]));
  const hasPrivate = [...checks.values()].some((check) => check !== undefined);
  const refuse = async (request: FileRequest): Promise<never> => {
    if (hasPrivate) await identify(request);
    throw notFound();
  };
  return {
    /** Finds the check of a file; undefined for a public one. */
    checkOf: ({ collection }: StoredFile) =>
      checks.has(collection) ? checks.get(collection) : byNone,
    refuse,
  };
};

/** Raster formats, which browsers show and which cannot carry scripts. */
const inlineType = /^image\/(?:png|jpeg|gif|webp|avif|bmp)$/;

const headersOf = ({ mediaType }: StoredFile, isPrivate: boolean) => {
  const isInline = inlineType.test(mediaType);
  return {
    'Content-Type': isInline ? mediaType : 'application/octet-stream',
    'Content-Disposition': isInline ? 'inline' : 'attachment',
    // Browsers show an image in a page of their own making, with styles of its own.
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'Accept-Ranges': 'bytes',
    // The file of an id never changes; but whether a caller may read it does.
    'Cache-Control': isPrivate ? 'private, no-cache' : 'private, max-age=31536000, immutable',
    // A cached copy that one origin may read must not be given to another, nor one that none may read to any.
    Vary: isPrivate ? 'Origin, Authorization, Cookie' : 'Origin',
  };
};

/**
 * Finds the part of a file that a request wants; undefined: the whole, also where several parts are wanted, or the range is none (RFC
 * 9110 section 14.2). Throws HttpError 416.
 */
const wantedPart = ({ method, headers }: Request, length: number, etag: string) => {
  const { range = '', 'if-range': condition = etag } = headers;
  const [, first, last] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(range) ?? [];
  // A date never matches: files have none.
  if (method !== 'GET' || condition !== etag || !(first || last)) return undefined;
  // Without a first place, so many bytes of the end.
  const start = first ? Number(first) : Math.max(0, length - Number(last));
  const end = first && last ? Number(last) : length - 1;
  if (first && last && end < start) return undefined;
  if (start < length) return { start, end: Math.min(end, length - 1) };
  throw new HttpError(416, 'malformed-request', 'The range lies behind the end of the file', {
    headers: { 'Content-Range': `bytes */${length}` },
  });
};

/** Sends a file, or the part that is asked for, where the conditions of the request hold (RFC 9110 section 13.2.2). */
const sendFile = async (
  request: Request,
  response: Response,
  file: StoredFile,
  isPrivate: boolean,
): Promise<void> => {
  const etag = `"${file.id}"`;
  const headers = headersOf(file, isPrivate);
  // `fresh` compares the request with what the response carries.
  response.setHeader('ETag', etag);
  // By strong comparison (RFC 9110 section 13.1.1).
  const wanted = request.headers['if-match'] ?? '*';
  if (wanted.trim() !== '*' && !listElements(wanted).includes(etag)) {
    throw new HttpError(412, 'malformed-request', 'The file is another one');
  }
  if (request.fresh) {
    const { 'Cache-Control': caching, Vary } = headers;
    const kept = { 'Cache-Control': caching, Vary };
    return send(request, response, { status: 304, headers: kept, body: undefined });
  }
  const { length } = file;
  const range = wantedPart(request, length, etag);
  const { start, end } = range ?? { start: 0, end: length - 1 };
  const body = await file.read(start, end + 1 - start);
  // It was deleted meanwhile.
  if (body === undefined) throw notFound();
  const part = range && { 'Content-Range': `bytes ${start}-${end}/${length}` };
  return send(request, response, {
    status: range === undefined ? 200 : 206,
    headers: { ...headers, ...part },
    body,
  });
};

/** Makes the route. Browsers do not run what it sends. */
export const fileRoutes = (
  document: ApiDocument,
  readers: ReadonlyMap<string, FileReaders>,
  findFile: StoredFiles,
  compileSecurity: CompileSecurity,
): Router => {
  const router = express.Router({ caseSensitive: true, strict: true });
  const { checkOf, refuse } = readingChecks(document, readers, compileSecurity);
  router.all('/files/:id', async (request, response) => {
    const { method, headers, ip: address = '', secure } = request;
    const { query } = splitTarget(request.url);
    const asked: FileRequest = { method, headers, address, secure, query, host: request };
    const file = (await findFile(request.params.id)) ?? (await refuse(asked));
    const check = checkOf(file);
    await check?.(file, asked);
    if (/^(?:GET|HEAD)$/.test(method)) {
      return sendFile(request, response, file, check !== undefined);
    }
    return send(request, response, otherMethodResponse(method, { Allow: 'GET, HEAD' }));
  });
  return router;
};
