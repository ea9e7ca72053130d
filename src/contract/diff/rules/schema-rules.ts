/** The rules of schemas: a schema is a set of values, and what counts is whether the set grows or shrinks. */

import { changes, keeps, loses, narrows, type Rule, unclear, weighs, widens } from './rule';

export const schemaRules = {
  // Types.
  'type-narrowed': narrows('fewer types are allowed'),
  'type-widened': widens('more types are allowed'),
  'type-changed': changes('the type is another one'),
  'type-became-text': unclear(
    'a text stands where another type stood; whether each value fits its rules as text is not decided',
  ),
  'nullable-removed': narrows('null is no longer allowed'),
  'nullable-added': widens('null is allowed'),
  'format-added': narrows('a format is required'),
  'format-removed': widens('no format is required any more'),
  'format-narrowed': narrows('the format allows fewer values'),
  'format-widened': widens('the format allows more values'),
  'format-changed': changes('the format is another one'),
  'format-unclear': unclear(
    'the format differs, and the specification does not say which values it allows',
  ),
  // Enums.
  'enum-added': narrows('only listed values are allowed'),
  'enum-removed': widens('values are no longer limited to a list'),
  'enum-value-removed': narrows('enum value removed'),
  'enum-value-added': widens('enum value added'),
  // Numbers.
  'minimum-added': narrows('numbers have a minimum'),
  'minimum-removed': widens('numbers have no minimum any more'),
  'minimum-raised': narrows('the minimum is greater'),
  'minimum-lowered': widens('the minimum is less'),
  'maximum-added': narrows('numbers have a maximum'),
  'maximum-removed': widens('numbers have no maximum any more'),
  'maximum-raised': widens('the maximum is greater'),
  'maximum-lowered': narrows('the maximum is less'),
  'multiple-of-added': narrows('numbers must be multiples'),
  'multiple-of-removed': widens('numbers need not be multiples any more'),
  'multiple-of-narrowed': narrows('fewer multiples are allowed'),
  'multiple-of-widened': widens('more multiples are allowed'),
  'multiple-of-changed': changes('multiples of another number are required'),
  // Texts.
  'min-length-added': narrows('texts have a least length'),
  'min-length-removed': widens('texts have no least length any more'),
  'min-length-raised': narrows('the least length is greater'),
  'min-length-lowered': widens('the least length is less'),
  'max-length-added': narrows('texts have a greatest length'),
  'max-length-removed': widens('texts have no greatest length any more'),
  'max-length-raised': widens('the greatest length is greater'),
  'max-length-lowered': narrows('the greatest length is less'),
  'pattern-added': narrows('texts must match a pattern'),
  'pattern-removed': widens('texts need not match a pattern any more'),
  'pattern-changed': unclear(
    'the pattern is another one; which texts match two patterns is not decided',
  ),
  // Lists.
  'min-items-added': narrows('lists have a least number of items'),
  'min-items-removed': widens('lists have no least number of items any more'),
  'min-items-raised': narrows('the least number of items is greater'),
  'min-items-lowered': widens('the least number of items is less'),
  'max-items-added': narrows('lists have a greatest number of items'),
  'max-items-removed': widens('lists have no greatest number of items any more'),
  'max-items-raised': widens('the greatest number of items is greater'),
  'max-items-lowered': narrows('the greatest number of items is less'),
  'unique-items-added': narrows('items must differ from each other'),
  'unique-items-removed': widens('items may be equal'),
  // Objects.
  'required-property-added': narrows('a required property is new'),
  'property-added': keeps('an optional property is new'),
  'property-added-to-closed': widens('a property is new where no other could be'),
  'property-declared': weighs(
    'warning',
    'compatible',
    'a property is declared that could be any value before',
  ),
  'property-undeclared': weighs(
    'compatible',
    'warning',
    'a property is no longer declared, and can be any value',
  ),
  'property-removed': loses(
    'warning',
    'a property is gone; what is sent under its name has no meaning any more, and readers may miss it',
  ),
  'property-forbidden': loses('breaking', 'a property is gone, and no other may be there'),
  'required-property-removed': weighs(
    'warning',
    'breaking',
    'a required property is gone; what is sent under its name has no meaning any more',
  ),
  'property-became-required': narrows('the property is required'),
  'property-became-optional': widens('the property is optional'),
  'property-became-read-only': weighs(
    'warning',
    'compatible',
    'the property is read-only; what a request says of it is ignored',
  ),
  'property-became-not-read-only': keeps('the property is no longer read-only'),
  'property-became-write-only': keeps('the property is write-only'),
  'property-became-not-write-only': keeps('the property is no longer write-only'),
  'additional-properties-forbidden': narrows(
    'other properties than the declared ones are forbidden',
  ),
  'additional-properties-allowed': widens('other properties than the declared ones are allowed'),
  'min-properties-added': narrows('objects have a least number of properties'),
  'min-properties-removed': widens('objects have no least number of properties any more'),
  'min-properties-raised': narrows('the least number of properties is greater'),
  'min-properties-lowered': widens('the least number of properties is less'),
  'max-properties-added': narrows('objects have a greatest number of properties'),
  'max-properties-removed': widens('objects have no greatest number of properties any more'),
  'max-properties-raised': widens('the greatest number of properties is greater'),
  'max-properties-lowered': narrows('the greatest number of properties is less'),
  // Compositions.
  'alternative-removed': narrows('an alternative is gone'),
  'alternative-added': widens('an alternative is new'),
  'alternative-covered': keeps(
    'an alternative has come or gone, and another one allows its values',
  ),
  'alternatives-overlap': unclear(
    'whether a value can now fit two alternatives of which one alone may hold is not decided',
  ),
  'alternatives-added': keeps('alternatives are new, and one of them allows what was allowed'),
  'alternatives-removed': keeps('alternatives are gone, and one of them allowed what is allowed'),
  'alternatives-unclear': unclear(
    'whether each value fits one of several alternatives is not decided',
  ),
  'comparison-incomplete': unclear(
    'alternatives are too entangled to compare, so that changes within them may be missing',
  ),
  'not-added': narrows('some values are excluded'),
  'not-removed': widens('some values are no longer excluded'),
  'not-changed': unclear('other values are excluded; which ones `not` leaves is not decided'),
  'discriminator-added': keeps('a discriminator is new'),
  'discriminator-removed': keeps('the discriminator is gone'),
  'discriminator-property-changed': unclear(
    'another property tells the alternatives apart; whether callers have it is not decided',
  ),
  'discriminator-mapping-added': keeps('a value of the discriminator is new'),
  'discriminator-mapping-removed': unclear(
    'a value of the discriminator is gone; whether callers use it is not decided',
  ),
  'discriminator-mapping-changed': unclear(
    'a value of the discriminator stands for another schema; whether they agree is not decided',
  ),
  'reference-broken': unclear('a reference leads nowhere, so that the schema is not known'),
  // Annotations.
  'default-added': keeps('a default is new'),
  'default-changed': weighs(
    'warning',
    'compatible',
    'the default is another one; a request without the value means something else',
  ),
  'default-removed': weighs(
    'warning',
    'compatible',
    'there is no default any more; a request without the value may mean something else',
  ),
  'schema-deprecated': keeps('it is deprecated'),
  'schema-reactivated': keeps('it is no longer deprecated'),
  // XML.
  'xml-name-changed': changes('the name in XML is another one'),
  'xml-namespace-changed': changes('the namespace in XML is another one'),
  'xml-prefix-changed': keeps('the prefix in XML is another one'),
  'xml-attribute-changed': changes('attribute and element in XML are exchanged'),
  'xml-wrapped-changed': changes('the element around a list in XML has come or gone'),
} as const satisfies Record<string, Rule>;
