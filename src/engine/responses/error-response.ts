/** Errors as responses: the declared status and text, in the caller's format, in the document's own error schema. */

import { STATUS_CODES } from 'node:http';
import { isRange } from '../../base/media-type';
import { lazy, memoize } from '../../base/memoize';
import type { WriteError } from '../../http/failure';
import { type AllowHeaders, HttpError, type HttpErrorCode, noHeaders } from '../../http/http-error';
import { type HttpResponse, sharedHeaders } from '../../http/send';
import type { Model } from '../../model/document';
import { type MediaType, type Response, responseFinder } from '../../model/operation';
import { schemaOf } from '../../model/schema';
import { standInOf } from '../media-types/codecs';
import { type ErrorResponse, isProblem } from '../media-types/error-form';
import { schemaContext } from '../media-types/schema-context';
import { errorBodyMaker, errorFormIn, errorResponses } from './error-body';
import { type Representation, responseOf } from './offers';
import { compileResponse, type HandlerResponse } from './response';
import type { ResponseTools } from './response-headers';

/** The statuses that answer a fault of the request, best first: the first one that the operation declares is taken. */
const preference: Partial<Record<HttpErrorCode, readonly number[]>> = {
  'invalid-parameter': [400, 405, 422],
  'invalid-body': [405, 422],
};

/**
 * Compiles the function that gives errors of one operation their declared status, and the document's text for it.
 * @param allow the headers of a 405, also of one for invalid input
 */
export const compileErrorMapping = (
  responses: readonly Response[],
  allow: AllowHeaders,
): ((error: HttpError) => ErrorResponse) => {
  const texts = new Map(responses.map(({ key, description }) => [key, description]));
  const allowed = sharedHeaders(allow);
  const headersOf = (status: number, { headers }: HttpError): HttpError['headers'] => {
    if (status !== 405) return headers;
    return headers === noHeaders ? allowed : { ...allowed, ...headers };
  };
  return (error) => {
    const { code, message, errors } = error;
    const status = preference[code]?.find((status) => texts.has(String(status))) ?? error.status;
    const headers = headersOf(status, error);
    const title = texts.get(String(status)) || undefined;
    return { status, code, message: title ?? message, title, detail: message, headers, errors };
  };
};

/** The error that `fail(status, content)` makes: its response is answered as if the handler had returned it. */
export class ThrownResponse extends HttpError {
  readonly response: HandlerResponse;

  constructor(response: HandlerResponse, text: string) {
    super(response.status, 'declared', text);
    this.response = response;
  }
}

/**
 * Makes the function `fail` of an operation. The text of its errors is the description of the exact status; the description of a
 * range or of `default` is for many errors, and gives way to the name of the status.
 * @param isChecked true where responses that are not declared are refused
 */
export const declaredError = (
  operationId: string,
  responses: readonly Response[],
  isChecked: boolean,
) => {
  const find = responseFinder(responses);
  return (status: number, content?: Omit<HandlerResponse, 'status'>): Error => {
    const response = find(status);
    if (status < 400 || (isChecked && response === undefined)) {
      const reason = 'which its document does not declare as a failure';
      return new Error(`${operationId} fails with ${status}, ${reason}`);
    }
    const name = STATUS_CODES[status] ?? 'The request failed';
    const text = response?.key === String(status) ? response.description : name;
    return content === undefined
      ? new HttpError(status, 'declared', text)
      : new ThrownResponse({ ...content, status }, text);
  };
};

/** Writes an error whose status is settled; throws if the response has no place for it. */
type WriteSettled = (error: ErrorResponse, accept: string | undefined) => HttpResponse;

/** The writers of errors that no response covers, in turn. */
export type ErrorFallback = readonly WriteSettled[];

/** The error body of a document that declares none. */
const defaultResponse = responseOf(
  ['application/json', 'application/xml'],
  schemaOf({
    types: ['object'],
    xml: { name: 'error' },
    properties: new Map([
      ['code', schemaOf({ types: ['integer'], format: 'int32' })],
      ['type', schemaOf({ types: ['string'] })],
      ['message', schemaOf({ types: ['string'] })],
    ]),
  }),
);

/** Compiles the writer of the errors that a response is declared for; throws if its content has no place for any. */
const compileWriter = (record: Response, tools: ResponseTools): WriteSettled => {
  /** Errors have a form in what stands for a range, where they have none in the type that is asked for. */
  const placeFor = memoize(({ mediaType, content }: Representation) => {
    const place = (type: string) => ({ type, form: errorFormIn(type, content, tools) });
    const asked = place(mediaType);
    return asked.form === undefined ? place(standInOf(content, tools.shapeOf)) : asked;
  });
  const content = record.content.filter(
    (content) => placeFor({ mediaType: content.key, content }).form !== undefined,
  );
  if (content.length === 0 && record.content.length > 0) {
    throw new Error('The response has no place for an error');
  }
  const response = compileResponse({ ...record, content }, tools);
  const hasRange = content.some(({ key }) => isRange(key));
  const makerOf = memoize((content: MediaType) => errorBodyMaker(content, tools));
  return (error, accept) => {
    const { status, headers } = error;
    const offer = response.offerFor(accept);
    if (offer === undefined) return response.write({ status, headers }, accept);
    const { type, form } = placeFor(offer);
    const errorBody = form && makerOf(offer.content)(form, error);
    if (errorBody === undefined) throw new Error('The schema has no place for an error');
    const named = hasRange ? { ...headers, 'Content-Type': type } : headers;
    return response.write({ status, headers: named, body: errorBody.body }, accept);
  };
};

/** Makes the same writer, compiled at the first error. */
const errorWriter = (record: Response, tools: ResponseTools): WriteSettled => {
  const writer = lazy(() => compileWriter(record, tools));
  return (error, accept) => writer()(error, accept);
};

/** Makes the writers of errors that no response of an operation covers: the document's `x-fallback-response`, then the default body. */
export const fallbackResponses = (
  { fallbackResponse }: Pick<Model, 'fallbackResponse'>,
  tools: ResponseTools,
): ErrorFallback => {
  const declared = fallbackResponse === undefined ? [] : [fallbackResponse];
  return [...declared, defaultResponse].map((record) => errorWriter(record, tools));
};

/**
 * Makes the writer of errors of requests that reach no operation, in the form that all errors of the document have; none where it has
 * several forms, or none, or says it by `x-fallback-response`.
 */
export const commonErrors = (
  { operations, fallbackResponse }: Pick<Model, 'operations' | 'fallbackResponse'>,
  tools: ResponseTools,
): ErrorFallback => {
  const declared = operations.flatMap(errorResponses).filter(({ content }) => content.length > 0);
  const [first, ...others] = declared;
  // Problem details are the same in each schema (RFC 9457); other objects are those of one schema alone.
  const formOf = ({ content }: Response) =>
    JSON.stringify(
      content.map(({ key, schema }) =>
        isProblem(key) ? key : [key, schema?.component ?? schema?.pointer],
      ),
    );
  if (first === undefined || fallbackResponse !== undefined) return [];
  if (others.some((other) => formOf(other) !== formOf(first))) return [];
  // What is said of one status, and its headers, are not of all errors; nor are examples.
  const content = first.content.map((one) => ({ ...one, examples: [] }));
  const record = { ...first, key: 'default', description: '', headers: [], links: [], content };
  return [errorWriter(record, tools)];
};

/**
 * Makes the writer of errors outside of any document.
 * @example send(request, response, defaultErrors()(new HttpError(404, 'route-not-found', 'Not found'), request.headers.accept));
 */
export const defaultErrors = (): WriteError => {
  const tools = { ...schemaContext(), validateResponses: false };
  return compileErrors([], tools, [errorWriter(defaultResponse, tools)], { Allow: '' });
};

/**
 * Compiles an operation's errors.
 * @param records the operation's responses; none if no operation was reached
 * @param fallback writes the errors that no response covers, or has a place for
 * @param allow the headers of a 405
 */
export const compileErrors = (
  records: readonly Response[],
  tools: ResponseTools,
  fallback: ErrorFallback,
  allow: AllowHeaders,
): WriteError => {
  const settle = compileErrorMapping(records, allow);
  const find = responseFinder(records);
  const writersFor = memoize(
    (status: number): readonly WriteSettled[] => {
      const record = find(status);
      return record === undefined ? fallback : [errorWriter(record, tools), ...fallback];
    },
    { max: 600 },
  );
  const hasHtml = records.some(({ content }) =>
    content.some(({ key }) => /^(?:text\/(?:html|\*)|\*\/\*)/i.test(key)),
  );
  return (error, accept, page) => {
    const settled = settle(error);
    const { status, headers } = settled;
    const htmlPage = hasHtml ? undefined : page?.(settled);
    if (htmlPage)
      return { status, headers: { ...headers, ...htmlPage.headers }, body: htmlPage.body };
    for (const write of writersFor(status)) {
      try {
        return write(settled, accept);
      } catch {
        // The document's schema has no place for this body; the next writer's may have.
      }
    }
    return { status, headers, body: undefined };
  };
};
