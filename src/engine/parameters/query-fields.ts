/** The query parameters of one operation as fields of the query string. */

import type { Parameter } from '../document/model/operation';
import type { Shape, ShapeOf } from '../schema/shape';
import type { Read } from './alternatives';
import { type Field, fieldOf } from './fields';
import { type IsClaimed, onceReader, queryReader } from './query-parameter';
import type { QueryPairs } from './query-string';
import { textParameterReader } from './text-parameter';
import { kindOf } from './typed-value';

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
