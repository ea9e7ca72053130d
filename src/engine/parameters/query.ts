/** Query strings and cookies as pairs, and the readers of parameters in them by style (OAS 3.2.0, Style Values). */

import { MalformedText } from '../../base/malformed-text';
import { emptyRecord } from '../../base/plain-object';
import { readLimits } from '../../base/read-limits';
import type { Parameter } from '../../model/operation';
import { keepText } from '../../schema/scalars';
import { itemShape, memberShape, type Shape } from '../../schema/shape';
import type { SchemaContext } from '../media-types/schema-context';
import {
  type Decode,
  decodeOf,
  decodeUtf8,
  formDecode,
  isPosition,
  itemsReader,
  kindOf,
  layoutOf,
  plainTextReader,
  type QueryPairs,
  type Read,
  textParameterReader,
  typedReader,
  withAlternatives,
} from './typed-value';

/** Tells whether every percent-encoded triple is complete and the bytes are UTF-8. */
export const isWellEncoded = (raw: string): boolean => decodeUtf8(raw) !== undefined;

const mostPairs = readLimits.names;

/** Decodes a name. One that is not well encoded cannot match any parameter's, so it stays as it is. */
const decodeName = (raw: string): string => (isWellEncoded(raw) ? formDecode(raw) : raw);

/** Splits at a delimiter and the first `=`; throws MalformedText past as many pairs as there may be names. */
const parsePairs = (text: string, delimiter: string, decode: Decode): QueryPairs => {
  const pieces = text.split(delimiter, mostPairs + 1);
  if (pieces.length > mostPairs) {
    throw new MalformedText(`must not have more than ${mostPairs} parameters`);
  }
  const pairs = new Map<string, string[]>();
  for (const piece of pieces) {
    if (piece === '') continue;
    const equals = piece.indexOf('=');
    const name = decode(equals < 0 ? piece : piece.slice(0, equals));
    const value = equals < 0 ? '' : piece.slice(equals + 1);
    const values = pairs.get(name);
    if (values === undefined) pairs.set(name, [value]);
    else values.push(value);
  }
  return pairs;
};

/** Splits a query string into its pairs; throws MalformedText. */
export const parseQueryString = (query: string): QueryPairs => parsePairs(query, '&', decodeName);

/** Splits a Cookie header into its pairs, as they are (RFC 6265 section 4.2.1); throws MalformedText. */
export const parseCookies = (header: string): QueryPairs => {
  const pieces = header.split(';').map((piece) => piece.trim());
  return parsePairs(pieces.filter((piece) => piece.includes('=')).join(';'), ';', keepText);
};

/** Leaves the pairs of some names out of a query string. */
export const withoutPairs = (query: string, names: readonly string[]): string =>
  names.length === 0
    ? query
    : query
        .split('&')
        .filter((pair) => !names.includes(decodeName(pair.split('=', 1)[0] ?? '')))
        .join('&');

/**
 * Makes the reader of a key that may be repeated: `name=a&name=b`, and behind these `name[]` and, in the order of their numbers,
 * `name[0]`, `name[1]`, as clients write them.
 * @param textsOf gives the decoded texts of its items
 */
const repeatedReader = (
  name: string,
  shape: Shape,
  textsOf: (raws: readonly string[]) => readonly string[],
): Read<QueryPairs> => {
  const read = itemsReader(shape);
  const prefix = `${name}[`;
  return (query) => {
    const numbered: [number, readonly string[]][] = [];
    for (const [key, values] of query) {
      if (!key.startsWith(prefix) || !key.endsWith(']')) continue;
      const index = key.slice(prefix.length, -1);
      if (isPosition(index)) numbered.push([Number(index), values]);
    }
    numbered.sort(([one], [other]) => one - other);
    const raws = [...(query.get(name) ?? []), ...numbered.flatMap(([, values]) => values)];
    return raws.length === 0 ? undefined : read(textsOf(raws));
  };
};

const onceReader =
  (name: string, read: Read<string>): Read<QueryPairs> =>
  (query) => {
    const raws = query.get(name);
    if (raws === undefined) return undefined;
    if (raws.length > 1) throw new MalformedText('must not be given more than once');
    return read(raws[0] ?? '');
  };

const readMember = (key: string, shape: Shape, query: QueryPairs, decode: Decode): unknown =>
  kindOf(shape) === 'list'
    ? repeatedReader(key, shape, (raws) => raws.map(decode))(query)
    : onceReader(key, (raw) => typedReader(shape)(decode(raw)))(query);

/** Tells whether a key of the query belongs to another parameter of the operation, or is a credential. */
type IsClaimed = (key: string) => boolean;

/**
 * Makes the reader of an object whose properties are keys of the query itself: `R=100&G=200`. Keys that neither it nor another
 * parameter declares are its additional properties, but never make it present: an unknown key is no error.
 */
const spreadReader = (shape: Shape, isClaimed: IsClaimed, decode: Decode): Read<QueryPairs> => {
  const isFree = (key: string) => !isClaimed(key) && !shape.properties.has(key);
  const readDeclared = (query: QueryPairs): Record<string, unknown> => {
    const record = emptyRecord<unknown>();
    const free = shape.patterned === undefined ? [] : [...query.keys()].filter(isFree);
    const patterned = free.map((key) => [key, shape.patterned?.find(key)] as const);
    for (const [key, member] of [...shape.properties, ...patterned]) {
      if (member === undefined) continue;
      const value = readMember(key, member, query, decode);
      if (value !== undefined) record[key] = value;
    }
    return record;
  };
  const addFree = (record: Record<string, unknown>, query: QueryPairs): void => {
    for (const key of [...query.keys()].filter(isFree)) {
      const member = memberShape(shape, key);
      if (member !== undefined) {
        record[key] = readMember(key, member, query, decode);
        continue;
      }
      // No schema describes it: it is its text, or the list of its texts.
      const texts = (query.get(key) ?? []).map(decode);
      record[key] = texts.length > 1 ? texts : texts[0];
    }
  };
  const isEmpty = (record: object): boolean => Object.keys(record).length === 0;
  return (query) => {
    const record = readDeclared(query);
    const isPresent = shape.properties.size === 0 || !isEmpty(record);
    if (isPresent && shape.additional !== false) addFree(record, query);
    return isEmpty(record) ? undefined : record;
  };
};

/** The values given under one name, and those under the names inside its brackets. */
interface Branch {
  readonly values: string[];
  readonly members: Map<string, Branch>;
}

const deepest = 10;
const bracketed = /^(?:\[[^[\]]*\])+$/;

const gather = (name: string, query: QueryPairs, isOther: IsClaimed): Branch => {
  const root: Branch = { values: [...(query.get(name) ?? [])], members: new Map() };
  const prefix = `${name}[`;
  for (const [key, values] of query) {
    const brackets = key.slice(name.length);
    if (!key.startsWith(prefix) || !bracketed.test(brackets) || isOther(key)) continue;
    const steps = brackets.slice(1, -1).split('][');
    if (steps.length > deepest) {
      throw new MalformedText(`must not nest deeper than ${deepest} levels`);
    }
    let at = root;
    for (const step of steps) {
      const next = at.members.get(step) ?? { values: [], members: new Map() };
      at.members.set(step, next);
      at = next;
    }
    at.values.push(...values);
  }
  return root;
};

/** Tells whether the members can only be the items of an array: `[]` or a number. */
const isListed = (members: ReadonlyMap<string, Branch>): boolean =>
  [...members.keys()].every(isPosition);

/** Returns the items in the order of their numbers, those without one first. Gaps close, so that no number makes a long array. */
const toList = ({ values, members }: Branch, shape: Shape | undefined): unknown[] => {
  const numbered = [...members].sort(([one], [other]) => Number(one) - Number(other));
  const below = numbered.flatMap(([key, member]): (string | Branch)[] =>
    key === '' && member.members.size === 0 ? member.values : [member],
  );
  return [...values, ...below].map((item, index) => {
    const inner = shape && itemShape(shape, index);
    return typeof item === 'string' ? typedReader(inner)(formDecode(item)) : toValue(item, inner);
  });
};

/** Reads by the shape; names that do not suit it give the value their own form, for validation to refuse. */
const toValue = (at: Branch, shape: Shape | undefined): unknown => {
  const { values, members } = at;
  const kind = shape === undefined || shape.type === 'any' ? undefined : kindOf(shape);
  if (kind === 'list' && isListed(members)) return toList(at, shape);
  if (members.size === 0) {
    const [raw = '', ...more] = values;
    if (more.length > 0) throw new MalformedText('must not name a property more than once');
    return typedReader(shape)(formDecode(raw));
  }
  if (kind === undefined && isListed(members)) return toList(at, undefined);
  const record = emptyRecord<unknown>();
  for (const [key, member] of members) {
    record[key] = toValue(member, shape === undefined ? undefined : memberShape(shape, key));
  }
  return record;
};

const isExploded = ({ style, explode }: Parameter): boolean =>
  (style === 'form' || style === 'cookie') && explode;

const styleReader = (
  parameter: Parameter,
  shape: Shape,
  isClaimed: IsClaimed,
): Read<QueryPairs> => {
  const { name, style, commaSeparated } = parameter;
  const decode = decodeOf(parameter);
  const kind = kindOf(shape);
  if (style === 'deepObject') {
    return (query) => {
      const root = gather(name, query, isClaimed);
      const isAbsent = root.members.size === 0 && root.values.length === 0;
      return isAbsent ? undefined : toValue(root, shape);
    };
  }
  if (commaSeparated && kind === 'list') {
    // The client sees one text and encodes the commas too, so that the list is split after decoding.
    return repeatedReader(name, shape, (raws) => raws.flatMap((raw) => decode(raw).split(',')));
  }
  if (isExploded(parameter) && kind === 'list') {
    return repeatedReader(name, shape, (raws) => raws.map(decode));
  }
  if (isExploded(parameter) && kind === 'object') return spreadReader(shape, isClaimed, decode);
  return onceReader(name, plainTextReader(shape, layoutOf(parameter), decode));
};

const readerOf = (
  parameter: Parameter,
  isClaimed: IsClaimed,
  tools: SchemaContext,
): Read<QueryPairs> => {
  const { name, mediaType, allowEmptyValue, required } = parameter;
  const read =
    mediaType === undefined
      ? withAlternatives(tools.shapeOf(parameter.schema), (branch) =>
          styleReader(parameter, branch, isClaimed),
        )
      : onceReader(name, textParameterReader(parameter, tools));
  // An empty value stands for none (OAS 3.0.3, allowEmptyValue), unless the parameter is required.
  return allowEmptyValue && !required
    ? (query) => (query.get(name)?.every((raw) => raw === '') ? undefined : read(query))
    : read;
};

/** Makes the reader of each parameter that is pairs; `parameters` and names of credentials are those of the query, or of the cookies, alone. */
export const pairReaders = (
  parameters: readonly Parameter[],
  tools: SchemaContext,
  credentials: readonly string[] = [],
): ReadonlyMap<Parameter, Read<QueryPairs>> => {
  // Array and object brackets aside.
  const keys = new Map(
    parameters.map((parameter): [Parameter, readonly string[]] => {
      const shape = tools.shapeOf(parameter.schema);
      const isStyled = parameter.mediaType === undefined && isExploded(parameter);
      const isSpread = isStyled && kindOf(shape) === 'object';
      return [parameter, isSpread ? [...shape.properties.keys()] : [parameter.name]];
    }),
  );
  return new Map(
    parameters.map((parameter) => {
      const others = parameters.filter((other) => other !== parameter);
      const named = [...credentials, ...others.flatMap((other) => keys.get(other) ?? [])];
      // All of a deepObject is below its own name, which a member of another may have too.
      const own = parameter.style === 'deepObject' ? parameter.name : '';
      const claimed = named.filter((name) => name.length > own.length);
      const isClaimed: IsClaimed = (key) =>
        claimed.some((name) => key.startsWith(name) && /^(?:\[|$)/.test(key.slice(name.length)));
      return [parameter, readerOf(parameter, isClaimed, tools)];
    }),
  );
};
