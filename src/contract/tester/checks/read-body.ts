/** Reads the body of an answer as its declared schema says, and holds it to that. */

import { pointerTo, valueAt } from '../../../base/json-pointer';
import { MalformedText } from '../../../base/malformed-text';
import { mediaTypeMatcher, type ParsedMediaType, parseMediaType } from '../../../base/media-type';
import { isPlainObject } from '../../../base/plain-object';
import { readerOf, type SchemaContext } from '../../../engine';
import type { MediaType, Response } from '../../../model/operation';
import { anySchema } from '../../../model/schema';
import { valueSchema } from '../../../requests/item-contents';
import type { Shape } from '../../../schema/shape';
import { headerOf } from '../exchange/http-client';
import { type Problem, shown } from '../rules';
import { type CheckableAnswer, readItems } from './read-items';

/** A body that was read. */
export interface ReadBody {
  readonly value: unknown;
  readonly shape: Shape;
  readonly content: MediaType;
  /** Without parameters. */
  readonly mediaType: string;
}

interface BodyFindings {
  readonly body: ReadBody | undefined;
  readonly problems: readonly Problem[];
}

const found = (...problems: readonly Problem[]): BodyFindings => ({ body: undefined, problems });

const decode = (bytes: Uint8Array, { parameters }: ParsedMediaType): string => {
  const charset = parameters['charset'] ?? 'utf-8';
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    throw new MalformedText(`The body is not valid ${charset}`);
  }
};

const decodedValue = (
  bytes: Uint8Array,
  type: ParsedMediaType,
  shape: Shape,
  { codecs }: SchemaContext,
): unknown => {
  const codec = codecs.contentCodec(type.essence, shape);
  if (codec !== undefined) return readerOf(codec, shape, 'response')(decode(bytes, type));
  return shape.type === 'string' && !shape.isBinary ? decode(bytes, type) : bytes;
};

/** Text and bytes may have no length. */
const mayBeEmpty = (type: ParsedMediaType, shape: Shape, { codecs }: SchemaContext): boolean => {
  const codec = codecs.contentCodec(type.essence, shape);
  return codec === undefined || codec.name === 'text' || codec.name === 'lines';
};

const childrenOf = (value: unknown, shape: Shape): [string, unknown, Shape | undefined][] => {
  if (Array.isArray(value)) {
    return value.map((item, index) => [String(index), item, shape.items]);
  }
  if (!isPlainObject(value)) return [];
  const other = typeof shape.additional === 'object' ? shape.additional : undefined;
  return Object.entries(value).map(([name, member]) => [
    name,
    member,
    shape.properties.get(name) ?? other,
  ]);
};

/** Pointers to the properties of a value that are writeOnly. */
const writeOnlyPlaces = (value: unknown, shape: Shape, at = ''): string[] =>
  childrenOf(value, shape).flatMap(([step, member, inner]) => {
    if (inner === undefined) return [];
    const pointer = pointerTo(at, step);
    return inner.writeOnly && isPlainObject(value)
      ? [pointer]
      : writeOnlyPlaces(member, inner, pointer);
  });

/** One place for all items of a list. */
const anyItem = (pointer: string): string => pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*');

/** The most errors of one body that are reported. */
const MOST_ERRORS = 3;

const schemaProblem = (
  { path, message }: { readonly path: string; readonly message: string },
  value: unknown,
): Problem => {
  const where = path === '' ? 'the body' : `the body's ${path}`;
  const [expected = '', came = shown(valueAt(value, path))] = message.split(', not ');
  return {
    rule: 'body-invalid',
    place: anyItem(path),
    expected: `${where} as its schema says: it ${expected}`,
    seen: came,
  };
};

/** Places of lists that are not wrapped and not there: in XML, that is how an empty one looks (OAS 3.0.3, XML Object). */
const unwrittenLists = (value: unknown, shape: Shape, at = ''): string[] => [
  ...(isPlainObject(value) ? [...shape.properties] : [])
    .filter(
      ([name, { type, xml }]) =>
        type === 'array' && xml.nodeType !== 'element' && !(name in Object(value)),
    )
    .map(([name]) => pointerTo(at, name)),
  ...childrenOf(value, shape).flatMap(([step, member, inner]) =>
    inner === undefined ? [] : unwrittenLists(member, inner, pointerTo(at, step)),
  ),
];

const schemaProblems = (
  { value, shape, content, mediaType }: ReadBody,
  { validators, codecs }: SchemaContext,
): Problem[] => {
  const isXml = codecs.contentCodec(mediaType, shape)?.name === 'xml';
  const unwritten = new Set(isXml ? unwrittenLists(value, shape) : []);
  const schema = valueSchema(content);
  const all = schema ? validators.validatorOf(schema, 'response')(value) : [];
  const errors = all.filter(({ path }) => !unwritten.has(path));
  // The first error of each place stands.
  const byPlace = new Map(errors.toReversed().map((error) => [anyItem(error.path), error]));
  const leaks = writeOnlyPlaces(value, shape).map((pointer) => ({
    rule: 'write-only-sent' as const,
    place: anyItem(pointer),
    expected: `no property at ${pointer}, which is writeOnly`,
    seen: 'the property in the body',
  }));
  return [
    ...[...byPlace.values()]
      .toReversed()
      .slice(0, MOST_ERRORS)
      .map((error) => schemaProblem(error, value)),
    ...leaks,
  ];
};

const contentOf = (
  answer: CheckableAnswer,
  { content, key }: Response,
): { type: ParsedMediaType; media: MediaType } | Problem | undefined => {
  const header = headerOf(answer, 'content-type');
  const declared = content.map((one) => one.key).join(' or ');
  const expected = `${declared}, as declared for ${key}`;
  if (header === undefined) {
    if (answer.body === undefined) return undefined;
    return answer.body.length === 0
      ? { rule: 'body-missing', expected: `a body of ${expected}`, seen: 'no body' }
      : { rule: 'content-type-missing', expected, seen: 'a body without Content-Type' };
  }
  const type = parseMediaType(header);
  const media = type && mediaTypeMatcher(content)(type);
  if (type !== undefined && media !== undefined) return { type, media };
  return { rule: 'undeclared-content-type', expected, seen: header };
};

const readContent = (
  answer: CheckableAnswer & { readonly body: Uint8Array },
  type: ParsedMediaType,
  content: MediaType,
  tools: SchemaContext,
): BodyFindings => {
  const shape = tools.shapeOf(valueSchema(content) ?? anySchema);
  const findings = (value: unknown, problems: readonly Problem[]): BodyFindings => {
    const body = { value, shape, content, mediaType: type.essence };
    return { body, problems: [...problems, ...schemaProblems(body, tools)] };
  };
  const stream = readItems(answer, content, type, tools);
  if (stream !== undefined) return findings(stream.items, stream.problems);
  if (answer.body.length === 0 && !mayBeEmpty(type, shape, tools)) {
    return found({ rule: 'body-missing', expected: `a body of ${type.essence}`, seen: 'no bytes' });
  }
  try {
    return findings(decodedValue(answer.body, type, shape, tools), []);
  } catch (error) {
    if (!(error instanceof MalformedText)) throw error;
    const expected = `a well-formed body of ${type.essence}`;
    return found({ rule: 'body-malformed', expected, seen: error.message });
  }
};

/** Reads the body of an answer that is the declared response. */
export const readBody = (
  answer: CheckableAnswer,
  response: Response,
  tools: SchemaContext,
): BodyFindings => {
  if (response.content.length === 0) return found();
  const chosen = contentOf(answer, response);
  if (chosen === undefined) return found();
  if ('rule' in chosen) return found(chosen);
  if (answer.body === undefined) return found();
  return readContent({ ...answer, body: answer.body }, chosen.type, chosen.media, tools);
};
