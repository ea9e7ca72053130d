/** Builds requests to an operation from its good example, whole or with one part replaced. */

import type { Asked } from '../support/ask';
import type { ContractOperation } from './contract-operation';
import { encodeBody } from './encode-body';

/** A request before credentials: what `ask` takes. */
export interface ContractRequest {
  readonly methodAndTarget: string;
  readonly asked: Asked;
}

/** What is unlike the good example. */
export interface Changes {
  readonly method?: string;
  /** Raw texts for the names of the path template. */
  readonly path?: Readonly<Record<string, string>>;
  /** The raw query. */
  readonly query?: string;
  readonly mediaType?: string;
  /** Sent instead of the example's value, encoded by the media type. */
  readonly value?: unknown;
  /** Sent as they are. */
  readonly raw?: string | Uint8Array;
  readonly withoutBody?: boolean;
  readonly asked?: Asked;
}

const exampleQuery = ({ example }: ContractOperation): string =>
  Object.entries(example.query)
    // A list is sent comma-separated: both list parameters of the documents allow it.
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join('&');

const target = (operation: ContractOperation, { path = {}, query }: Changes): string => {
  const filled = operation.template.replaceAll(
    /\{([^{}]+)\}/g,
    (_, name: string) => path[name] ?? encodeURIComponent(String(operation.example.path[name])),
  );
  const search = query ?? exampleQuery(operation);
  return search === '' ? filled : `${filled}?${search}`;
};

const bodyAsked = (operation: ContractOperation, changes: Changes): Asked => {
  const { body, example, document } = operation;
  if (body === undefined || example.body === undefined || changes.withoutBody) return {};
  const type = changes.mediaType ?? example.body.mediaType;
  if (changes.raw !== undefined) return { type, body: changes.raw };
  const value = 'value' in changes ? changes.value : example.body.value;
  return { type, body: encodeBody(document, body.schema, type, value) };
};

/** The good request of an operation, with the changes. */
export const contractRequest = (
  operation: ContractOperation,
  changes: Changes = {},
): ContractRequest => ({
  methodAndTarget: `${changes.method ?? operation.method} ${target(operation, changes)}`,
  asked: {
    ...bodyAsked(operation, changes),
    ...changes.asked,
    headers: {
      ...(operation.example.header as Record<string, string>),
      ...changes.asked?.headers,
    },
  },
});
