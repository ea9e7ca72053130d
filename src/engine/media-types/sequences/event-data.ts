/** The `data` of events: text, or the value that its JSON text has where the schema describes that by `contentSchema`. */

import { tryRead } from '../../../base/malformed-text';
import { memoize } from '../../../base/memoize';
import { isPlainObject } from '../../../base/plain-object';
import type { ReadLimits } from '../../../base/read-limits';
import {
  anySchema,
  type Schema,
  schemaOf,
  schemasInPlace,
  withKeywords,
} from '../../../model/schema';
import { compileCoercion } from '../../../schema/coercion';
import {
  compilePerShape,
  compileReader,
  writeAlternatives,
} from '../../../schema/compile-per-shape';
import { viewOf } from '../../../schema/schema-view';
import type { Direction, Shape } from '../../../schema/shape';
import { writeEvent } from '../items/event-stream';
import { jsonWriter, parseJson } from '../json/json';
import { decodeAt } from '../multipart/part-value';

const isJson = (mediaType = ''): boolean => /^[^;]*[/+]json\s*(?:;|$)/i.test(mediaType);

/** Returns the schema of the value that a text of the schema holds as JSON; undefined where it is but a text. */
const contentOf = (schema: Schema): Schema | undefined => {
  const content = viewOf(schema).parts.find(
    ({ contentMediaType, contentSchema }) =>
      contentSchema !== undefined && isJson(contentMediaType),
  )?.contentSchema;
  const isString = content && viewOf(content).parts.some(({ types }) => types?.includes('string'));
  // The media type tells such a text from one that is not in JSON.
  return isString ? withKeywords(content, { contentMediaType: 'application/json' }) : content;
};

const dataOf = ({ properties }: Schema): readonly Schema[] => {
  const data = properties?.get('data');
  return data === undefined ? [] : [data];
};

const holdsContent = (schema: Schema, around: readonly Schema[] = []): boolean =>
  dataOf(schema).some(contentOf) ||
  (!around.includes(schema) &&
    schemasInPlace(schema).some((inner) => holdsContent(inner, [...around, schema])));

/**
 * Makes the schema of events with values in place of their texts.
 * @param texts what is said elsewhere of data that is text; nothing where it is known to be JSON
 */
const withValues = (
  schema: Schema,
  texts: readonly Schema[],
  around: readonly Schema[] = [],
): Schema => {
  if (around.includes(schema)) return schema;
  if (!holdsContent(schema)) {
    if (texts.length === 0) return schema;
    const data = schemaOf({ types: ['string'], members: texts });
    const isText = schemaOf({ properties: new Map([['data', data]]) });
    return withKeywords(schema, { members: [...schema.members, isText], component: undefined });
  }
  const own = viewOf(schema).declared('data');
  const inner = own.some(contentOf) ? [] : [...texts, ...own, schemaOf({ types: ['string'] })];
  const branch = memoize((branchSchema: Schema) =>
    withValues(branchSchema, inner, [...around, schema]),
  );
  const branches = (union: readonly Schema[]): readonly Schema[] =>
    union.some((member) => holdsContent(member)) ? union.map(branch) : union;
  const ofPart = (part: Schema): Schema => {
    const { properties, members, discriminator } = part;
    const [ifTrue = anySchema, ifFalse = anySchema] = branches([
      part.ifTrue ?? anySchema,
      part.ifFalse ?? anySchema,
    ]);
    const data = dataOf(part).map((schema) => contentOf(schema) ?? anySchema);
    return withKeywords(part, {
      component: undefined,
      properties:
        properties && new Map([...properties, ...data.map((schema) => ['data', schema] as const)]),
      members: members.map(ofPart),
      oneOf: branches(part.oneOf),
      anyOf: branches(part.anyOf),
      ...(part.if && { ifTrue, ifFalse }),
      ...(discriminator && {
        discriminator: {
          ...discriminator,
          defaultMapping: discriminator.defaultMapping && branch(discriminator.defaultMapping),
          mapping: new Map(
            [...discriminator.mapping].map(([name, mapped]) => [name, branch(mapped)]),
          ),
        },
      }),
    });
  };
  return ofPart(schema);
};

/** Returns the schema of events as handlers give and get them; the same one where all data is text. */
export const eventSchema = memoize(
  (schema: Schema): Schema => (holdsContent(schema) ? withValues(schema, []) : schema),
  { max: Number.POSITIVE_INFINITY },
);

/** Returns the shape of data that is JSON; undefined where it is text. */
const valueShape = ({ properties }: Shape): Shape | undefined => {
  const data = properties.get('data');
  return data?.type === 'string' && !isJson(data.contentMediaType) ? undefined : data;
};

/** Compiles the function that gives events of `eventSchema` the value of their data. */
export const eventReader = (
  shape: Shape,
  limits: ReadLimits,
  direction: Direction,
): ((event: object) => unknown) =>
  compileReader<object>((inner) => {
    const coerce = compileCoercion(inner, direction);
    if (valueShape(inner) === undefined) return coerce;
    const isOpen = inner.alternatives.length > 0;
    return (event) => {
      const text: unknown = Reflect.get(event, 'data');
      const read = () => decodeAt('/data', () => parseJson(String(text), limits));
      return coerce({ ...event, data: isOpen ? (tryRead(read) ?? text) : read() });
    };
  })(shape);

/** Compiles the writer of events of `eventSchema`. */
export const eventWriter = (shape: Shape): ((event: unknown) => string) =>
  compilePerShape<[unknown], string>((inner, compile) => {
    const data = valueShape(inner);
    const write = data && jsonWriter(data, 'response');
    return writeAlternatives(inner, compile, (event) =>
      write && isPlainObject(event) && event['data'] !== undefined
        ? writeEvent({ ...event, data: write(event['data']) })
        : writeEvent(event),
    );
  })(shape);
