/** Values that fit schemas, made of the items of a memory: what fits is taken, and what else is needed is sampled. */

import { lazy, memoize } from '../../base/memoize';
import { isPlainObject, type PlainObject } from '../../base/plain-object';
import { attempt } from '../../base/recover';
import { propertySchema } from '../../document/resources/body-forms';
import type { SchemaContext } from '../../engine';
import type { Schema } from '../../model/schema';
import { planOf, typedValue } from '../../schema/samples/sample-plan';
import { sampleSeries, sampleValue } from '../../schema/samples/sample-value';
import { strictView } from '../../schema/schema-view';
import { type Mode, memberShape, type Shape } from '../../schema/shape';
import { markCredentials } from './mark-credentials';

/** Values of one schema. */
export interface ItemValues {
  readonly schema: Schema;
  readonly shape: Shape;
  accepts(value: unknown): boolean;
  /** Returns a sample, credentials marked; undefined where none can be made. */
  sample(): unknown;
  /** Makes different values, best first. */
  series(): Iterable<unknown>;
  /** Lists the values of `enum`, typed; undefined where there is none. */
  readonly enumerated: readonly unknown[] | undefined;
  readonly maxItems: number;
  readonly required: ReadonlySet<string>;
  /** Returns the values of a property; undefined where it is not declared by name. */
  property(name: string): ItemValues | undefined;
  /** Returns the values of a list's items; undefined where they have no schema. */
  items(): ItemValues | undefined;
}

/** Gives the values of each schema. */
export type ValuesOf = (schema: Schema) => ItemValues;

/**
 * Compiles the values of schemas.
 * @param mode `any` for items that are kept, `response` for what goes out
 */
export const compileValues = (tools: SchemaContext, mode: Mode): ValuesOf => {
  const valuesOf: ValuesOf = memoize((schema: Schema): ItemValues => {
    const { enumerated, maxItems, required } = planOf([schema]);
    return {
      schema,
      shape: tools.shapeOf(schema),
      accepts: tools.validators.accepts(schema, mode),
      sample: lazy(() => {
        const sample = sampleValue(schema, tools);
        if ('reason' in sample) return undefined;
        const fits = tools.validators.accepts(schema, 'response');
        const place = { name: undefined, schemas: [schema], isGiven: false, fits };
        // A sample that looks like a credential is none at all.
        return attempt(() => markCredentials(sample.value, place, tools));
      }),
      series: () => sampleSeries(schema, tools),
      enumerated: enumerated?.map(typedValue(schema, tools.shapeOf)),
      maxItems,
      required,
      property: memoize(
        (name) => {
          const property = propertySchema(schema, name);
          return property && valuesOf(property);
        },
        { max: 1000 },
      ),
      items: () => strictView(schema).values('items').map(valuesOf)[0],
    };
  });
  return valuesOf;
};

/** Keeps the members that a shape has, in its order. */
const ownMembers = (shape: Shape, item: PlainObject): [string, unknown][] => {
  const isFree = shape.properties.size === 0 && shape.additional !== false;
  const names = Object.keys(item).filter((name) => isFree || memberShape(shape, name));
  const declared = [...shape.properties.keys()].filter((name) => names.includes(name));
  return [...declared, ...names.filter((name) => !shape.properties.has(name))].map((name) => [
    name,
    item[name],
  ]);
};

/**
 * Makes an object of the item's members that fit, completed by what the schema requires; undefined where none fits.
 * @param isWhole true where nothing is left out or made up
 */
export const completed = (values: ItemValues, item: PlainObject, isWhole = false) => {
  const own = ownMembers(values.shape, item);
  const whole = Object.fromEntries(own);
  if (values.accepts(whole)) return whole;
  if (isWhole) return undefined;
  const sample = values.sample();
  const fitting = own.filter(([name, value]) => values.property(name)?.accepts(value) !== false);
  const needed = Object.entries(isPlainObject(sample) ? sample : {}).filter(([name]) =>
    values.required.has(name),
  );
  const members = Object.fromEntries([...needed, ...fitting]);
  return values.accepts(members) ? members : undefined;
};

/** As `completed`, else makes a sample with the identity of the item; undefined where there is no sample. */
export const fitted = (values: ItemValues, item: PlainObject, identity: string) => {
  const made = completed(values, item);
  const sample = made ?? values.sample();
  if (made !== undefined || !isPlainObject(sample)) return made;
  const named = { ...sample, [identity]: item[identity] };
  return values.accepts(named) ? named : sample;
};

/** Adds what servers fill in: the samples of `readOnly` properties that are not given. */
export const withReadOnly = ({ shape, sample }: ItemValues, item: PlainObject): PlainObject => {
  const made = sample();
  const filled = Object.entries(isPlainObject(made) ? made : {}).filter(
    ([name]) => shape.properties.get(name)?.readOnly,
  );
  return { ...Object.fromEntries(filled), ...item };
};

const variant = (value: unknown, of: ItemValues, index: number): unknown => {
  if (of.enumerated !== undefined) return of.enumerated[index % of.enumerated.length];
  if (typeof value === 'boolean') return index % 2 === 0 ? value : !value;
  if (typeof value === 'number') return value + index;
  if (typeof value === 'bigint') return value + BigInt(index);
  return typeof value === 'string' && of.shape.format === undefined
    ? `${value} ${index + 1}`
    : value;
};

/** Makes a sampled item differ from the ones before it, where its schema lets it. */
export const varied = (values: ItemValues, sample: PlainObject, index: number): PlainObject => {
  const members = Object.entries(sample).map(([name, value]): [string, unknown] => {
    const of = values.property(name);
    const other = of && index > 0 ? variant(value, of, index) : value;
    return [name, of?.accepts(other) === true ? other : value];
  });
  const made = Object.fromEntries(members);
  return values.accepts(made) ? made : sample;
};
