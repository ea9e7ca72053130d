/** Finds keywords among the parts of a schema. */

import { pointerTo } from '../../../engine';
import { valueSpot } from '../values/value-text';
import type { Keyword } from './schema-pair';
import type { MergedSchema } from './schema-set';

/** Each occurrence of a keyword. */
export const keywordsOf = ({ parts }: MergedSchema, keyword: string): readonly Keyword[] =>
  parts
    .filter(({ value }) => value[keyword] !== undefined)
    .map(({ value, pointer }) =>
      Object.assign(valueSpot(value, keyword, pointerTo(pointer, keyword)), { holder: value }),
    );

/** The first occurrence; undefined where there is none. */
export const keywordOf = (schema: MergedSchema, keyword: string): Keyword | undefined =>
  keywordsOf(schema, keyword)[0];

/** The occurrence that is true; undefined where none is. */
export const flagOf = (schema: MergedSchema, keyword: string): Keyword | undefined =>
  keywordsOf(schema, keyword).find(({ holder }) => Reflect.get(holder, keyword) === true);
