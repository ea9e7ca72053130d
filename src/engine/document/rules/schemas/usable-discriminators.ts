/** Discriminators name a property that every variant requires, and schemas that are there (OAS 3.0.3, Discriminator Object). */

import { pointerTo } from '../../../lang/text-place';
import { isFields, type SchemaFields } from '../../../schema/validation/checks/schema-fields';
import type { UnplacedDiagnostic } from '../../diagnostics/diagnostic';
import type { References } from '../../references/references';
import { type Rule, type RuleContext, warningOf } from '../rule';

const finding = warningOf('discriminator');

const followed = (schema: unknown, references: References): SchemaFields | undefined => {
  const target: unknown = isFields(schema) ? references.find(schema) : undefined;
  return isFields(target) ? target : undefined;
};

const listAt = (schema: SchemaFields, keyword: string): readonly unknown[] => {
  const list = schema[keyword];
  return Array.isArray(list) ? list : [];
};

/** Whether a schema, or a part of it by allOf, requires the property. A schema that leads nowhere is another rule's. */
const requires = (
  schema: unknown,
  property: string,
  references: References,
  seen = new Set<unknown>(),
): boolean => {
  const target = followed(schema, references);
  if (target === undefined) return true;
  if (seen.has(target)) return false;
  seen.add(target);
  return (
    listAt(target, 'required').includes(property) ||
    listAt(target, 'allOf').some((part) => requires(part, property, references, seen))
  );
};

const variantsOf = (schema: SchemaFields): readonly (readonly [string, unknown])[] => {
  const variants = ['oneOf', 'anyOf'].flatMap((keyword) =>
    listAt(schema, keyword).map((variant, index) => [`/${keyword}/${index}`, variant] as const),
  );
  return variants.length > 0 ? variants : [['', schema]];
};

const mappingFindings = (
  mapping: unknown,
  pointer: string,
  { definition, references }: RuleContext,
): UnplacedDiagnostic[] =>
  Object.entries(isFields(mapping) ? mapping : {}).flatMap(([name, target]) => {
    const isComponent = Object.hasOwn(definition.components?.schemas ?? {}, String(target));
    if (isComponent || followed({ $ref: target }, references) !== undefined) return [];
    const message = `The mapping of ${name} leads to no schema: ${String(target)}. Write the name of a component, or a reference.`;
    return [finding(pointerTo(pointer, name), message)];
  });

export const usableDiscriminators: Rule = (context) =>
  context.objects.flatMap(({ value, pointer, name }) => {
    if (name !== 'Schema' || !isFields(value) || !isFields(value['discriminator'])) return [];
    const { propertyName, mapping } = value['discriminator'];
    if (typeof propertyName !== 'string') return [];
    return [
      ...variantsOf(value)
        .filter(([, variant]) => !requires(variant, propertyName, context.references))
        .map(([step]) => {
          const message = `The property ${propertyName} tells variants apart and is not required here. Add it to \`required\`.`;
          return finding(pointer + step, message);
        }),
      ...mappingFindings(mapping, `${pointer}/discriminator/mapping`, context),
    ];
  });
