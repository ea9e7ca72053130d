/** Serves one operation for each schema of a multipart body; its handler remembers what it was called with. */

import { expect } from '@jest/globals';
import type { Answered } from '../support/ask';
import { serveDocument } from '../support/serve-document';
import { ask, errorOf, faultsOf } from './ask';
import { refused } from './serve-schemas';

/** A part by hand; the bytes of `value` go out as they are. */
export interface SentPart {
  readonly name: string;
  readonly value: string | Uint8Array;
  readonly type?: string;
  readonly file?: string;
  /** Further header lines. */
  readonly lines?: readonly string[];
}

export const boundary = 'limit';
export const formType = `multipart/form-data; boundary=${boundary}`;

const headOf = ({ name, type, file, lines = [] }: SentPart): string =>
  [
    `Content-Disposition: form-data; name="${name}"${file === undefined ? '' : `; filename="${file}"`}`,
    ...(type === undefined ? [] : [`Content-Type: ${type}`]),
    ...lines,
  ].join('\r\n');

/** The bytes of a body. */
export const bodyOf = (...parts: readonly SentPart[]): Buffer =>
  Buffer.concat([
    ...parts.flatMap((part) => [
      Buffer.from(`--${boundary}\r\n${headOf(part)}\r\n\r\n`),
      Buffer.from(part.value),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ]);

/** One operation. */
export interface MultipartOperation {
  readonly schema: object;
  readonly encoding?: object;
  readonly required?: boolean;
  /** `x-identifier`. */
  readonly identifier?: string;
  readonly mediaType?: string;
  /** Statuses that it declares besides 200. */
  readonly statuses?: readonly number[];
}

/** The result of one body. */
export interface MultipartEcho extends Answered {
  /** The argument of the handler; `refused` where it was not called. */
  readonly received: unknown;
  /** The file of each byte value among the properties. */
  readonly files: unknown;
}

export type SendBody = (
  operation: string,
  body: string | Uint8Array | undefined,
  type?: string,
  headers?: Readonly<Record<string, string>>,
) => Promise<MultipartEcho>;

/** A service of multipart bodies. */
export interface MultipartService {
  readonly url: string;
  readonly send: SendBody;
  /** The faults that the service logged. */
  readonly errors: readonly object[];
}

export const maxBodyBytes = 5000;
export const maxUploadBytes = 1_000_000;

const pathOf = (operationId: string, operation: MultipartOperation): object => {
  const { schema, encoding = {}, required = true, identifier, statuses = [] } = operation;
  return {
    post: {
      operationId,
      requestBody: {
        required,
        ...(identifier === undefined ? {} : { 'x-identifier': identifier }),
        content: { [operation.mediaType ?? 'multipart/form-data']: { schema, encoding } },
      },
      responses: Object.fromEntries(
        [200, ...statuses].map((status) => [status, { description: `Declared ${status}` }]),
      ),
    },
  };
};

/** Starts serving: each operation at the path of its name. */
export const serveMultipart = async (
  operations: Readonly<Record<string, MultipartOperation>>,
  components: object = {},
  openapi = '3.0.3',
): Promise<MultipartService> => {
  let received: unknown = refused;
  let files: unknown;
  const { url, errors } = await serveDocument({
    document: {
      openapi,
      paths: Object.fromEntries(
        Object.entries(operations).map(([id, operation]) => [`/${id}`, pathOf(id, operation)]),
      ),
      components,
    },
    handlers: Object.fromEntries(
      Object.keys(operations).map((id) => [
        id,
        ({ body, fileInfo }) => {
          received = body;
          files = Object.values(body ?? {})
            .flat()
            .flatMap((value) => (value instanceof Uint8Array ? [fileInfo(value)] : []));
          return { status: 200 };
        },
      ]),
    ),
    maxBodyBytes,
    maxUploadBytes,
  });
  const send: SendBody = async (operation, body, type = formType, headers = {}) => {
    received = refused;
    files = [];
    const response = await ask(url, `/${operation}`, {
      method: 'POST',
      headers: { 'Content-Type': type, ...headers },
      ...(body === undefined ? {} : { body }),
    });
    return { ...response, received, files };
  };
  return { url, send, errors };
};

/** Bytes as handlers get them. */
export const bytes = (value: string | Uint8Array): Uint8Array =>
  Uint8Array.from(Buffer.from(value));

/** Expects that the body was refused, the handler never called, and the fault named at the place. */
export const expectRefusal = (
  echo: MultipartEcho,
  place: string,
  status = 400,
  type = 'invalid-body',
): void => {
  expect([echo.status, echo.received]).toEqual([status, refused]);
  expect([errorOf(echo).type, faultsOf(echo)]).toEqual([type, [`body ${place}`]]);
};
