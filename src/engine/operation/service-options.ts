/** The options with which a document is served. */

import type { ServiceLog, Trace } from '../../http/exchange';
import type { ErrorPage, ReplaceError } from '../../http/failure';
import { type BodyMemory, bodyMemory } from '../../http/request';
import type { HttpResponse } from '../../http/send';
import type { ApiDocument } from '../document/api-document';
import { type SchemaContext, schemaContext } from '../media-types/schema-context';
import type { SecurityHandlers } from '../security/credentials';
import type { HandlerHooks, UntypedHandler } from './handler';

/**
 * Returns the response to a request for a path; undefined for one that it does not answer.
 * @param accept the header Accept
 */
export type PathResponses = (
  method: string,
  path: string,
  query?: string,
  accept?: string,
) => Promise<HttpResponse> | undefined;

/**
 * The options of a service; those that are left out suit production.
 * @example { handlers: new Map([['getItem', getItem]]), securityHandlers: {}, log }
 */
export interface ServiceOptions extends HandlerHooks {
  /** By operationId. An operation without one answers 501. */
  readonly handlers: ReadonlyMap<string, UntypedHandler>;
  /** Find the owners of credentials; a security scheme without its security handler refuses every request. */
  readonly securityHandlers: SecurityHandlers;
  /** The page on which people sign in; refusals name it in place of the document's authorization URL. */
  readonly signInUrl?: string;
  /** Says why no user can sign in yet, as a sentence that ends refusals; undefined where users can. */
  readonly signInProblem?: () => Promise<string | undefined>;
  /** The context that the operations are compiled from: one of the document alone. */
  readonly tools?: SchemaContext;
  /** Bytes that a document or form may have: 1 MiB. */
  readonly maxBodyBytes?: number;
  /** Bytes that a binary body may have: 10 MiB. */
  readonly maxUploadBytes?: number;
  /** Names that one object, element or form of a body may have: 1,000. */
  readonly maxBodyNames?: number;
  /** The bound of all bodies together: 64 MiB. */
  readonly bodies?: BodyMemory;
  /** True: each response is checked against the document before it is sent. Default: false. */
  readonly validateResponses?: boolean;
  /** Answers requests for paths that go before those of the document; gives undefined for all others: none. */
  readonly answerFirst?: PathResponses | undefined;
  /** Answers requests for paths that no operation has: none. */
  readonly answerLast?: PathResponses | undefined;
  /** Makes HTML pages for failures of operations that declare no HTML. */
  readonly errorPage?: ErrorPage;
  /** Gives errors another text, another shape, or another response. */
  readonly replaceError?: ReplaceError;
  /** Follows requests and the parts of the work on them, to make spans of them: nothing. */
  readonly trace?: Trace | undefined;
  /** Aborts when the server stops: event streams then end, and their readers go elsewhere. */
  readonly stopping?: AbortSignal | undefined;
  /** The log for problems of the server. */
  readonly log: ServiceLog;
}

const mebibyte = 1024 * 1024;

/** Fills in what is left out. */
export const withDefaults = (document: ApiDocument, options: ServiceOptions) => {
  const { tools = schemaContext(document), validateResponses = false } = options;
  const { maxBodyBytes = mebibyte, maxUploadBytes = 10 * mebibyte } = options;
  const { bodies = bodyMemory(64 * mebibyte) } = options;
  return { ...options, tools, validateResponses, maxBodyBytes, maxUploadBytes, bodies };
};

/** Options of which nothing is left out that has a default. */
export type SettledOptions = ReturnType<typeof withDefaults>;
