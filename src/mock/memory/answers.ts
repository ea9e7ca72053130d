/** Responses that hold items of a memory, in the way in which the document declares them. */

import type { IncomingHttpHeaders } from 'node:http';
import { memoize } from '../../base/memoize';
import { isPlainObject, type PlainObject } from '../../base/plain-object';
import { attempt } from '../../base/recover';
import { filledTemplate } from '../../document/read/templates';
import type { Resource } from '../../document/resources/resources';
import { compileHeader, type SchemaContext } from '../../engine';
import { type MediaType, type Operation, responseFinder } from '../../model/operation';
import type { MockResponse, Offer } from '../samples/mock';
import { bodyOf, filledHeader } from '../values/envelopes';
import type { ValuesOf } from '../values/items';
import type { Page } from '../values/lists';
import { formFinder } from './store';

/**
 * Compiles the bodies of one resource's responses: each holds the items of a page in place of a mock's; a mock's that holds none gets
 * the identity at least.
 * @param valuesOf of responses
 */
export const compileBodies = (resource: Resource, valuesOf: ValuesOf, tools: SchemaContext) => {
  const { identity } = resource;
  const formOf = memoize(formFinder(resource, tools));
  const withIdentity = (body: unknown, { schema }: MediaType, item: PlainObject | undefined) => {
    const values = schema && valuesOf(schema);
    if (!isPlainObject(body) || !values?.shape.properties.has(identity)) return body;
    const named = { ...body, [identity]: item?.[identity] };
    return values.accepts(named) ? named : body;
  };
  return (
    { status: _status, headers: _headers, ...mocked }: MockResponse,
    page: Page,
    offer: Offer | undefined,
  ): Pick<MockResponse, 'body' | 'serialized'> => {
    if (offer?.content.schema === undefined) return mocked;
    const { content, mediaType } = offer;
    const values = valuesOf(offer.content.schema);
    const form = formOf(content);
    const isWritten = tools.codecs.contentCodec(mediaType, values.shape) !== undefined;
    const made = isWritten && form && bodyOf(values, form, page, identity, valuesOf);
    if (made) return { body: made };
    return { ...mocked, body: withIdentity(mocked.body, content, page.items[0]) };
  };
};

/** Compiles the headers of a list that count its items and pages, or lead to others, by their names: X-Total-Count, for example, and Link. */
export const compilePageHeaders = ({ responses }: Operation, valuesOf: ValuesOf) => {
  const find = responseFinder(responses);
  return (status: number, mocked: MockResponse, page: Page): Record<string, unknown> => {
    const told = (find(status)?.headers ?? []).map((header) => {
      const given = mocked.headers?.[header.name];
      return [header.name, filledHeader(header, given, valuesOf(header.schema), page)] as const;
    });
    return { ...mocked.headers, ...Object.fromEntries(told) };
  };
};

/**
 * Compiles the Location of the items that an operation creates (RFC 9110 section 10.2.2): a path, else a URL, as the response
 * declares it.
 */
export const compileLocation = (
  { item, operations }: Resource,
  basePath: string,
  { responses }: Operation,
  tools: SchemaContext,
) => {
  const find = responseFinder(responses);
  const reading = operations.find(({ role, isNested }) => role === 'read' && !isNested);
  const checking = { ...tools, validateResponses: true };
  return (
    status: number,
    identities: readonly unknown[],
    { headers, secure }: { readonly headers: IncomingHttpHeaders; readonly secure: boolean },
  ): Readonly<Record<string, string>> => {
    const header = find(status)?.headers.find(({ name }) => /^location$/i.test(name));
    if (header === undefined) return {};
    const steps = identities.map((identity) => encodeURIComponent(String(identity)));
    const path =
      basePath + filledTemplate(reading?.operation.path ?? item, () => steps.shift() ?? '');
    const url = `${secure ? 'https' : 'http'}://${headers.host}${path}`;
    const location = [path, url].find(
      (address) => attempt(() => compileHeader(header, checking)(address)) !== undefined,
    );
    return location === undefined ? {} : { [header.name]: location };
  };
};
