/** Compares what XML makes of a value (OAS 3.2.0, XML Object), where a media type speaks XML. */

import { pointerTo } from '../../../base/json-pointer';
import type { XmlNodeType } from '../../../model/schema';
import type { Spot } from '../rules/finding';
import type { DiffRuleId } from '../rules/rules';
import type { MergedSchema } from './merged-schema';
import { keywordsOf, type SchemaPair, type XmlPlace } from './schema-pair';

/** The form of a value in XML; `siblings`: a list whose items have no element around them. */
type Node = 'element' | 'attribute' | 'text' | 'cdata' | 'none' | 'container' | 'siblings';

const nodeOf = ({ types }: MergedSchema, isProperty: boolean, nodeType?: XmlNodeType): Node => {
  const isStructured = types.has('array') || types.has('object');
  if (types.has('array') && types.size <= 2) {
    return nodeType === 'element' ? 'container' : 'siblings';
  }
  const own = isStructured ? ['none'] : ['text', 'cdata', ...(isProperty ? ['attribute'] : [])];
  return nodeType !== undefined && own.includes(nodeType) ? nodeType : 'element';
};

const namesOf = (schema: MergedSchema, place: XmlPlace, fallback: string) => {
  const [keyword] = keywordsOf(schema, 'xml');
  const xml = keyword?.value ?? {};
  return {
    pointer: keyword?.pointer ?? pointerTo(schema.pointer, 'xml'),
    name: xml.name || fallback,
    namespace: xml.namespace ?? '',
    prefix: xml.prefix ?? '',
    node: nodeOf(schema, place.isProperty, xml.nodeType),
  };
};

/** Returns the field that says the node. */
const nodeSpot = ({ document }: MergedSchema, { pointer }: Spot): Spot => {
  const isWritten = (name: string) => document.spelledAt(pointerTo(pointer, name)) !== undefined;
  const field = ['attribute', 'wrapped'].find(isWritten) ?? 'nodeType';
  return { pointer: pointerTo(pointer, field) };
};

/** The rule for a value that was one node and is another; undefined where another one tells it, since the type changed. */
const nodeRule = (...nodes: readonly Node[]): DiffRuleId | undefined => {
  const isOne = (...kinds: readonly Node[]) => nodes.some((node) => kinds.includes(node));
  if (isOne('container')) return 'xml-wrapped-changed';
  if (isOne('siblings')) return undefined;
  if (isOne('text') && isOne('cdata')) return 'xml-cdata-changed';
  return isOne('text', 'cdata', 'none') ? 'xml-node-changed' : 'xml-attribute-changed';
};

/** Compares names and kinds of nodes. */
export const compareXml = (pair: SchemaPair): void => {
  const place = pair.wire.xml;
  if (place === undefined) return;
  const old = namesOf(pair.old, place, place.old);
  const now = namesOf(pair.new, place, place.new);
  const rule = old.node === now.node ? undefined : nodeRule(old.node, now.node);
  if (rule !== undefined) {
    pair.report(rule, nodeSpot(pair.old, old), nodeSpot(pair.new, now));
    return;
  }
  // Of these no node has a name.
  const isNamed = [old, now].every(
    ({ node }) => !['siblings', 'text', 'cdata', 'none'].includes(node),
  );
  for (const field of isNamed ? (['name', 'namespace', 'prefix'] as const) : []) {
    if (old[field] === now[field]) continue;
    const [before, after] = [old, now].map((names) => {
      return { pointer: pointerTo(names.pointer, field), text: names[field] };
    });
    pair.report(`xml-${field}-changed`, before, after);
  }
};
