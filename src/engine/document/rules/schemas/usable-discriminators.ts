/** Discriminators name a property that every variant requires, and schemas that are there (OAS 3.0.3, Discriminator Object). */

import { pointerTo } from '../../../../base/json-pointer';
import { isPlainObject } from '../../../../base/plain-object';
import { noParts, type SchemaFields, withSchemas } from '../../../schema/schema-parts';
import type { UnplacedDiagnostic } from '../../diagnostics/diagnostic';
import type { References } from '../../references/references';
import { type RuleContext, ruleOf, warningOf } from '../rule';

const warning = warningOf('discriminator');

const listAt = (schema: SchemaFields, keyword: string): readonly unknown[] => {
  const list = schema[keyword];
  return Array.isArray(list) ? list : [];
};

/** Whether a schema, or a part of it by allOf, requires the property. */
const requires = (schema: unknown, property: string, references: References): boolean => {
  try {
    const { parts } = withSchemas(noParts, [schema], references);
    return parts.some((part) => listAt(part, 'required').includes(property));
  } catch {
    // Another rule reports a schema that leads nowhere.
    return true;
  }
};

const variantsOf = (schema: SchemaFields): readonly (readonly [string, unknown])[] => {
  const variants = ['oneOf', 'anyOf'].flatMap((keyword) =>
    listAt(schema, keyword).map((variant, index) => [`/${keyword}/${index}`, variant] as const),
  );
  return variants.length > 0 ? variants : [['', schema]];
};

const mappingDiagnostics = (
  mapping: unknown,
  pointer: string,
  { definition, references }: RuleContext,
): UnplacedDiagnostic[] =>
  Object.entries(isPlainObject(mapping) ? mapping : {}).flatMap(([name, target]) => {
    const isComponent = Object.hasOwn(definition.components?.schemas ?? {}, String(target));
    if (isComponent || isPlainObject(references.find({ $ref: String(target) }))) return [];
    const message = `The mapping of ${name} leads to no schema: ${String(target)}. Write the name of a component, or a reference.`;
    return [warning(pointerTo(pointer, name), message)];
  });

export const usableDiscriminators = ruleOf({
  Schema: ({ value, pointer }, context) => {
    if (!isPlainObject(value['discriminator'])) return [];
    const { propertyName, mapping } = value['discriminator'];
    if (typeof propertyName !== 'string') return [];
    return [
      ...variantsOf(value)
        .filter(([, variant]) => !requires(variant, propertyName, context.references))
        .map(([step]) => {
          const message = `The property ${propertyName} tells variants apart and is not required here. Add it to \`required\`.`;
          return warning(pointer + step, message);
        }),
      ...mappingDiagnostics(mapping, `${pointer}/discriminator/mapping`, context),
    ];
  },
});
