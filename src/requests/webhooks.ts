/** Requests that an API itself sends, webhooks and callbacks: written and validated by the document, for any client or queue to send. */

import { errorMessage } from '../base/error-message';
import { ownFuel } from '../base/fuel';
import { lazy, memoize } from '../base/memoize';
import {
  type ApiDocument,
  compileReadParameters,
  compileResponse,
  type SchemaContext,
  type SerializedJson,
  schemaContext,
} from '../engine';
import { HttpError, reasonsOf } from '../http/http-error';
import { isLiveStream, isTextStream } from '../http/send';
import { namedWebhooks } from '../model/document';
import { type Operation, requestMethod } from '../model/operation';
import { encodeParameters } from './encode-parameters';

/** A request as `fetch(message.url, message)` sends it; text and octets may be kept in a queue. */
export interface WebhookMessage {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | null;
}

/** The parts of a request whose values are given. */
type Part = 'query' | 'header' | 'body';

/** The parts that may be left out. */
type Optional<Types> = {
  [Name in keyof Types & Part]: object extends Types[Name]
    ? Name
    : undefined extends Types[Name]
      ? Name
      : never;
}[keyof Types & Part];

/** The values of a part. */
type ValueOf<Types, Name extends keyof Types> = Name extends 'body'
  ? Types[Name] | SerializedJson<Types[Name]>
  : Types[Name];

/** The values of a webhook, by the generated type of its request. */
type GivenTo<Types> = {
  readonly [Name in Exclude<keyof Types & Part, Optional<Types>>]: ValueOf<Types, Name>;
} & { readonly [Name in Optional<Types>]?: ValueOf<Types, Name> };

/**
 * Writes the request of a webhook, or of a callback by `OPERATION.CALLBACK`.
 *
 * @param name - as the generated `Webhooks` has it
 * @param url - of the receiver; parameters of the query are added to it
 * @throws Error in one sentence where the values do not fit the document, or the URL is none of HTTP
 * @example const message = webhook('bookingChanged', url, { body: booking });
 */
export type WriteWebhook<Webhooks> = <Name extends keyof Webhooks & string>(
  name: Name,
  url: string,
  given: GivenTo<Webhooks[Name]>,
) => WebhookMessage;

/** The values of any webhook. */
interface Given {
  readonly query?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** Compiles the writer of one request. It carries what responses of the API carry. */
const compileWebhook = (operation: Operation, context: SchemaContext) => {
  const { parameters, requestBody } = operation;
  const { content = [], required = false } = requestBody ?? {};
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const readQuery = compileReadParameters(inQuery, context);
  const headers = parameters.filter((parameter) => parameter.in === 'header');
  const { write } = compileResponse(
    { pointer: '', key: 'default', description: '', headers, links: [], content },
    { ...context, validateResponses: true, message: 'request' },
  );
  return (url: string, { query = {}, header = {}, body: value }: Given): WebhookMessage => {
    const target = new URL(url);
    if (!/^https?:$/.test(target.protocol)) throw new Error('The URL is none of HTTP');
    const given = encodeParameters(
      { ...operation, parameters: inQuery },
      ({ name }) => query[name],
      context,
    );
    readQuery(given, ownFuel());
    target.search = [target.search.slice(1), given.query].filter(Boolean).join('&');
    if (value === undefined && required) throw new Error('The request lacks its body');
    // As a response of this status has none.
    const status = value === undefined ? 204 : 200;
    const {
      headers: { Vary: _, ...sent },
      body: written,
    } = write({ status, headers: header, body: value }, undefined);
    if (isLiveStream(written) || isTextStream(written)) throw new Error('The body is a stream');
    const lines = Object.entries(sent).map(([name, text]) => [name, String(text)]);
    const method = requestMethod(operation.method);
    // Octets of any buffer are no body to the types of `fetch`.
    const body = written instanceof Uint8Array ? Uint8Array.from(written) : (written ?? null);
    return { url: target.href, method, headers: Object.fromEntries(lines), body };
  };
};

/**
 * Makes the writer of the requests that an API sends: its webhooks, and the callbacks of its operations. `fetch` sends what it writes, or
 * a queue that tries again.
 *
 * @typeParam Webhooks - the interface of the generated types
 * @example await fetch(message.url, message);
 */
export const openApiWebhooks = <Webhooks>(
  document: Pick<ApiDocument, 'operations' | 'webhooks' | 'codecs'>,
  tools: SchemaContext = schemaContext(document),
): WriteWebhook<Webhooks> => {
  const known = lazy(() => namedWebhooks(document));
  const writerOf = memoize((operation: Operation) => compileWebhook(operation, tools));
  return (name, url, given) => {
    const operation = known().get(name);
    if (operation === undefined) {
      throw new Error(`${name} is no webhook. There are: ${[...known().keys()].join(', ')}`);
    }
    try {
      return writerOf(operation)(url, given);
    } catch (error) {
      // A fault of this program, and not of the request of a caller that it answers.
      const reasons = error instanceof HttpError ? reasonsOf(error) : [errorMessage(error)];
      throw new Error(`The webhook ${name} cannot be written: ${reasons.join(': ')}`, {
        cause: error,
      });
    }
  };
};
