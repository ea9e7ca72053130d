/** The types a handler is written against. */

import type { KeptAs, Listing } from '../media-types/codec/listing';
import type { FileFacts } from '../media-types/multipart/file-facts';
import type { Caller, ClientFacts } from '../security/caller';

/** What the generator writes for each operation. */
export interface OperationTypes {
  readonly path: object;
  readonly query: object;
  readonly header: object;
  readonly cookie: object;
  readonly body: unknown;
  /** `required` where the document lets nobody in without a good credential. */
  readonly caller: 'required' | 'optional';
  readonly reply: { readonly status: number };
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
  readonly caller: Operation['caller'] extends 'required' ? Caller : Caller | undefined;
  readonly client: ClientFacts;
  /** What the sender said about a file of a multipart body; undefined for octets that came in another way. */
  fileFacts(octets: Uint8Array): FileFacts | undefined;
  /** The error to throw for a failure that the operation declares; its text is the document's own. */
  fail(status: Operation['failure']): Error;
}

/** A body as a handler may give it: the value, its kept text, or for a list its pages. */
export type BodyOf<Value> =
  | Value
  | ([Value] extends [undefined] ? never : KeptAs<Value>)
  | (Value extends readonly (infer Item)[] ? Listing<Item> : never);

/** The declared replies, each with all that its body may be. */
export type ReplyOf<Reply> = {
  [Key in keyof Reply]: Key extends 'body' ? BodyOf<Reply[Key]> : Reply[Key];
};

/** What one operation does. */
export type Handler<Operation extends OperationTypes> = (
  request: HandlerRequest<Operation>,
) => ReplyOf<Operation['reply']> | Promise<ReplyOf<Operation['reply']>>;

/** One handler for every operation of a generated group. */
export type Handlers<Group> = {
  readonly [Id in keyof Group]: Group[Id] extends OperationTypes ? Handler<Group[Id]> : never;
};
