/** The types a handler is written against. */

import type { Pages, SerializedAs } from '../media-types/codec/serialized-json';
import type { FileInfo } from '../media-types/multipart/part-value';
import type { HandlerResponse } from '../responses/response';
import type { CredentialRequest, Principal } from '../security/security-handlers';

/** What the generator writes for each operation. */
export interface OperationTypes {
  readonly path: object;
  readonly query: object;
  readonly header: object;
  readonly cookie: object;
  readonly body: unknown;
  /** `required` where the document asks for a good credential. */
  readonly principal: 'required' | 'optional';
  readonly response: { readonly status: number };
  /** Statuses that the operation declares for failure. */
  readonly failure: number;
}

/** A request, read and validated by the document. int64 values are `bigint`, date-times text, binary `Uint8Array`. */
export interface HandlerRequest<Operation extends OperationTypes> {
  readonly path: Operation['path'];
  readonly query: Operation['query'];
  readonly header: Operation['header'];
  readonly cookie: Operation['cookie'];
  readonly body: Operation['body'];
  readonly principal: Operation['principal'] extends 'required' ? Principal : Principal | undefined;
  /** Who sent it, and by what means; for identity. */
  readonly client: CredentialRequest;
  /** What the sender said about a file of a multipart body; undefined for bytes that came in another way. */
  fileInfo(bytes: Uint8Array): FileInfo | undefined;
  /** The error to throw for a failure that the operation declares; its text is the document's own. */
  fail(status: Operation['failure']): Error;
  /** The error to throw for what is still to be written: 501, whether the operation declares it or not. */
  notImplemented(): Error;
}

/** A body as a handler may give it: the value, its serialized text, or for a list its pages. */
export type BodyOf<Value> =
  | Value
  | ([Value] extends [undefined] ? never : SerializedAs<Value>)
  | (Value extends readonly (infer Item)[] ? Pages<Item> : never);

/** The declared responses, each with all that its body may be. */
export type ResponseOf<Response> = {
  [Key in keyof Response]: Key extends 'body' ? BodyOf<Response[Key]> : Response[Key];
};

/** What one operation does. */
export type Handler<Operation extends OperationTypes> = (
  request: HandlerRequest<Operation>,
) => ResponseOf<Operation['response']> | Promise<ResponseOf<Operation['response']>>;

/** One handler for every operation of a generated group. */
export type Handlers<Group> = {
  readonly [Id in keyof Group]: Group[Id] extends OperationTypes ? Handler<Group[Id]> : never;
};

/** A handler as the engine calls it; its types are the generator's business. */
export type UntypedHandler = (
  request: HandlerRequest<OperationTypes>,
) => HandlerResponse | Promise<HandlerResponse>;
