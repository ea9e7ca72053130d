/** Answers by equal examples: a request that equals examples of the document gets the response's example of their name. */

import type { IncomingHttpHeaders } from 'node:http';
import { drawFrom, ownFuel } from '../../base/fuel';
import { groupBy } from '../../base/group-by';
import type { SchemaContext, UntypedHandler } from '../../engine';
import type { Operation, Parameter } from '../../model/operation';
import { anySchema } from '../../model/schema';
import { compileCoercion } from '../../schema/coercion';
import { valueKey } from '../../schema/validation/checks/equality-checks';
import { exampleReader } from './example-errors';
import { type OfferFor, statusOf, successResponse } from './mock';
import type { Preferences } from './preferences';

type MockRequest = Parameters<UntypedHandler>[0];

/** Reads the named examples of a parameter, or of the body in one media type, as requests are read: typed, with defaults. */
const partOf = (
  place: string,
  { examples, schema, mediaType }: Pick<Parameter, 'examples' | 'schema' | 'mediaType'>,
  valueIn: (request: MockRequest) => unknown,
  tools: SchemaContext,
) => {
  const read = exampleReader(mediaType, schema, tools);
  const coerce = compileCoercion(tools.shapeOf(schema), 'request');
  const keyOf = (value: unknown) => valueKey(coerce(value));
  const named = examples.flatMap((example) =>
    example.name === undefined ? [] : [[example.name, keyOf(read(example))] as const],
  );
  // Values that are equal have the same key.
  return { place, keys: new Map(named), keyIn: (request: MockRequest) => keyOf(valueIn(request)) };
};

const partsOf = ({ parameters, requestBody }: Operation, tools: SchemaContext) => [
  ...parameters.map((parameter) => {
    const { name, in: location } = parameter;
    const valueIn = (request: MockRequest): unknown =>
      location === 'querystring' ? request.querystring : Object(request[location])[name];
    return partOf(`${location} ${name}`, parameter, valueIn, tools);
  }),
  // Items are read one by one, and not kept.
  ...(requestBody?.content ?? [])
    .filter(({ itemSchema }) => itemSchema === undefined)
    .map(({ key: mediaType, schema = anySchema, examples }) =>
      partOf('body', { examples, schema, mediaType }, ({ body }) => body, tools),
    ),
];

/**
 * Compiles the finder of the answer by the name of examples that a request equals: all that have the name, of its parameters and its
 * body. Of several names the first in the document counts.
 * @param isRemembered true where the success is an answer of the memory
 */
export const compileEqualExamples = (
  operation: Operation,
  offerFor: OfferFor,
  isRemembered: boolean,
  tools: SchemaContext,
): ((request: MockRequest) => Preferences | undefined) => {
  const success = successResponse(operation.responses);
  const others = operation.responses
    .filter(({ key }) => key !== success.response.key && key !== 'default')
    .map((response) => ({ status: statusOf(response.key), response }));
  const answers = isRemembered
    ? others.filter(({ status }) => status >= 400)
    : [success, ...others];
  const answered = new Set(
    answers.flatMap(({ response: { content } }) =>
      content.flatMap(({ examples }) => examples.map(({ name }) => name)),
    ),
  );
  const parts = partsOf(operation, tools).filter(({ keys }) =>
    [...keys.keys()].some((name) => answered.has(name)),
  );
  const names = new Set(parts.flatMap(({ keys }) => [...keys.keys()]));
  const groups = [...names]
    .filter((name) => answered.has(name))
    .map((name) => {
      const places = groupBy(
        parts.filter(({ keys }) => keys.has(name)),
        ({ place }) => place,
      );
      return { name, places: [...places.values()] };
    });
  if (groups.length === 0) return () => undefined;
  return (request) => {
    const { accept }: IncomingHttpHeaders = request.client.headers;
    const statusFor = (wanted: string): number | undefined =>
      answers.find(({ status }) =>
        offerFor(status, accept)?.content.examples.some(({ name }) => name === wanted),
      )?.status;
    return drawFrom(ownFuel(), () => {
      const keys = new Map(parts.map((part) => [part, part.keyIn(request)]));
      const found = groups
        .filter(({ name, places }) =>
          places.every((same) => same.some((part) => part.keys.get(name) === keys.get(part))),
        )
        .find(({ name }) => statusFor(name) !== undefined);
      return found && { code: statusFor(found.name), example: found.name };
    });
  };
};
