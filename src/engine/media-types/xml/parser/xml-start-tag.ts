/** Reads start tags of XML: the name, the attributes, and the namespaces they are in. */

import { type ReadLimits, tooManyNames } from '../../codec/codec';
import {
  malformedAt,
  type QualifiedName,
  skipBlanks,
  startsWith,
  takeExpected,
  takeName,
  takeUntil,
  XMLNS_NAMESPACE,
  type XmlAttribute,
  type XmlCursor,
  type XmlElement,
} from './xml-element';
import type { NamespaceBindings } from './xml-namespaces';
import { resolveReferences } from './xml-references';

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

const NO_RAW_ATTRIBUTES: readonly RawAttribute[] = [];

/** Also at the end of the text, which is refused by whoever wants the tag's end. */
function isTagEnd({ text, at }: TagCursor): boolean {
  const character = text[at];
  return character === '>' || character === '/' || character === undefined;
}

function takeAttributes(cursor: TagCursor): readonly RawAttribute[] {
  if (!skipBlanks(cursor) || isTagEnd(cursor)) return NO_RAW_ATTRIBUTES;
  const attributes: RawAttribute[] = [];
  do {
    const at = cursor.at;
    const { name, prefix, local } = takeName(cursor);
    skipBlanks(cursor);
    takeExpected(cursor, '=');
    skipBlanks(cursor);
    attributes.push({ name, prefix, local, value: takeAttributeValue(cursor), at });
    countNode(cursor, at);
    if (attributes.length > cursor.limits.names) {
      throw malformedAt(cursor, tooManyNames(cursor.limits), at);
    }
  } while (skipBlanks(cursor) && !isTagEnd(cursor));
  return attributes;
}

/** XML 1.0, section 3.3.3. Of a million blanks an expression takes five times as long. */
function spaceBlanks(text: string): string {
  const spaced = text.includes('\n') ? text.split('\n').join(' ') : text;
  return spaced.includes('\t') ? spaced.split('\t').join(' ') : spaced;
}

function takeAttributeValue(cursor: TagCursor): string {
  const quote = startsWith(cursor, "'") ? "'" : '"';
  takeExpected(cursor, quote);
  const start = cursor.at;
  const raw = takeUntil(cursor, quote, 'an attribute value');
  const bad = raw.indexOf('<');
  if (bad >= 0) throw malformedAt(cursor, '"<" is not allowed in attribute values', start + bad);
  // Blanks become spaces, unless they came as references.
  return resolveReferences(cursor, spaceBlanks(raw), start);
}

const isDeclaration = ({ name, prefix }: QualifiedName): boolean =>
  prefix === 'xmlns' || name === 'xmlns';

const NO_PREFIXES: readonly string[] = [];

function declareNamespaces(
  cursor: TagCursor,
  attributes: readonly RawAttribute[],
): readonly string[] {
  if (!attributes.some(isDeclaration)) return NO_PREFIXES;
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
  for (const attribute of attributes) {
    const { name, prefix, local, value, at } = attribute;
    if (isDeclaration(attribute)) continue;
    resolved.push({ name, local, namespace: prefix && resolvePrefix(cursor, prefix, at), value });
  }
  // One alone is given once.
  if (attributes.length > 1) refuseRepeated(cursor, attributes);
  return resolved;
}

/** Two names are the same where their local parts and their namespaces are. */
function refuseRepeated(cursor: TagCursor, attributes: readonly RawAttribute[]): void {
  const seen = new Set<string>();
  for (const attribute of attributes) {
    const { prefix, local, at } = attribute;
    const namespace = isDeclaration(attribute)
      ? XMLNS_NAMESPACE
      : prefix && resolvePrefix(cursor, prefix, at);
    const key = `${local} ${namespace}`;
    if (seen.has(key)) throw malformedAt(cursor, 'an attribute is given twice', at);
    seen.add(key);
  }
}
