/** Reads start tags of XML: the name, the attributes, and the namespaces they are in. */

import { type ReadLimits, tooManyNames } from '../../codec/codec';
import {
  malformedAt,
  type QualifiedName,
  resolveReferences,
  skipBlanks,
  startsWith,
  takeExpected,
  takeName,
  takeUntil,
  XML_NAMESPACE,
  XMLNS_NAMESPACE,
  type XmlAttribute,
  type XmlCursor,
  type XmlElement,
} from './xml-element';

interface NamespaceBindings {
  /** Undefined where the prefix is not declared. */
  find(prefix: string): string | undefined;
  /** False where the declaration is not allowed (section 3, reserved names; no empty name for a prefix). */
  declare(prefix: string, namespace: string): boolean;
  /** Ends the latest declaration of the prefix. */
  release(prefix: string): void;
}

/** Starts with no default namespace and with the given prefixes. */
export function namespaceBindings(initial: ReadonlyMap<string, string>): NamespaceBindings {
  const bindings = new Map<string, string[]>([
    ['', ['']],
    ['xml', [XML_NAMESPACE]],
  ]);
  for (const [prefix, namespace] of initial) bindings.set(prefix, [namespace]);
  return {
    find: (prefix) => bindings.get(prefix)?.at(-1),
    declare(prefix, namespace) {
      if (!isAllowed(prefix, namespace)) return false;
      const stack = bindings.get(prefix);
      if (stack) stack.push(namespace);
      else bindings.set(prefix, [namespace]);
      return true;
    },
    release: (prefix) => {
      bindings.get(prefix)?.pop();
    },
  };
}

function isAllowed(prefix: string, namespace: string): boolean {
  if (prefix === 'xml' || namespace === XML_NAMESPACE) {
    return prefix === 'xml' && namespace === XML_NAMESPACE;
  }
  if (prefix === 'xmlns' || namespace === XMLNS_NAMESPACE) return false;
  return prefix === '' || namespace !== '';
}

const NO_ATTRIBUTES: readonly XmlAttribute[] = [];

/** An element whose end tag has not been read yet. */
export interface OpenElement extends XmlElement {
  readonly children: XmlElement[];
  text: string;
  /** The names of its children, where it has many. */
  childNames: Set<string> | undefined;
  /** Prefixes that its start tag declares. */
  readonly declared: readonly string[];
}

/** A cursor that knows the namespaces in force and counts what it reads. */
export interface TagCursor extends XmlCursor {
  readonly bindings: NamespaceBindings;
  readonly limits: ReadLimits;
  nodes: number;
}

/** Takes a start tag up to, not including, its `>` or `/>`. */
export function takeStartTag(cursor: TagCursor): OpenElement {
  const at = cursor.at;
  takeExpected(cursor, '<');
  const { name, prefix, local } = takeName(cursor);
  countNode(cursor, at);
  const attributes = takeAttributes(cursor);
  const declared = declareNamespaces(cursor, attributes);
  return {
    name,
    local,
    namespace: resolvePrefix(cursor, prefix, at),
    attributes: resolveAttributes(cursor, attributes),
    children: [],
    childNames: undefined,
    text: '',
    at,
    declared,
  };
}

function countNode(cursor: TagCursor, at: number): void {
  cursor.nodes += 1;
  if (cursor.nodes > cursor.limits.nodes) {
    throw malformedAt(cursor, 'too many elements and attributes', at);
  }
}

interface RawAttribute extends QualifiedName {
  readonly value: string;
  readonly at: number;
}

function takeAttributes(cursor: TagCursor): readonly RawAttribute[] {
  const attributes: RawAttribute[] = [];
  while (skipBlanks(cursor) && !/[/>]/.test(cursor.text[cursor.at] ?? '>')) {
    const at = cursor.at;
    const name = takeName(cursor);
    skipBlanks(cursor);
    takeExpected(cursor, '=');
    skipBlanks(cursor);
    attributes.push({ ...name, value: takeAttributeValue(cursor), at });
    countNode(cursor, at);
    if (attributes.length > cursor.limits.names) {
      throw malformedAt(cursor, tooManyNames(cursor.limits), at);
    }
  }
  return attributes;
}

function takeAttributeValue(cursor: TagCursor): string {
  const quote = startsWith(cursor, "'") ? "'" : '"';
  takeExpected(cursor, quote);
  const start = cursor.at;
  const raw = takeUntil(cursor, quote, 'an attribute value');
  const bad = raw.indexOf('<');
  if (bad >= 0) throw malformedAt(cursor, '"<" is not allowed in attribute values', start + bad);
  // XML 1.0, section 3.3.3: blanks become spaces, unless they came as references.
  return resolveReferences(cursor, raw.replace(/[\t\n]/g, ' '), start);
}

const isDeclaration = ({ name, prefix }: QualifiedName): boolean =>
  prefix === 'xmlns' || name === 'xmlns';

function declareNamespaces(cursor: TagCursor, attributes: readonly RawAttribute[]): string[] {
  const declared: string[] = [];
  for (const attribute of attributes) {
    if (!isDeclaration(attribute)) continue;
    const prefix = attribute.prefix === '' ? '' : attribute.local;
    if (!cursor.bindings.declare(prefix, attribute.value)) {
      throw malformedAt(cursor, 'a namespace declaration that is not allowed', attribute.at);
    }
    declared.push(prefix);
  }
  return declared;
}

function resolvePrefix(cursor: TagCursor, prefix: string, at: number): string {
  const namespace = cursor.bindings.find(prefix);
  if (namespace === undefined) throw malformedAt(cursor, 'a prefix that is not declared', at);
  return namespace;
}

/** Attributes without a prefix are in no namespace. Namespace declarations are left out. */
function resolveAttributes(
  cursor: TagCursor,
  attributes: readonly RawAttribute[],
): readonly XmlAttribute[] {
  if (attributes.length === 0) return NO_ATTRIBUTES;
  const resolved: XmlAttribute[] = [];
  const seen = new Set<string>();
  for (const attribute of attributes) {
    const { name, prefix, local, value, at } = attribute;
    const namespace = isDeclaration(attribute)
      ? XMLNS_NAMESPACE
      : prefix && resolvePrefix(cursor, prefix, at);
    const key = `${local} ${namespace}`;
    if (seen.has(key)) throw malformedAt(cursor, 'an attribute is given twice', at);
    seen.add(key);
    if (namespace !== XMLNS_NAMESPACE) resolved.push({ name, local, namespace, value });
  }
  return resolved;
}
