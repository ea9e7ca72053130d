/** Holds requests to a document: the engine serves a copy of each, and its answer tells what is wrong. */

import {
  type ApiDocument,
  openApiService,
  type SecurityHandlers,
  schemaContext,
  type UntypedHandler,
} from '../../engine';
import { type Exchange, pathNotFound } from '../../http/exchange';
import { HttpError } from '../../http/http-error';
import { bodyMemory, type HttpRequest, targetBelow } from '../../http/request';
import type { HttpResponse } from '../../http/send';
import { mockCredentials } from '../../mock';
import type { Operation } from '../../model/operation';

/** Bytes that are checked of a body: of documents and forms, of uploads, and of all bodies together. */
export const checkedBytes = { text: 1024 ** 2, upload: 10 * 1024 ** 2, all: 64 * 1024 ** 2 };

/** The engine's judgement of a request. */
export interface RequestVerdict {
  /** Undefined where no operation has the path and the method. */
  readonly operation: Operation | undefined;
  /** The reason to refuse it; undefined where it fits the document, or asks for no operation (OPTIONS). */
  readonly failure: HttpError | undefined;
  /** The response with which the engine refuses it. */
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

/** Holds requests to a document. */
export interface RequestChecker extends Pick<ReturnType<typeof openApiService>, 'writeError'> {
  /** @param request with the target that the client has sent */
  check(request: HttpRequest): Promise<RequestVerdict>;
}

/**
 * Makes the checker of a document.
 * @param log gets faults of the document and of the check
 */
export const requestChecker = (
  document: ApiDocument,
  log: (message: string) => void,
): RequestChecker => {
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
  const writeError: RequestChecker['writeError'] = (...failure) => service.writeError(...failure);
  return {
    writeError,
    async check(request) {
      const target = targetBelow(document.basePath, request.target);
      if (target === undefined) {
        const failure = pathNotFound();
        const refusal = writeError(undefined, failure, request.headers.accept);
        return { operation: undefined, failure, refusal };
      }
      const outcome: Exchange['outcome'] = {};
      let response: HttpResponse | undefined;
      await service.serve({
        request: { ...request, target },
        outcome,
        requestId: undefined,
        hasBegun: false,
        send: async (written) => {
          response = written;
        },
        passOn: () => Promise.reject(pathNotFound()),
      });
      const { operation, failure } = outcome;
      return failure === undefined || failure === fits
        ? { operation, failure: undefined, refusal: undefined }
        : { operation, failure, refusal: response };
    },
  };
};
