/** Builds requests to an operation from its good example, whole or with one part replaced. */

import { anySchema } from '../../src/model/schema';
import { encodeBody } from '../../src/requests/encode-body';
import { typedValue } from '../../src/schema/samples/sample-plan';
import type { Asked } from '../support/ask';
import type { ContractOperation } from './contract-operation';

/** A request before credentials: what `ask` takes. */
export interface ContractRequest {
  readonly methodAndTarget: string;
  readonly asked: Asked;
}

/** The differences from the good example. */
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

/** The media type of an operation's body, and a value of its own types. */
export const bodyCase = (
  { declared, tools }: ContractOperation,
  mediaType: string,
  value: unknown,
) => {
  const content = declared.requestBody?.content.find(({ key }) => key === mediaType);
  if (content === undefined) throw new Error(`${declared.operationId} takes no ${mediaType}`);
  const { schema = anySchema } = content;
  return { content, mediaType, value: typedValue(schema, tools.shapeOf)(value) };
};

const bodyAsked = (operation: ContractOperation, changes: Changes): Asked => {
  const { example, tools } = operation;
  if (example.body === undefined || changes.withoutBody) return {};
  const type = changes.mediaType ?? example.body.mediaType;
  if (changes.raw !== undefined) return { type, body: changes.raw };
  const value = 'value' in changes ? changes.value : example.body.value;
  return { type, body: encodeBody(bodyCase(operation, type, value), tools)?.bytes };
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
