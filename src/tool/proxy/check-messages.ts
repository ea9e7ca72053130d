/**
 * Holds messages to a document, and says what is wrong without a value of any: the engine serves a copy of each request, and its
 * answer tells what is wrong; responses are checked as the test of a server checks them.
 */

import { recoverFrom } from '../../base/recover';
import { answerChecker } from '../../contract';
import {
  type ApiDocument,
  openApiService,
  type SchemaContext,
  type SecurityHandlers,
  schemaContext,
  type UntypedHandler,
} from '../../engine';
import { decodeContent, UndecodableContent } from '../../http/content-coding';
import { type Exchange, pathNotFound } from '../../http/exchange';
import { HttpError, reasonsOf } from '../../http/http-error';
import { bodyMemory, type HttpRequest, targetBelow } from '../../http/request';
import type { HttpResponse } from '../../http/send';
import { mockCredentials } from '../../mock';
import type { Operation } from '../../model/operation';
import type { OutgoingRequest } from '../../requests/request-case';

/** Bytes that are checked of a body: of documents and forms, of uploads, and of all bodies together. */
export const checkedBytes = { text: 1024 ** 2, upload: 10 * 1024 ** 2, all: 64 * 1024 ** 2 };

/** The engine's judgement of a request. */
export interface RequestVerdict {
  /** Undefined where no operation has the path and the method. */
  readonly operation: Operation | undefined;
  /** The reason to refuse it; undefined where it fits the document, or asks for no operation (OPTIONS). */
  readonly failure: HttpError | undefined;
  readonly refusal: HttpResponse | undefined;
}

/** Thrown in place of a response by the handler of every operation: the request has passed all that comes before. */
const fits = new HttpError(200, 'declared', 'The request fits the document');

/** Items are only validated when they are read. */
const accept: UntypedHandler = async ({ body }): Promise<never> => {
  if (Symbol.asyncIterator in Object(body)) {
    const items = (body as AsyncIterable<unknown>)[Symbol.asyncIterator]();
    while (!(await items.next()).done);
  }
  throw fits;
};

/** Leaves out what no proxy can see: client certificates, and whose login a credential is. */
const seenByProxies = (document: ApiDocument): ApiDocument => {
  const isSeen = (name: string) => document.securitySchemes.get(name)?.type !== 'mutualTLS';
  const operations = document.operations.map((operation) => ({
    ...operation,
    security: operation.security.map((requirement) =>
      Object.fromEntries(Object.entries(requirement).filter(([name]) => isSeen(name))),
    ),
    loggedInUser: operation.loggedInUser && { ...operation.loggedInUser, parameter: undefined },
  }));
  return { ...document, operations };
};

/** Makes security handlers that look at the form of credentials alone. */
const wellFormed = (document: ApiDocument): SecurityHandlers => {
  const any = mockCredentials(document);
  return {
    ...any,
    apiKey: (key, request, scheme) => (key === '' ? undefined : any.apiKey?.(key, request, scheme)),
    // A token as it may stand behind `Bearer` (RFC 6750 section 2.1).
    bearer: (text, request, scheme) =>
      /^[\w.~+/-]+=*$/.test(text) ? any.bearer?.(text, request, scheme) : undefined,
    session: (request) =>
      request.headers['cookie'] === undefined ? undefined : any.bearer?.('session', request, ''),
  };
};

/** Serves a request, and keeps the response instead of sending it. */
export const keptResponse = async (
  service: ReturnType<typeof openApiService>,
  request: HttpRequest,
) => {
  const outcome: Exchange['outcome'] = {};
  let response: HttpResponse | undefined;
  await service.serve({
    request,
    outcome,
    requestId: undefined,
    host: undefined,
    hasBegun: false,
    send: async (written) => {
      response = written;
    },
    passOn: () => Promise.reject(pathNotFound()),
  });
  return { outcome, response };
};

/**
 * Makes the checker of a document.
 * @param log gets faults of the document and of the check
 */
export const requestChecker = (document: ApiDocument, log: (message: string) => void) => {
  const seen = seenByProxies(document);
  // An operation whose id another has goes by its method and path.
  const names = seen.operations.flatMap(({ operationId, method, path }) => [
    operationId,
    `${method} ${path}`,
  ]);
  const service = openApiService(seen, {
    handlers: new Map(names.map((name) => [name, accept])),
    securityHandlers: wellFormed(document),
    tools: schemaContext(document),
    maxBodyBytes: checkedBytes.text,
    maxUploadBytes: checkedBytes.upload,
    bodies: bodyMemory(checkedBytes.all),
    validateResponses: false,
    log: { error: (_fields, message) => log(message) },
    replaceError: (error) =>
      error === fits ? { status: 204, headers: {}, body: undefined } : undefined,
  });
  const writeError: typeof service.writeError = (...failure) => service.writeError(...failure);
  return {
    writeError,
    /** @param request with the target that the client has sent */
    async check(request: HttpRequest): Promise<RequestVerdict> {
      const target = targetBelow(document.basePath, request.target);
      if (target === undefined) {
        const failure = pathNotFound();
        const refusal = writeError(undefined, failure, request.headers.accept);
        return { operation: undefined, failure, refusal };
      }
      const { outcome, response } = await keptResponse(service, { ...request, target });
      const { operation, failure } = outcome;
      return failure === undefined || failure === fits
        ? { operation, failure: undefined, refusal: undefined }
        : { operation, failure, refusal: response };
    },
  };
};

/** One way in which a message does not fit the document. */
export interface Violation {
  readonly on: 'request' | 'response';
  /** The engine's kind of error, or a rule of the test of a server. */
  readonly rule: string;
  /** The parameter, the header or the JSON Pointer; empty for the whole. */
  readonly place: string;
  /** The demand of the document; no value that was sent. */
  readonly sentence: string;
}

export interface Findings {
  readonly violations: readonly Violation[];
  readonly unchecked: string | undefined;
  /** The key of the declared response that a response is. */
  readonly key?: string | undefined;
  /** The body of a response without its Content-Encoding, as far as it was looked at. */
  readonly content?: Uint8Array | undefined;
}

/** Gives what the engine's refusal of a request says; some are refused only because they cannot be checked. */
export const requestFindings = (failure: HttpError | undefined): Findings => {
  if (failure === undefined) return { violations: [], unchecked: undefined };
  const { status, code: rule, message, errors } = failure;
  if (status >= 500 || rule === 'body-too-large') return { violations: [], unchecked: message };
  const [whole = '', ...sentences] = reasonsOf(failure);
  const places = errors.map(({ in: part, path }) => `${part} ${path}`);
  const violationAt = (sentence: string, at: number): Violation => {
    return { on: 'request', rule, place: places[at] ?? '', sentence };
  };
  const found = sentences.length === 0 ? [whole] : sentences;
  return { violations: found.map(violationAt), unchecked: undefined };
};

/** Checks the response to a request of an operation, which was refused with `failure`. */
export const checkResponse = async (
  operation: Operation,
  request: Pick<OutgoingRequest, 'method' | 'headers'>,
  failure: HttpError | undefined,
  received: {
    readonly status: number;
    readonly headers: readonly (readonly [name: string, value: string])[];
    /** The Content-Encoding that the body is still in. */
    readonly coding?: string | undefined;
    /** Undefined where it is not, or not yet, to be checked. */
    readonly body: Buffer | undefined;
  },
  tools: SchemaContext,
): Promise<Findings> => {
  const { status, headers, coding, body: sent } = received;
  const plain = sent && decodeContent(sent, coding, checkedBytes.text);
  const decoded = await plain?.catch(recoverFrom(UndecodableContent, ({ message }) => message));
  const [body, unchecked] =
    typeof decoded === 'string' ? [undefined, decoded] : [decoded, undefined];
  const check = answerChecker(operation, tools, true);
  const answer = { status, statusText: '', headers, body };
  // Refusals of a wrong request need not be declared.
  const isUnauthorized = failure?.status === 401 || failure?.status === 403;
  const wrongIntent = isUnauthorized ? 'unauthorized' : 'invalid';
  const intent = failure === undefined ? 'valid' : wrongIntent;
  const { response, problems } = check({ answer, request }, intent);
  // Rules of which the observation shows a value.
  const showingValues: readonly string[] = ['body-invalid', 'body-malformed', 'header-invalid'];
  const violations = problems
    // Of a 304 the next cache may have asked.
    .filter(({ rule }) => !(status === 304 && rule === 'undeclared-status'))
    .map(({ rule, place = '', expected, seen }): Violation => {
      const observed = showingValues.includes(rule) ? '' : `; seen: ${seen}`;
      // All items of a list are one place.
      const wanted = expected.replaceAll(/\/\d+(?=[/\s]|$)/g, '/*');
      return { on: 'response', rule, place, sentence: `Expected ${wanted}${observed}` };
    });
  return { violations, unchecked, key: response?.key, content: body };
};
