/** The types a handler is written against. */

import type { Pages, SerializedAs } from '../media-types/codec/serialized-json';
import type { FileInfo } from '../media-types/multipart/part-value';
import type { HandlerResponse } from '../responses/response';
import type { CredentialRequest, Principal } from '../security/security-handlers';

/**
 * The members that the generator writes for each operation: those that it has.
 * @example { path: { id: bigint }; response: { status: 200; body: Item } | { status: '4XX'; body: Problem } }
 */
export interface OperationTypes {
  readonly path?: object;
  readonly query?: object;
  readonly header?: object;
  readonly cookie?: object;
  readonly body?: unknown;
  /** `required` where the document asks for a good credential. */
  readonly principal?: 'required';
  readonly response: DeclaredResponse;
}

/** A declared response, or several that differ in nothing but their status. */
export interface DeclaredResponse {
  /** A status, or a range or `default` as the document names it. */
  readonly status: number | Range | 'default';
  readonly body?: unknown;
  readonly headers?: object;
}

type Range = `${2 | 3 | 4 | 5}XX`;
type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

/** `StatusIn<'4XX'>` is 400 | 401 | … | 499. */
type StatusIn<Key> = Key extends `${infer Class}XX` ? NumberOf<`${Class}${Digit}${Digit}`> : never;
type NumberOf<Text> = Text extends `${infer Value extends number}` ? Value : never;

/**
 * The statuses that a key of the Responses Object stands for beside the other keys (OAS 3.0.3, Responses Object).
 * @example `StatusOf<'4XX', 200 | 404 | '4XX'>` is every status from 400 to 499 except 404
 */
type StatusOf<Key, Keys> = Key extends number
  ? Key
  : Key extends 'default'
    ? Exclude<StatusIn<Range>, Keys | StatusIn<Keys>>
    : Exclude<StatusIn<Key>, Keys>;

/** RFC 9110 sections 15.3.5, 15.3.6 and 15.4.5. */
type StatusWithoutBody = 204 | 205 | 304;

/** The statuses of a declared response among all responses of its operation. */
type StatusesOf<Response extends DeclaredResponse, All extends DeclaredResponse> = Exclude<
  StatusOf<Response['status'], All['status']>,
  Response extends { readonly body: unknown } ? StatusWithoutBody : never
>;

/** Headers that a response may carry beyond the declared ones. */
interface FurtherHeaders {
  readonly [name: string]: string | number | readonly string[] | undefined;
}

/** Declared headers, and any others. */
type HeadersOf<Declared> = Declared & {
  readonly [name: string]: FurtherHeaders[string] | Declared[keyof Declared];
};

/** The body and the headers of a declared response as a handler may give them. */
type ContentOf<Response> = (Response extends { readonly body: infer Body }
  ? { readonly body: BodyOf<Body> }
  : { readonly body?: undefined }) &
  (Response extends { readonly headers: infer Declared }
    ? { readonly headers: HeadersOf<Declared> }
    : Response extends { readonly headers?: infer Declared }
      ? { readonly headers?: HeadersOf<Declared> }
      : { readonly headers?: FurtherHeaders });

/** A body as a handler may give it: the value, its serialized text, or for a list its pages. */
export type BodyOf<Value> =
  | Value
  | ([Value] extends [undefined] ? never : SerializedAs<Value>)
  | (Value extends readonly (infer Item)[] ? Pages<Item> : never);

/**
 * The values that a handler may return: each declared response with its status, body and headers.
 * @example return { status: 302, headers: { Location: '/items/7' } };
 */
export type ResponseOf<
  Response extends DeclaredResponse,
  All extends DeclaredResponse = Response,
> = Response extends unknown
  ? // One object type, as messages of the compiler show it, in place of an intersection.
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

/** The body and headers that may be answered with a status. */
type ContentFor<Status, Returned> = Returned extends { readonly status: infer Own }
  ? Status extends Own
    ? Omit<Returned, 'status'>
    : never
  : never;

/**
 * The content that `fail` is given beside the status. It may be left out where the document's text can stand in for it: where the very
 * status is declared, and requires no header.
 */
type FailureContent<Status, Declared, Content> = Status extends Declared
  ? Content extends { readonly headers: object }
    ? [content: Content]
    : [content?: Content]
  : [content: Content];

/** A request, read and validated by the document. int64 values are `bigint`, date-times text, binary `Uint8Array`. */
export interface HandlerRequest<Operation extends OperationTypes> {
  readonly path: Readonly<Part<Operation, 'path'>>;
  readonly query: Readonly<Part<Operation, 'query'>>;
  readonly header: Readonly<Part<Operation, 'header'>>;
  readonly cookie: Readonly<Part<Operation, 'cookie'>>;
  readonly body: Part<Operation, 'body', undefined>;
  readonly principal: Part<Operation, 'principal'> extends 'required'
    ? Principal
    : Principal | undefined;
  /** Who sent it, and by what means; for identity. */
  readonly client: CredentialRequest;
  /** What the sender said about a file of a multipart body; undefined for bytes that came in another way. */
  fileInfo(bytes: Uint8Array): FileInfo | undefined;
  /**
   * Makes the error to throw for a failure that the operation declares. Without content, it carries the document's own text
   * in the error's schema.
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
  /** Makes the error to throw for what is still to be written: 501, whether the operation declares it or not. */
  notImplemented(): Error;
}

/** A member of an operation's types; `Otherwise` where the operation has none. */
type Part<Operation, Name extends string, Otherwise = object> = Name extends keyof Operation
  ? Operation[Name]
  : Otherwise;

/** What one operation does. */
export type Handler<Operation extends OperationTypes> = (
  request: HandlerRequest<Operation>,
) => ResponseOf<Operation['response']> | Promise<ResponseOf<Operation['response']>>;

/** One handler for every operation of a generated group. */
export type Handlers<Group> = {
  readonly [Id in keyof Group]: Group[Id] extends OperationTypes ? Handler<Group[Id]> : never;
};

/** A request as the engine gives it to a handler whose types it does not know. */
export interface UntypedRequest extends Omit<HandlerRequest<OperationTypes>, 'fail'> {
  fail(status: number, content?: Omit<HandlerResponse, 'status'>): Error;
}

/** A handler as the engine calls it; its types are the generator's business. */
export type UntypedHandler = (
  request: UntypedRequest,
) => HandlerResponse | Promise<HandlerResponse>;
