/** The types of handlers, made from the types that the generator writes for each operation of a document. */

import type { Client, Principal } from '../../http/caller';
import type { HandlerLog, RequestLifetime } from '../../http/exchange';
import type { Operation } from '../../model/operation';
import type { PagedList, Pages, SerializedAs } from '../media-types/json/json';
import type { FileInfo } from '../media-types/multipart/part-value';
import type { PartInfo } from '../media-types/sequences/multipart-sequence';
import type { Precondition } from '../responses/conditions';
import type { HandlerResponse } from '../responses/response';

/**
 * The types of one operation, as the generator writes them: only the members that it has.
 * @example { path: { id: bigint }; response: { status: 200; body: Item } | { status: '4XX'; body: Problem } }
 */
export interface OperationTypes {
  readonly path?: object;
  readonly query?: object;
  /** The value of the whole query string. */
  readonly querystring?: unknown;
  readonly header?: object;
  readonly cookie?: object;
  readonly body?: unknown;
  /** `required` if the document requires a credential. */
  readonly principal?: 'required';
  readonly response: DeclaredResponse;
}

/**
 * A declared response, or several that differ only in their status.
 * @example { status: 404 | 'default'; body: Problem; headers: { 'Retry-After': number } }
 */
export interface DeclaredResponse {
  /** A status, or a range or `default` as in the document. */
  readonly status: number | Range | 'default';
  readonly body?: unknown;
  readonly headers?: object;
}

type Range = `${2 | 3 | 4 | 5}XX`;
type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

/**
 * The statuses of a range.
 * @example `StatusIn<'4XX'>` is 400 | 401 | … | 499
 */
type StatusIn<Key> = Key extends `${infer Class}XX` ? NumberOf<`${Class}${Digit}${Digit}`> : never;
type NumberOf<Text> = Text extends `${infer Value extends number}` ? Value : never;

/**
 * The statuses that a key of the Responses Object covers beside the other keys (OAS 3.0.3, Responses Object).
 * @example `StatusOf<'4XX', 200 | 404 | '4XX'>` is every status from 400 to 499 except 404
 */
type StatusOf<Key, Keys> = Key extends number
  ? Key
  : Key extends 'default'
    ? Exclude<StatusIn<Range>, Keys | StatusIn<Keys>>
    : Exclude<StatusIn<Key>, Keys>;

/** The statuses that never have a body (RFC 9110 sections 15.3.5, 15.3.6 and 15.4.5). */
type StatusWithoutBody = 204 | 205 | 304;

/** The statuses of a declared response among all responses of its operation. */
type StatusesOf<Response extends DeclaredResponse, All extends DeclaredResponse> = Exclude<
  StatusOf<Response['status'], All['status']>,
  Response extends { readonly body: unknown } ? StatusWithoutBody : never
>;

interface FurtherHeaders {
  readonly [name: string]: string | number | readonly string[] | undefined;
}

type HeadersOf<Declared> = Declared & {
  readonly [name: string]: FurtherHeaders[string] | Declared[keyof Declared];
};

type ContentOf<Response> = (Response extends { readonly body: infer Body }
  ? { readonly body: BodyOf<Body> }
  : { readonly body?: undefined }) &
  (Response extends { readonly headers: infer Declared }
    ? { readonly headers: HeadersOf<Declared> }
    : Response extends { readonly headers?: infer Declared }
      ? { readonly headers?: HeadersOf<Declared> }
      : { readonly headers?: FurtherHeaders });

/**
 * A body, as a handler returns it: the value, its serialized text, or for a list its pages.
 * @example return { status: 200, body: items.list() };
 */
export type BodyOf<Value> =
  | Value
  | ([Value] extends [undefined] ? never : SerializedAs<Value>)
  | (Value extends readonly (infer Item)[] ? Pages<Item> | PagedList<Item> : never);

/**
 * The return value of a handler: a declared response with its status, body and headers.
 * @example return { status: 302, headers: { Location: '/items/7' } };
 */
export type ResponseOf<
  Response extends DeclaredResponse,
  All extends DeclaredResponse = Response,
> = Response extends unknown
  ? // One object type: the compiler's messages would show an intersection as it is.
    { readonly status: StatusesOf<Response, All> } & ContentOf<Response> extends infer Members
    ? { [Name in keyof Members]: Members[Name] }
    : never
  : never;

/** The statuses that `fail` takes: those from 400 on. */
type FailureStatus<Status> = Status extends number
  ? `${Status}` extends `${4 | 5}${string}`
    ? Status
    : never
  : never;

type ContentFor<Status, Returned> = Returned extends { readonly status: infer Statuses }
  ? Status extends Statuses
    ? Omit<Returned, 'status'>
    : never
  : never;

/**
 * The argument of `fail` behind the status. It is optional if the exact status is declared without a required header: the document's
 * text is the content then.
 */
type FailureContent<Status, Declared, Content> = Status extends Declared
  ? Content extends { readonly headers: object }
    ? [content: Content]
    : [content?: Content]
  : [content: Content];

/**
 * A request, read and validated by the document. int64 values are `bigint`, date-times text, binary `Uint8Array`.
 * @example ({ path, query, principal }) => ({ status: 200, body: find(path.id, query.limit, principal.username) })
 */
export interface HandlerRequest<Operation extends OperationTypes, Context = unknown> {
  readonly path: Readonly<MemberOf<Operation, 'path'>>;
  readonly query: Readonly<MemberOf<Operation, 'query'>>;
  /** The whole query string as one value, where the document describes it so. */
  readonly querystring: MemberOf<Operation, 'querystring', undefined>;
  readonly header: Readonly<MemberOf<Operation, 'header'>>;
  readonly cookie: Readonly<MemberOf<Operation, 'cookie'>>;
  readonly body: MemberOf<Operation, 'body', undefined>;
  readonly principal: MemberOf<Operation, 'principal'> extends 'required'
    ? Principal
    : Principal | undefined;
  /** The value of the option `context`; undefined without it. */
  readonly context: Context;
  /** The request itself: method, headers, address of the client, and the signal that tells when it has left. */
  readonly client: Client;
  /** Returns the name and type of a file of a multipart body; undefined for other bytes. */
  fileInfo(bytes: Uint8Array): FileInfo | undefined;
  /**
   * Sets media type and headers of one multipart item; returns the item.
   * @example yield describePart(bytes, { mediaType: 'image/png', headers: { 'Content-Range': 'bytes 0-99/1000' } });
   */
  describePart<Value extends object>(value: Value, info: PartInfo): Value;
  /**
   * Holds what is there now to the caller's If-Match and If-None-Match, where the document declares them: throws 412 where it has changed
   * since it was read, or is there though it should not be.
   * The calls of collections take it; what a handler keeps itself it is called with before a change.
   * @example items.update(path.id, (old) => ({ ...old, ...body }), precondition)
   */
  readonly precondition: Precondition;
  /** The log of the request: each line has its id and its operation. */
  readonly log: HandlerLog;
  /** The life of the request: `after(work)` does work when the response has been sent. */
  readonly lifetime: Pick<RequestLifetime, 'after'>;
  /**
   * Makes the error to throw for a failure that the operation declares. Without content, the response has the document's text in
   * the error's schema.
   * @example throw fail(404);
   * @example throw fail(409, { body: { existingId: item.id } });
   */
  fail<Status extends FailureStatus<ResponseOf<Operation['response']>['status']>>(
    status: Status,
    ...content: FailureContent<
      Status,
      Operation['response']['status'],
      ContentFor<Status, ResponseOf<Operation['response']>>
    >
  ): Error;
  /** Makes the error to throw in an unfinished handler: 501, even if the operation does not declare it. */
  notImplemented(): Error;
}

/** A member of an operation's types; `Otherwise` if the operation has none. */
type MemberOf<Operation, Name extends string, Otherwise = object> = Name extends keyof Operation
  ? Operation[Name]
  : Otherwise;

/**
 * A handler of one operation.
 * @example const getItem: Handler<GetItem> = ({ path }) => ({ status: 200, body: { id: path.id, name: 'Desk' } });
 */
export type Handler<Operation extends OperationTypes, Context = unknown> = (
  request: HandlerRequest<Operation, Context>,
) => ResponseOf<Operation['response']> | Promise<ResponseOf<Operation['response']>>;

/**
 * One handler for every operation of a generated group; the second type is that of the `context` of each.
 * @example const handlers: Handlers<ItemOperations, { readonly tenant: string }> = { getItem, addItem };
 */
export type Handlers<Group, Context = unknown> = {
  readonly [Id in keyof Group]: Group[Id] extends OperationTypes
    ? Handler<Group[Id], Context>
    : never;
};

/**
 * Functions that run around every handler, in this order, when a request has been authorized, read and found valid. What they throw
 * is answered as if the handler had thrown it.
 * @example { before: ({ request }) => { if (isClosed()) throw new HttpError(503, 'unavailable', 'We are closed'); } }
 */
export interface HandlerHooks {
  /**
   * Makes the `context` that the other hooks and the handler get, or the promise of it.
   * @param host the request as its host has it, such as Express's `req`
   */
  context?(request: Omit<UntypedRequest, 'context'>, host: unknown): unknown;
  /** Runs before the handler. */
  before?(call: HandlerCall): void | Promise<void>;
  /** Runs before the response is written; what it returns is sent in its place. Errors that are thrown do not reach it. */
  after?(
    call: HandlerCall & { readonly response: HandlerResponse },
  ): HandlerResponse | undefined | Promise<HandlerResponse | undefined>;
}

/** An operation, and the request that its handler gets. */
export interface HandlerCall {
  readonly operation: Operation;
  readonly request: UntypedRequest;
}

/** A request of any operation, as the engine gives it to a handler. */
export interface UntypedRequest
  extends Omit<HandlerRequest<OperationTypes>, 'fail' | 'path' | 'query' | 'header' | 'cookie'> {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly header: Readonly<Record<string, unknown>>;
  readonly cookie: Readonly<Record<string, unknown>>;
  fail(status: number, content?: Omit<HandlerResponse, 'status'>): Error;
}

/**
 * A handler of any operation, as the engine calls it.
 * @example const getItem: UntypedHandler = ({ path }) => ({ status: 200, body: { id: path['id'] } });
 */
export interface UntypedHandler {
  (request: UntypedRequest): HandlerResponse | Promise<HandlerResponse>;
  /** Makes what its first call would wait for; called once its operation has been compiled. */
  readonly prepare?: () => unknown;
  /** Tells whether the bodies are patches: members that are absent get no defaults. */
  readonly takesPatches?: () => boolean;
}
