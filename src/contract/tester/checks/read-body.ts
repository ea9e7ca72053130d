/** Reads the body of an answer as its declared schema says, whole or item by item, and holds it to that. */

import { pointerTo, valueAt } from '../../../base/json-pointer';
import { MalformedText } from '../../../base/malformed-text';
import { mediaTypeMatcher, type ParsedMediaType, parseMediaType } from '../../../base/media-type';
import { isPlainObject } from '../../../base/plain-object';
import { itemsOf, readerOf, type SchemaContext } from '../../../engine';
import type { MediaType, Response } from '../../../model/operation';
import { anySchema } from '../../../model/schema';
import { headerOf, type ServerAnswer } from '../../../requests/http-client';
import { fieldSchema, itemReader, valueSchema } from '../../../requests/item-contents';
import type { Shape } from '../../../schema/shape';
import { type Problem, shown } from '../rules';

/** An answer as far as it is checked; its body is undefined where that is not to be read. */
export interface CheckableAnswer extends Omit<ServerAnswer, 'body'> {
  /** Without Content-Encoding. */
  readonly body: Uint8Array | undefined;
}

/** A body that was read. */
export interface AnswerBody {
  readonly value: unknown;
  readonly shape: Shape;
  readonly content: MediaType;
  /** Without parameters. */
  readonly mediaType: string;
}

interface BodyFindings {
  readonly body: AnswerBody | undefined;
  readonly problems: readonly Problem[];
}

const withoutBody = (...problems: readonly Problem[]): BodyFindings => ({
  body: undefined,
  problems,
});

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

/** Gives the place of a pointer, the same for all items of a list: one star in place of each index. */
export const anyItem = (pointer: string): string => pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*');

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
  { value, shape, content, mediaType }: AnswerBody,
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
  // The most errors of one body that are reported.
  const mostErrors = 3;
  const wrong = [...byPlace.values()].toReversed().slice(0, mostErrors);
  return [
    ...wrong.map(({ path, message }): Problem => {
      const where = path === '' ? 'the body' : `the body's ${path}`;
      const [rule = '', seen = shown(valueAt(value, path))] = message.split(', not ');
      const expected = `${where} as its schema says: it ${rule}`;
      return { rule: 'body-invalid', place: anyItem(path), expected, seen };
    }),
    ...leaks,
  ];
};

/**
 * Says how a stream ends, where it must not end so: by an event `error` that its schema does not name, since it takes any other name as
 * well, or by an event without a blank line, which is lost to its readers.
 */
const wrongEnd = (
  { cut }: CheckableAnswer,
  content: MediaType,
  read: readonly unknown[],
  pendingBytes: number,
  { validators }: SchemaContext,
): string | undefined => {
  if (cut === 'broken') return 'a broken connection';
  if (itemsOf(content)?.format.name !== 'event-stream') return undefined;
  if (cut === undefined && pendingBytes > 0) return 'a part of an event';
  const last = Object(read.at(-1));
  const accepts = validators.accepts(fieldSchema(content), 'response');
  const isNamed = (): boolean => accepts(last) && !accepts({ ...last, event: 'other than all' });
  return last.event === 'error' && !isNamed() ? 'an event `error`' : undefined;
};

/**
 * Reads the items of a stream (OAS 3.2.0, Sequential Media Types), as far as they can be read, and tells what is wrong with the
 * stream itself.
 * @returns undefined where the content of the answer is whole
 */
const readItems = (
  answer: CheckableAnswer,
  content: MediaType,
  type: ParsedMediaType,
  tools: SchemaContext,
) => {
  const reader = itemReader(content, type, 'response', tools);
  if (reader === undefined) return undefined;
  const items: unknown[] = [];
  const problems: Problem[] = [];
  try {
    for (const item of reader.read(answer.body ?? Buffer.of())) items.push(item);
    // The end of a stream that is cut says nothing.
    if (answer.cut === undefined) for (const item of reader.end()) items.push(item);
  } catch (error) {
    if (!(error instanceof MalformedText)) throw error;
    const expected = `well-formed items of ${type.essence}`;
    const seen = `${error.message} (at /${items.length}${error.path})`;
    problems.push({ rule: 'body-malformed', expected, seen });
  }
  const isReadable = problems.length === 0 || answer.cut === 'broken';
  const end = isReadable ? wrongEnd(answer, content, items, reader.pendingBytes, tools) : undefined;
  if (end === undefined) return { items, problems };
  const expected = 'a stream that ends behind a whole item, without an event `error`';
  const seen = `${end} behind ${items.length} items`;
  return { items, problems: [{ rule: 'stream-broken', expected, seen } as const] };
};

const declaredContent = (
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
  const codec = tools.codecs.contentCodec(type.essence, shape);
  // Text and bytes may have no length.
  const mayBeEmpty = codec === undefined || codec.name === 'text' || codec.name === 'lines';
  if (answer.body.length === 0 && !mayBeEmpty) {
    const expected = `a body of ${type.essence}`;
    return withoutBody({ rule: 'body-missing', expected, seen: 'no bytes' });
  }
  try {
    const contentType = headerOf(answer, 'content-type') ?? '';
    const text = () => tools.codecs.decodeText(answer.body, contentType);
    if (codec !== undefined) return findings(readerOf(codec, shape, 'response')(text()), []);
    const isText = shape.type === 'string' && !shape.isBinary;
    return findings(isText ? text() : answer.body, []);
  } catch (error) {
    if (!(error instanceof MalformedText)) throw error;
    const expected = `a well-formed body of ${type.essence}`;
    return withoutBody({ rule: 'body-malformed', expected, seen: error.message });
  }
};

/** Reads the body of an answer that is the declared response. */
export const readBody = (
  answer: CheckableAnswer,
  response: Response,
  tools: SchemaContext,
): BodyFindings => {
  if (response.content.length === 0) return withoutBody();
  if (answer.undecoded !== undefined) {
    const coding = headerOf(answer, 'content-encoding');
    const [expected, seen] = [`a body in the Content-Encoding ${coding}`, answer.undecoded];
    return withoutBody({ rule: 'body-malformed', expected, seen });
  }
  const chosen = declaredContent(answer, response);
  if (chosen === undefined) return withoutBody();
  if ('rule' in chosen) return withoutBody(chosen);
  if (answer.body === undefined) return withoutBody();
  return readContent({ ...answer, body: answer.body }, chosen.type, chosen.media, tools);
};
