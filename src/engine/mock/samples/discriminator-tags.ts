/** What a discriminating property says of a value (OAS 3.0.3, Discriminator Object). */

import { isPlainObject } from '../../lang/plain-object';
import { keywordOf, type SamplePlan } from './sample-plan';

/** The mapping's keys that lead to a component, else the component's own name. */
const tagsOf = (mapping: unknown, component: string): string[] => {
  const keys = Object.entries(isPlainObject(mapping) ? mapping : {})
    .filter(([, target]) => target === component || String(target).endsWith(`/${component}`))
    .map(([key]) => key);
  return [...keys, component];
};

/** By property, the values that name the schema by which the value was reached. */
export const discriminatorTags = (plan: SamplePlan): ReadonlyMap<string, readonly string[]> => {
  const { component } = plan;
  if (component === undefined) return new Map();
  return new Map(
    keywordOf(plan, 'discriminator').flatMap((discriminator): [string, string[]][] => {
      if (!isPlainObject(discriminator)) return [];
      const { propertyName, mapping } = discriminator;
      return typeof propertyName === 'string' ? [[propertyName, tagsOf(mapping, component)]] : [];
    }),
  );
};
