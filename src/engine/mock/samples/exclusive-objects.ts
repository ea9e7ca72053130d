/**
 * Objects of one branch of a oneOf that fit no other one. Where branches do not exclude each other, an object of one fits the
 * others too, and so none of them; a property that another branch alone declares, of another type than there, decides.
 */

import { isPlainObject, type PlainObject } from '../../lang/plain-object';
import type { SchemaSource } from '../../schema/shape';
import { declaredNames, planOf, propertySchemas, type SamplePlan, typeOf } from './sample-plan';

/** A property that breaks the other plan and is free in the chosen one; undefined where there is none. */
const decidingProperty = (
  object: PlainObject,
  chosen: SamplePlan,
  other: SamplePlan,
  source: SchemaSource,
): readonly [string, unknown] | undefined => {
  const name = declaredNames(other).find(
    (candidate) =>
      !Object.hasOwn(object, candidate) && propertySchemas(chosen, candidate)?.length === 0,
  );
  if (name === undefined) return undefined;
  const type = typeOf(planOf(propertySchemas(other, name) ?? [], source));
  return type === 'any' ? undefined : [name, type === 'string' ? 0 : 'string'];
};

/** The objects of the chosen branch with a deciding property for each other branch, where there is one. */
export function* exclusiveObjects(
  values: Iterable<unknown>,
  chosen: SamplePlan,
  others: readonly SamplePlan[],
  source: SchemaSource,
): Iterable<PlainObject> {
  for (const object of values) {
    if (!isPlainObject(object)) continue;
    const deciding = others.flatMap((other) => {
      const property = decidingProperty(object, chosen, other, source);
      return property === undefined ? [] : [property];
    });
    if (deciding.length > 0) {
      yield Object.fromEntries([...Object.entries(object), ...deciding]);
    }
  }
}
