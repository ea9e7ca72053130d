/** Compares what XML makes of a value (OAS 3.0.3, XML Object), where a media type speaks XML. */

import { pointerTo } from '../../../base/json-pointer';
import type { Spot } from '../rules/finding';
import type { MergedSchema } from './merged-schema';
import { keywordsOf, type SchemaPair, type XmlPlace } from './schema-pair';

interface Names {
  readonly pointer: string;
  readonly name: string;
  readonly namespace: string;
  readonly prefix: string;
  readonly isAttribute: boolean;
  readonly isWrapped: boolean;
  readonly isList: boolean;
}

const namesOf = (schema: MergedSchema, place: XmlPlace, fallback: string): Names => {
  const [keyword] = keywordsOf(schema, 'xml');
  const xml = keyword?.value ?? {};
  const isList = schema.types.has('array') && schema.types.size <= 2;
  const isPlain = !schema.types.has('object') && !schema.types.has('array');
  return {
    pointer: keyword?.pointer ?? pointerTo(schema.pointer, 'xml'),
    name: xml.name || fallback,
    namespace: xml.namespace ?? '',
    prefix: xml.prefix ?? '',
    isAttribute: xml.attribute === true && place.isProperty && isPlain,
    isWrapped: isList && xml.wrapped === true,
    isList,
  };
};

const spotOf = (names: Names, field: string, text: string): Spot => ({
  pointer: pointerTo(names.pointer, field),
  text,
});

/** A list that is not wrapped makes no element of its own, so that its name is not used. */
const makesNone = (names: Names): boolean => names.isList && !names.isWrapped;

const compareNames = (pair: SchemaPair, old: Names, now: Names): void => {
  if (old.name !== now.name) {
    pair.report('xml-name-changed', spotOf(old, 'name', old.name), spotOf(now, 'name', now.name));
  }
  for (const [field, rule] of [
    ['namespace', 'xml-namespace-changed'],
    ['prefix', 'xml-prefix-changed'],
  ] as const) {
    if (old[field] === now[field]) continue;
    pair.report(rule, spotOf(old, field, old[field]), spotOf(now, field, now[field]));
  }
};

/** Compares names and kinds of elements. */
export const compareXml = (pair: SchemaPair): void => {
  const place = pair.wire.xml;
  if (place === undefined) return;
  const old = namesOf(pair.old, place, place.old);
  const now = namesOf(pair.new, place, place.new);
  const report = (rule: 'xml-wrapped-changed' | 'xml-attribute-changed', field: string): void =>
    pair.report(
      rule,
      { pointer: pointerTo(old.pointer, field) },
      { pointer: pointerTo(now.pointer, field) },
    );
  if (old.isWrapped !== now.isWrapped) {
    report('xml-wrapped-changed', 'wrapped');
    return;
  }
  if (old.isAttribute !== now.isAttribute) {
    report('xml-attribute-changed', 'attribute');
    return;
  }
  if (!makesNone(old) && !makesNone(now)) compareNames(pair, old, now);
};
