/** Stands in for a handler that is not written yet: answers the operation's success, made from the document's examples, else from its schemas. */

import type { IncomingHttpHeaders } from 'node:http';
import { errorMessage } from '../../base/error-message';
import { isRange } from '../../base/media-type';
import { memoize } from '../../base/memoize';
import { attempt } from '../../base/recover';
import { impliedSuccess } from '../../document/read/read-operations';
import {
  compileHeader,
  isPositional,
  itemsOf,
  jsonWriter,
  responseOffers,
  type SchemaContext,
  type UntypedHandler,
} from '../../engine';
import { HttpError } from '../../http/http-error';
import { isBuiltInHeader, mockHeader } from '../../http/send';
import { handledResponses } from '../../model/deprecation';
import {
  type Example,
  type MediaType,
  type Operation,
  type Parameter,
  type Response,
  responseFinder,
  valuesOf,
} from '../../model/operation';
import { anySchema, type Schema } from '../../model/schema';
import type { Fits } from '../../schema/samples/sample-checks';
import { exemplaryValues, planOf } from '../../schema/samples/sample-plan';
import { sampleValue } from '../../schema/samples/sample-value';
import { valueKey } from '../../schema/validation/checks/equality-checks';
import { exampleReader } from './example-errors';
import { markCredentials, takesPassword } from './mark-credentials';

/** A response, as handlers return it. */
export type MockResponse = Awaited<ReturnType<UntypedHandler>>;

/** Compiles the finder of the media type, and its entry, in which a status is answered; it finds none where there is no content. */
export const compileOffers = (responses: readonly Response[], tools: SchemaContext) => {
  const find = responseFinder(responses);
  const offersOf = memoize((response: Response) => responseOffers(response, tools));
  return (status: number, accept: string | undefined) => {
    const response = find(status);
    return response && offersOf(response).offerFor(accept);
  };
};

export type OfferFor = ReturnType<typeof compileOffers>;
export type Offer = NonNullable<ReturnType<OfferFor>>;

/** Finds a value that fits the header's schema and can be written; undefined where none is found. */
const headerValue = (header: Parameter, tools: SchemaContext): unknown => {
  const { name, examples, schema } = header;
  const sample = sampleValue(schema, tools, valuesOf(examples));
  if ('reason' in sample) return undefined;
  const write = compileHeader(header, { ...tools, validateResponses: true });
  const fits: Fits = (value) => attempt(() => write(value)) !== undefined;
  const isGiven = valuesOf(examples).map(valueKey).includes(valueKey(sample.value));
  const place = { name, schemas: [schema], isGiven, fits };
  const value = markCredentials(sample.value, place, { ...tools, isIssued: false });
  return fits(value) ? value : undefined;
};

/** Media types whose bodies browsers run scripts of. */
const MARKUP = /^text\/html|[/+]xml/;

/**
 * Makes the headers of one response. Throws an Error that says which one has no value.
 * @param mediaType of its body; undefined where it has none
 */
const mockHeaders = (
  declared: readonly Parameter[],
  mediaType: string | undefined,
  tools: SchemaContext,
): Record<string, unknown> => {
  // A redirect without Location leads nowhere (RFC 9110 section 15.4).
  const isWanted = ({ name, required, examples, schema }: Parameter): boolean =>
    required ||
    name.toLowerCase() === 'location' ||
    examples.length > 0 ||
    exemplaryValues(planOf([schema])).length > 0;
  const wanted = declared.filter((header) => !isBuiltInHeader(header.name) && isWanted(header));
  const headers = wanted.map((header) => ({ header, value: headerValue(header, tools) }));
  const missing = headers.find(({ header, value }) => header.required && value === undefined);
  if (missing !== undefined) {
    throw new Error(`no value was found for the header ${missing.header.name}`);
  }
  const given = Object.fromEntries(headers.map(({ header, value }) => [header.name, value]));
  // An example's scripts must not act with the session of its reader.
  const policy = MARKUP.test(mediaType ?? '') ? { 'Content-Security-Policy': 'sandbox' } : {};
  return { ...given, ...policy };
};

/** The content of a response. */
type MockBody = Pick<MockResponse, 'body' | 'serialized'>;

/** Makes a value that fits a schema; throws an Error that says why there is none. */
const sampleOf = (schema: Schema, tools: SchemaContext): { readonly value: unknown } => {
  const sample = sampleValue(schema, tools);
  if ('reason' in sample) throw new Error(sample.reason);
  return sample;
};

/** Lists the examples in the order in which they are tried. */
const examplesInOrder = (
  { examples }: Pick<MediaType, 'examples'>,
  preferred: string | undefined,
): readonly Example[] => {
  const isPreferred = ({ name }: Example) => name !== undefined && name === preferred;
  return [...examples.filter(isPreferred), ...examples.filter((example) => !isPreferred(example))];
};

/** Returns the text that an example goes out as, if it is written in the media type. */
const textOf = ({ value, isData, serialized }: Example): unknown =>
  serialized ?? (isData ? undefined : value);

/** Makes the items of a body: those of an example that is a list, else one sample. A text is sent as it is. */
const mockItems = (
  { examples }: MediaType,
  schema: Schema,
  tools: SchemaContext,
  preferred: string | undefined,
): MockBody => {
  const accepts = tools.validators.accepts(schema, 'response');
  const read = exampleReader(undefined, schema, tools);
  for (const example of examplesInOrder({ examples }, preferred)) {
    const text = textOf(example);
    if (typeof text === 'string') return { serialized: text };
    const items = [example.value].flat().map((value) => read({ value }));
    if (items.every(accepts)) return { body: items };
  }
  return { body: [sampleOf(schema, tools).value] };
};

/**
 * Makes the body. An example that is written in the media type goes out byte for byte, unless it holds properties that
 * responses omit, or credentials to mark.
 * @param preferred the name of the example that is asked for
 */
const mockBody = (
  operation: Operation,
  { mediaType, content }: Offer,
  tools: SchemaContext,
  preferred: string | undefined,
): MockBody => {
  const items = itemsOf(content);
  if (items !== undefined) return mockItems(content, items.schema, tools, preferred);
  const { schema = anySchema } = content;
  const shape = tools.shapeOf(schema);
  const codec = tools.codecs.contentCodec(mediaType, shape);
  const accepts = tools.validators.accepts(schema, 'response');
  // A text in a format that we cannot read is not held to the schema.
  const fits: Fits = (value) =>
    (codec === undefined && typeof value === 'string') || accepts(value);
  const read = exampleReader(mediaType, schema, tools);
  const example = examplesInOrder(content, preferred)
    .map((one) => {
      const text = textOf(one);
      return { text, value: codec === undefined && typeof text === 'string' ? text : read(one) };
    })
    .find(({ value }) => fits(value));
  const { value } = example ?? sampleOf(schema, tools);
  const place = { name: undefined, schemas: [schema], isGiven: example !== undefined, fits };
  const isIssued = takesPassword(operation, tools);
  const body = markCredentials(value, place, { ...tools, isIssued });
  if (isPositional(content, tools.shapeOf) && Array.isArray(body)) return { body };
  if (codec === undefined) {
    const isVerbatim = typeof body === 'string' || body instanceof Uint8Array;
    return { serialized: isVerbatim ? body : jsonWriter(shape, 'response')(body) };
  }
  const text = body === example?.value && body !== example?.text ? example?.text : undefined;
  return typeof text === 'string' ? { serialized: text } : { body };
};

/** The statuses for keys that are not a status. */
const statusOf: Readonly<Record<string, number>> = { '2XX': 200, default: 200, '3XX': 302 };

/** Chooses the lowest declared 2xx, else `2XX` or `default` as 200, else a redirect, else 200 without content. */
export const successResponse = (
  responses: readonly Response[],
): { readonly status: number; readonly response: Response } => {
  const codes = responses.map(({ key }) => key).sort();
  const keys = [
    ...codes.filter((key) => /^2\d\d$/.test(key)),
    '2XX',
    'default',
    ...codes.filter((key) => /^3\d\d$/.test(key)),
    '3XX',
  ];
  const [response = impliedSuccess] = keys.flatMap((wanted) =>
    responses.filter(({ key }) => key === wanted),
  );
  return { status: statusOf[response.key] ?? Number(response.key), response };
};

const preference = /(?:^|[,;])\s*example\s*=\s*(?:"([^"]*)"|([^\s",;]+))/i;

/** Returns the name of the requested example; undefined where none is requested. */
export const preferredExample = (header: string | string[] | undefined): string | undefined => {
  const [, quoted, token] = preference.exec([header ?? ''].flat().join(', ')) ?? [];
  return quoted ?? token;
};

/** Makes the response to a request with these headers. Throws HttpError (501) where the document gives nothing to answer. */
export type Mock = (headers: IncomingHttpHeaders) => MockResponse;

type Made = Pick<MockResponse, 'body' | 'serialized' | 'headers'> | { readonly reason: string };

const made = (
  operation: Operation,
  offer: Offer | undefined,
  example: string | undefined,
  { headers: declared }: Response,
  tools: SchemaContext,
): Made => {
  try {
    const headers = mockHeaders(declared, offer?.mediaType, tools);
    if (offer && isRange(offer.content.key)) headers['Content-Type'] = offer.mediaType;
    return { headers, ...(offer && mockBody(operation, offer, tools, example)) };
  } catch (error) {
    // A schema that cannot be used is an error of the document, which the loader has reported.
    return { reason: errorMessage(error) };
  }
};

/** Makes the mock of an operation. Nothing is made before it is asked for, nor twice. */
export const mockOf = (operation: Operation, offerFor: OfferFor, tools: SchemaContext): Mock => {
  const { operationId } = operation;
  const refuse = (reason: string): HttpError =>
    new HttpError(501, 'not-implemented', `${operationId} has no handler and no mock: ${reason}`);
  const { status, response } = successResponse(handledResponses(operation));
  const known = new Map<string, Made>();
  return ({ accept, prefer }) => {
    const offer = offerFor(status, accept);
    const example = preferredExample(prefer);
    // Undeclared names share one key, so that callers cannot fill the memory.
    const isDeclared = offer?.content.examples.some(({ name }) => name === example) === true;
    const key = `${offer?.mediaType} ${isDeclared ? example : ''}`;
    const given = known.get(key) ?? made(operation, offer, example, response, tools);
    known.set(key, given);
    if ('reason' in given) throw refuse(given.reason);
    return { status, ...given, headers: { ...given.headers, [mockHeader]: 'true' } };
  };
};
