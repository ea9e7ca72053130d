/** Requests that an API itself sends, webhooks and callbacks: written and validated by the document, for any client or queue to send. */

import { errorMessage } from '../base/error-message';
import { drawFrom, ownFuel } from '../base/fuel';
import { lazy, memoize } from '../base/memoize';
import {
  type ApiDocument,
  compileReadParameters,
  compileResponse,
  responseOffers,
  type SchemaContext,
  SerializedJson,
  schemaContext,
} from '../engine';
import { HttpError, reasonsOf, withoutValue } from '../http/http-error';
import { namedWebhooks } from '../model/document';
import {
  type MediaType,
  type Operation,
  type Parameter,
  type ParameterLocation,
  requestMethod,
} from '../model/operation';
import { anySchema } from '../model/schema';
import { compileCoercion } from '../schema/coercion';
import { type EncodedBody, encodeBody } from './encode-body';
import { encodeParameters } from './encode-parameters';
import { valueSchema } from './item-contents';

/** A request as `fetch(message.url, message)` sends it; text and octets may be kept in a queue. */
export interface WebhookMessage {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | null;
}

type Part = Exclude<ParameterLocation, 'path'> | 'body';

type Optional<Types> = {
  [Name in keyof Types & Part]: object extends Types[Name]
    ? Name
    : undefined extends Types[Name]
      ? Name
      : never;
}[keyof Types & Part];

type Values<Types> = {
  readonly [Name in keyof Types & Part]: Name extends 'body'
    ? Types[Name] | SerializedJson<Types[Name]>
    : Types[Name];
};

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
  given: Omit<Values<Webhooks[Name]>, Optional<Webhooks[Name]>> & Partial<Values<Webhooks[Name]>>,
) => WebhookMessage;

interface Given
  extends Readonly<Partial<Record<ParameterLocation, Readonly<Record<string, unknown>>>>> {
  readonly body?: unknown;
}

/** Compiles the writer of a body in a media type. It is checked as a response is, and carries what responses carry. */
const bodyWriter = (content: MediaType, tools: SchemaContext) => {
  const schema = valueSchema(content) ?? anySchema;
  const validate = tools.validators.validatorOf(schema, 'response');
  const exact = compileCoercion(tools.shapeOf(schema), 'sent');
  return (given: unknown, mediaType: string): EncodedBody => {
    const value = drawFrom(ownFuel(), () => {
      const sent = exact(given instanceof SerializedJson ? given.read() : given);
      const [error] = validate(sent);
      if (error === undefined) return sent;
      throw new Error(`The request's body${error.path} ${withoutValue(error.message)}`);
    });
    const encoded = encodeBody({ content, mediaType, value }, tools);
    if (encoded !== undefined) return encoded;
    throw new Error(`The body cannot be written in ${mediaType}`);
  };
};

const compileWebhook = (operation: Operation, tools: SchemaContext) => {
  const { parameters, requestBody } = operation;
  const { content = [], required = false } = requestBody ?? {};
  const others = parameters.filter(({ in: place }) => place !== 'path' && place !== 'header');
  const withOthers = { ...operation, parameters: others };
  const readOthers = compileReadParameters(others, tools);
  // Headers are written as those of a response, whose body is written here.
  const head = {
    pointer: '',
    key: 'default',
    description: '',
    headers: parameters.filter((parameter) => parameter.in === 'header'),
    links: [],
    content: content.map((entry) => ({ ...entry, schema: undefined, itemSchema: undefined })),
  };
  const { offerOf, offerFor, names } = responseOffers(head, tools);
  const checking = { ...tools, validateResponses: true, message: 'request' } as const;
  const { write } = compileResponse(head, checking);
  const writerOf = memoize((entry: MediaType) => bodyWriter(entry, tools));
  const writeBody = (value: unknown, named: unknown) => {
    const offer = named === undefined ? offerFor(undefined, value) : offerOf(String(named));
    const entry = content.find(({ pointer }) => pointer === offer?.content.pointer);
    if (!offer || !entry) {
      throw new Error(`A body must be of a declared media type: ${names.join(', ') || 'none'}`);
    }
    const { bytes, contentType } = writerOf(entry)(value, offer.mediaType);
    // Texts are texts, to be kept. Octets of any buffer are no body to the types of `fetch`.
    const isText = !(value instanceof Uint8Array || /^multipart\//i.test(contentType));
    return { contentType, body: isText ? Buffer.from(bytes).toString() : Uint8Array.from(bytes) };
  };
  return (url: string, given: Given): WebhookMessage => {
    const target = new URL(url);
    if (!/^https?:$/.test(target.protocol)) throw new Error('The URL is none of HTTP');
    const { body: value, header = {} } = given;
    const givenTo = ({ in: place, name }: Parameter): unknown =>
      place === 'querystring' ? given[place] : given[place]?.[name];
    const { query, ...raw } = encodeParameters(withOthers, givenTo, tools);
    readOthers({ query, ...raw }, ownFuel());
    target.search = [target.search.slice(1), query].filter(Boolean).join('&');
    if (value === undefined && required) throw new Error('The request lacks its body');
    const isType = (name: string) => /^content-type$/i.test(name);
    const typeName = Object.keys(header).find(isType) ?? 'Content-Type';
    const encoded = value === undefined ? undefined : writeBody(value, header[typeName]);
    const headers = { ...header, ...raw.headers, [typeName]: encoded?.contentType };
    // As a response of this status has none.
    const status = encoded === undefined ? 204 : 200;
    const serialized = encoded?.body ?? '';
    const { Vary: _, ...sent } = write({ status, headers, serialized }, undefined).headers;
    return {
      url: target.href,
      method: requestMethod(operation.method),
      headers: Object.fromEntries(Object.entries(sent).map(([name, text]) => [name, `${text}`])),
      body: encoded?.body ?? null,
    };
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
      const message = `The webhook ${name} cannot be written: ${reasons.join(': ')}`;
      throw new Error(message, { cause: error });
    }
  };
};
