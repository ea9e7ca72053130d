/** The rules for XML, by id: what a generic engine for OpenAPI 3.0 documents must do. */

import type { Rule } from './rule';

export const xmlRules: readonly Rule[] = [
  {
    id: 'X01',
    line: '(XML Object; examples "No XML Element") A property without `xml` becomes an element named after the property.',
  },
  {
    id: 'X02',
    line: '(name) `xml.name` on a property replaces the element or attribute name, when writing and when reading.',
  },
  {
    id: 'X03',
    line: '(attribute) `attribute: true` writes the value as an attribute of the enclosing element and reads it from there only.',
  },
  {
    id: 'X04',
    line: '(examples, Arrays) An array without `wrapped` becomes repeated sibling elements, no container.',
  },
  { id: 'X05', line: 'Unwrapped array with `items.xml.name`: siblings carry the item name.' },
  {
    id: 'X06',
    line: 'Unwrapped array with `xml.name` on the array itself: that name is ignored (even when the items have none: then the property name is used).',
  },
  {
    id: 'X07',
    line: '`wrapped: true` with no names: container and items both carry the property name.',
  },
  {
    id: 'X08',
    line: '`wrapped: true` with only the item name: container = property name, items = item name.',
  },
  {
    id: 'X09',
    line: '`wrapped: true` with only the outer name: container **and** items carry the outer name.',
  },
  { id: 'X10', line: '`wrapped: true` with both names: each its own.' },
  { id: 'X11', line: '`wrapped` outside an array has no effect.' },
  {
    id: 'X12',
    line: '(prefix, namespace) prefix qualifies the name, namespace declares it on that element; nested use does not redeclare wrongly; attributes may be prefixed.',
  },
  {
    id: 'X13',
    line: '[3.0.4] namespace is a non-relative URI, a fragment is allowed; accept any prefix on input bound to that namespace.',
  },
  { id: 'X14', line: '(names) plurals are never invented.' },
  {
    id: 'X15',
    line: "[3.1.2, 3.2 XML Node Names] A component schema used as the root takes the component's name as element name.",
  },
  {
    id: 'X16',
    line: 'Root `xml.name` (pet, order, user, tag): 3.0.3 says `xml` has no effect on root schemas, [3.2] allows it; all real documents rely on it: honour it for roots and for `$ref`ed property and item schemas.',
  },
  {
    id: 'X17',
    line: "An item schema that is a `$ref` takes the referenced schema's `xml.name` (tags: tag); siblings of `$ref` are ignored in 3.0 (Reference Object).",
  },
  {
    id: 'X18',
    line: 'A `$ref`ed property schema with its own `xml.name`: that name replaces the property name, as if the schema stood inline. Two properties of one object that would thereby collide (billing, delivery: OAI#1303) keep their property names instead, with a warning at load.',
  },
  {
    id: 'X19',
    line: '[3.2] An inline schema directly under a media type has no inferable name: it is named after its type (`object`, `array`, `string`). An illegal `xml.name` (such as `##default`) counts as none and is reported at load.',
  },
  {
    id: 'X20',
    line: 'Root array (findPetsByStatus): a single root element is mandatory in XML; [3.2] says an array itself makes no node. Ours: the array\'s own `xml.name` or component name, else item name + "s" (precedent in swagger-inflector).',
  },
  {
    id: 'X21',
    line: 'Root primitive (login token): ours: element named after the type, e.g. string.',
  },
  {
    id: 'X22',
    line: '[3.2 null values] null in an element: empty element with xsi:nil true; null in an attribute: omit it. Reading xsi:nil gives null only if the schema allows null.',
  },
  {
    id: 'X23',
    line: 'Empty array: wrapped gives an empty container, unwrapped gives nothing; reading an empty container gives an empty array, a missing container gives "absent" (required can then fail).',
  },
  {
    id: 'X24',
    line: 'Empty string element against an absent element are different; an empty element for a non-string primitive is invalid.',
  },
  {
    id: 'X25',
    line: 'One repeated element still reads as an array of one because the schema says array; a repeated element where the schema says single is an error, not "last wins".',
  },
  {
    id: 'X26',
    line: 'Text is converted by the schema: integer, number (no hex, no leading plus, no blanks inside), boolean true/false (also 1/0, as XML Schema does), date-time kept as text.',
  },
  {
    id: 'X27',
    line: 'additionalProperties in XML: element name = key, value by its schema; keys that are not legal XML names are written with `_xHHHH_` escapes and read back.',
  },
  {
    id: 'X28',
    line: 'allOf/oneOf/anyOf: properties of all applicable subschemas take part in XML naming.',
  },
  {
    id: 'X29',
    line: 'Unknown elements follow the JSON rule for additional properties; order of elements is never significant [3.2].',
  },
  {
    id: 'X30',
    line: 'Output escapes text and attributes; characters illegal in XML 1.0 must not crash (ours: replaced by U+FFFD on output; refused on input).',
  },
  {
    id: 'X31',
    line: 'Encoding declared in the prolog and the charset of Content-Type are respected; a byte-order mark is accepted.',
  },
  {
    id: 'X32',
    line: 'DTDs and entity definitions are refused; depth, element count and size limits exist; two roots are an error; prototype names (`__proto__`, `constructor`) are plain data.',
  },
  {
    id: 'X33',
    line: 'readOnly, writeOnly, nullable, default, enum and formats apply to the XML-read value exactly as to JSON.',
  },
  {
    id: 'X34',
    line: '`application/xml`, `text/xml` and `+xml` types use the same marshaller when the contract names them.',
  },
];
