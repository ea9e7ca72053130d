/** The query parameters of one operation as fields of the query string. */

import type { Parameter } from '../document/model/operation';
import type { Shape, ShapeOf } from '../schema/shape';
import { deepObjectReader } from './deep-object';
import { occurrences, onlyOccurrence, repeatedReader, spreadReader } from './exploded-form';
import { type Field, fieldOf } from './fields';
import { delimitedLayout, type Layout, simpleLayout } from './layout';
import { formDecode, type QueryPairs } from './query-string';
import {
  kindOf,
  plainTextReader,
  type Read,
  textParameterReader,
  typedReader,
  withAlternatives,
} from './typed-value';

/** Whether a key of the query belongs to another parameter of the operation. */
type IsClaimed = (key: string) => boolean;

// A delimiter may come encoded (OAS 3.0.3, Style Examples) or raw.
const spaces = delimitedLayout(/%20|\+/);
const pipes = delimitedLayout(/\||%7C/i);

const layoutOf = (style: Parameter['style']): Layout => {
  if (style === 'spaceDelimited') return spaces;
  return style === 'pipeDelimited' ? pipes : simpleLayout(false);
};

/** Reads a parameter whose key may stand only once. */
const onceReader =
  (name: string, read: Read<string>): Read<QueryPairs> =>
  (query) => {
    const raw = onlyOccurrence(name, query);
    return raw === undefined ? undefined : read(raw);
  };

/**
 * Reads `x-comma-separated`: the key may be repeated, and every occurrence carries a list. It is one text to its client,
 * which encodes the commas too, so the list begins after decoding.
 */
const commaSeparatedReader = (name: string, items: Shape | undefined): Read<QueryPairs> => {
  const read = typedReader(items);
  const split = (raw: string): unknown[] =>
    formDecode(raw)
      .split(',')
      .map((text) => read(text));
  return (query) => {
    const raws = occurrences(name, query);
    return raws.length === 0 ? undefined : raws.flatMap(split);
  };
};

const plainQueryReader = (
  parameter: Parameter,
  shape: Shape,
  isClaimed: IsClaimed,
): Read<QueryPairs> => {
  const { name, style, explode } = parameter;
  const kind = kindOf(shape);
  if (style === 'deepObject') return deepObjectReader(name, shape);
  if (parameter.commaSeparated && kind === 'list') {
    return commaSeparatedReader(name, shape.items);
  }
  const isSpread = style === 'form' && explode;
  if (isSpread && kind === 'list') return repeatedReader(name, shape.items);
  if (isSpread && kind === 'object') return spreadReader(shape, isClaimed);
  return onceReader(name, plainTextReader(shape, layoutOf(style), formDecode));
};

/** The reader of one `schema` parameter in the query; `isClaimed` keeps an object from taking the keys of others. */
const queryReader = (parameter: Parameter, shape: Shape, isClaimed: IsClaimed): Read<QueryPairs> =>
  withAlternatives(shape, (branch) => plainQueryReader(parameter, branch, isClaimed));

const isSpread = ({ style, explode, mediaType }: Parameter, shape: Shape): boolean =>
  mediaType === undefined && style === 'form' && explode && kindOf(shape) === 'object';

/** The keys by which a parameter is written, array and object brackets aside. */
const keysOf = (parameter: Parameter, shape: Shape): Iterable<string> =>
  isSpread(parameter, shape) ? shape.properties.keys() : [parameter.name];

/** Leaves out an empty value that stands for none (OAS 3.0.3, allowEmptyValue); a required one has to be something. */
const withoutEmpty =
  ({ name }: Parameter, read: Read<QueryPairs>): Read<QueryPairs> =>
  (query) =>
    query.get(name)?.every((raw) => raw === '') ? undefined : read(query);

const readerOf = (parameter: Parameter, shape: Shape, isClaimed: IsClaimed): Read<QueryPairs> => {
  const read =
    parameter.mediaType === undefined
      ? queryReader(parameter, shape, isClaimed)
      : onceReader(parameter.name, textParameterReader(parameter, shape));
  const isDroppable = parameter.allowEmptyValue && !parameter.required;
  return isDroppable ? withoutEmpty(parameter, read) : read;
};

/** One field for each query parameter; `parameters` are those of the query alone. */
export const queryFields = (
  parameters: readonly Parameter[],
  shapeOf: ShapeOf,
): Field<QueryPairs>[] => {
  const shaped = parameters.map((parameter) => ({ parameter, shape: shapeOf(parameter.schema) }));
  return shaped.map(({ parameter, shape }) => {
    const others = shaped.filter((other) => other.parameter !== parameter);
    const claimed = new Set(others.flatMap((other) => [...keysOf(other.parameter, other.shape)]));
    const isClaimed: IsClaimed = (key) =>
      claimed.has(key) || claimed.has(key.split('[', 1)[0] ?? key);
    return fieldOf(parameter, shape, readerOf(parameter, shape, isClaimed));
  });
};
