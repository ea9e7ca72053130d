/** What one good request to an operation looks like, as plain data. */

import type { OperationTypes } from '../../src/engine/operation/handler';

/** A request before it is encoded: int64 values are `bigint`, binary is Uint8Array. */
export interface Example {
  readonly path?: Readonly<Record<string, string | bigint>>;
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  readonly header?: Readonly<Record<string, string>>;
  readonly body?: { readonly mediaType: string; readonly value: unknown };
}

type Part = 'path' | 'query' | 'header';
type Nothing = Record<never, never>;

/** The parts that an operation needs must be there; the others may be, and all have the generated types. */
type Parts<Operation extends OperationTypes> = {
  readonly [Key in Part as Nothing extends Operation[Key] ? never : Key]: Operation[Key];
} & {
  readonly [Key in Part as Nothing extends Operation[Key] ? Key : never]?: Operation[Key];
};

type Body<Operation extends OperationTypes> = undefined extends Operation['body']
  ? { readonly body?: never }
  : { readonly body: { readonly mediaType: string; readonly value: Operation['body'] } };

/** One example for each generated operation: a new or retyped operation does not compile until its example follows. */
export type Examples<Operations> = {
  readonly [Id in keyof Operations]: Operations[Id] extends OperationTypes
    ? Example & Parts<Operations[Id]> & Body<Operations[Id]>
    : never;
};
