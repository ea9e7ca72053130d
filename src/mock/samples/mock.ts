/** Stands in for a handler that is not written yet: answers the operation's success, made from the document's examples, else from its schemas. */

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
import { filledHeader, listIn, withWholeLists } from '../values/envelopes';
import { compileValues } from '../values/items';
import { pageOf } from '../values/lists';
import { markCredentials, takesPassword } from '../values/mark-credentials';
import { askingFields, queryFields } from '../values/paging';
import { exampleReader } from './example-errors';
import type { Preferences } from './preferences';

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
  const value = markCredentials(sample.value, place, tools);
  return fits(value) ? value : undefined;
};

/** Media types whose bodies browsers run scripts of. */
const MARKUP = /^text\/html|[/+]xml/;

/**
 * Makes the headers of one response: what the document does not give counts a list in its body. Throws an Error that says which one
 * has no value.
 * @param mediaType of its body; undefined where it has none
 */
const mockHeaders = (
  { key, headers: declared }: Response,
  mediaType: string | undefined,
  body: unknown,
  tools: SchemaContext,
): Record<string, unknown> => {
  // A redirect without Location leads nowhere (RFC 9110 section 15.4), and a failure says when to try again (section 10.2.3).
  const telling = /^[45]/.test(key) ? /^(?:location|retry-after)$/i : /^location$/i;
  const isWanted = ({ name, required, examples, schema }: Parameter): boolean =>
    required ||
    telling.test(name) ||
    examples.length > 0 ||
    exemplaryValues(planOf([schema])).length > 0;
  // Successes get their tags from the engine.
  const isOther = (name: string): boolean =>
    isBuiltInHeader(name) || (key.startsWith('2') && /^etag$/i.test(name));
  const wanted = declared.filter((header) => !isOther(header.name) && isWanted(header));
  const [list, responded] = [listIn(body), compileValues(tools, 'response')];
  const headers = wanted.map((header) => {
    const [value, { schema }] = [headerValue(header, tools), header];
    const isGiven = [...header.examples, ...exemplaryValues(planOf([schema]))].length > 0;
    const isLeft = list === undefined || isGiven;
    return {
      header,
      value: isLeft ? value : filledHeader(header, value, responded(schema), pageOf(list)),
    };
  });
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
interface MockBody extends Pick<MockResponse, 'body' | 'serialized'> {
  /** The name of the example that it is. */
  readonly example?: string | undefined;
}

/** Makes a value that fits a schema; throws an Error that says why there is none. */
const sampleOf = (schema: Schema, tools: SchemaContext): { readonly value: unknown } => {
  const sample = sampleValue(schema, tools);
  if ('reason' in sample) throw new Error(sample.reason);
  return sample;
};

/** Makes a sample in which lists are whole, and say so. */
const wholeSample = (operation: Operation, schema: Schema, tools: SchemaContext) => {
  const [sample, responded] = [sampleOf(schema, tools), compileValues(tools, 'response')];
  const { ways } = askingFields(queryFields(operation, responded), []);
  const first = ways.find(({ role }) => role === 'page')?.first ?? 1;
  const value = withWholeLists(sample.value, responded(schema), first);
  return responded(schema).accepts(value) ? { value } : sample;
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
    if (typeof text === 'string') return { serialized: text, example: example.name };
    const items = [example.value].flat().map((value) => read({ value }));
    if (items.every(accepts)) return { body: items, example: example.name };
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
      const value = codec === undefined && typeof text === 'string' ? text : read(one);
      return { name: one.name, text, value };
    })
    .find(({ value }) => fits(value));
  const { value } = example ?? wholeSample(operation, schema, tools);
  const known = { isGiven: example !== undefined, isIssued: takesPassword(operation, tools) };
  const place = { name: undefined, schemas: [schema], ...known, fits };
  const named = { example: example?.name };
  const body = markCredentials(value, place, tools);
  if (isPositional(content, tools.shapeOf) && Array.isArray(body)) return { ...named, body };
  if (codec === undefined) {
    const isVerbatim = typeof body === 'string' || body instanceof Uint8Array;
    return { ...named, serialized: isVerbatim ? body : jsonWriter(shape, 'response')(body) };
  }
  const text = body === example?.value && body !== example?.text ? example?.text : undefined;
  return typeof text === 'string' ? { ...named, serialized: text } : { ...named, body };
};

/** Returns the status that stands for a key: the lowest of a range, but of redirects the usual one. */
export const statusOf = (key: string): number =>
  key === '3XX' ? 302 : Number(key.replace('XX', '00').replace('default', '200'));

/** Chooses the lowest declared 2xx, else `2XX` or `default` as 200, else a redirect, else 200 without content. */
export const successResponse = (responses: readonly Response[]) => {
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
  return { status: statusOf(response.key), response };
};

/**
 * Makes a response: the success, unless another is preferred; and names the example that its body is, if it is one that has a name.
 * @throws HttpError 400 where the document does not have what is preferred, 501 where it gives nothing to answer
 */
export type Mock = (
  accept: string | undefined,
  preferred?: Preferences,
) => { readonly response: MockResponse; readonly example: string | undefined };

type Made = (MockBody & Pick<MockResponse, 'headers'>) | { readonly reason: string };

/** The header by which a mock is known. */
const mark = { [mockHeader]: 'true' };

/** Makes the error of a preference that the document has nothing for, as that of a wrong parameter. */
const unknownPreference = (demand: string, declared: readonly (string | undefined)[]) => {
  const names = declared.filter((name) => name !== undefined).join(', ');
  const message = `must ask for ${demand}: ${names || 'there is none'}`;
  return new HttpError(400, 'invalid-parameter', `The header Prefer ${message}`, {
    headers: mark,
    errors: [{ in: 'header', path: 'Prefer', message }],
  });
};

/** Makes the mock of an operation. Nothing is made before it is asked for, nor twice. */
export const mockOf = (operation: Operation, offerFor: OfferFor, tools: SchemaContext): Mock => {
  const { operationId } = operation;
  const responses = handledResponses(operation);
  const success = successResponse(responses);
  const find = responseFinder(responses);
  const known = new Map<string, Made>();
  const made = (response: Response, offer: Offer | undefined, example: string | undefined) => {
    try {
      const body = offer && mockBody(operation, offer, tools, example);
      const headers = mockHeaders(response, offer?.mediaType, body?.body, tools);
      if (offer && isRange(offer.content.key)) headers['Content-Type'] = offer.mediaType;
      return { headers, ...body };
    } catch (error) {
      // A schema that cannot be used is an error of the document, which the loader has reported.
      return { reason: errorMessage(error) };
    }
  };
  const requireResponse = (code: number): ReturnType<typeof successResponse> => {
    const response = find(code);
    if (response !== undefined) return { status: code, response };
    const keys = responses.map(({ key }) => key);
    throw unknownPreference(`a status that ${operationId} declares`, keys);
  };
  const requireExample = (example: string, status: number, offer: Offer | undefined): void => {
    const names = offer?.content.examples.map(({ name }) => name) ?? [];
    if (names.includes(example)) return;
    const place = offer === undefined ? `${status}` : `${status} in ${offer.mediaType}`;
    throw unknownPreference(`an example that ${operationId} has for ${place}`, names);
  };
  return (accept, { code, example } = {}) => {
    const { status, response } = code === undefined ? success : requireResponse(code);
    const offer = offerFor(status, accept);
    if (example !== undefined) requireExample(example, status, offer);
    const key = `${response.key} ${offer?.mediaType} ${example ?? ''}`;
    const given = known.get(key) ?? made(response, offer, example);
    known.set(key, given);
    if ('reason' in given) {
      const message = `${operationId} has no handler and no mock: ${given.reason}`;
      throw new HttpError(501, 'not-implemented', message);
    }
    const { example: shown, headers, ...content } = given;
    return { response: { status, ...content, headers: { ...headers, ...mark } }, example: shown };
  };
};
