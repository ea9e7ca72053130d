/**
 * A strict, bounded parser of XML 1.0 with namespaces (Namespaces in XML 1.0). Document types and entity definitions are refused; so no
 * entity but the five of XML itself is known.
 */

import { type ReadLimits, readLimits, tooManyNames } from '../../../../base/read-limits';
import { findIllegalCharacter } from '../../../../schema/xml-object';
import {
  hasText,
  isFilled,
  malformedAt,
  normalizeLineEnds,
  type QualifiedName,
  quoteName,
  skipBlanks,
  skipComment,
  skipInstruction,
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

const BLANK = '[ \\t\\n]';
const ENCODING = `(?:"[A-Za-z][A-Za-z0-9._-]*"|'[A-Za-z][A-Za-z0-9._-]*')`;
const DECLARATION = new RegExp(
  `<\\?xml${BLANK}+version${BLANK}*=${BLANK}*(?:"1\\.[0-9]+"|'1\\.[0-9]+')` +
    `(?:${BLANK}+encoding${BLANK}*=${BLANK}*${ENCODING})?` +
    `(?:${BLANK}+standalone${BLANK}*=${BLANK}*(?:"(?:yes|no)"|'(?:yes|no)'))?${BLANK}*\\?>`,
  'y',
);
const NO_NAMESPACES: ReadonlyMap<string, string> = new Map();

interface OpenElement extends XmlElement {
  readonly children: XmlElement[];
  text: string;
  data: string | undefined;
  /** The names of its children, where it has many. */
  childNames: Set<string> | undefined;
  readonly declared: readonly string[];
}

interface Parser extends XmlCursor {
  /** From the root to the innermost. */
  readonly open: OpenElement[];
  readonly bindings: ReturnType<typeof namespaceBindings>;
  readonly limits: ReadLimits;
  nodes: number;
}

/**
 * Parses an XML text and gives its root element. Text that is not well-formed, has a document type, undeclared prefixes
 * (other than the given ones) or is beyond the limits throws MalformedText with line and column.
 */
export function parseXml(given: string, prefixes = NO_NAMESPACES, limits = readLimits): XmlElement {
  const text = normalizeLineEnds(given);
  const bindings = namespaceBindings(prefixes);
  const parser: Parser = { text, at: 0, open: [], bindings, limits, nodes: 0 };
  const illegal = findIllegalCharacter(text);
  if (illegal >= 0) throw malformedAt(parser, 'a character that XML forbids', illegal);
  skipDeclaration(parser);
  skipOutsideRoot(parser);
  if (parser.at === text.length) throw malformedAt(parser, 'a root element expected');
  const root = openElement(parser);
  while (parser.open.length > 0) readContent(parser);
  skipOutsideRoot(parser);
  if (parser.at < text.length) throw malformedAt(parser, 'only one root element is allowed');
  return root;
}

function skipDeclaration(parser: Parser): void {
  if (startsWith(parser, '\uFEFF')) parser.at = 1;
  if (!/^<\?xml[ \t\n]/.test(parser.text.slice(parser.at, parser.at + 6))) return;
  DECLARATION.lastIndex = parser.at;
  if (!DECLARATION.test(parser.text)) {
    throw malformedAt(parser, 'the XML declaration is ill-formed or its version is not 1.x');
  }
  parser.at = DECLARATION.lastIndex;
}

/** Skips what may stand before and after the root: blanks, comments, instructions. */
function skipOutsideRoot(parser: Parser): void {
  for (;;) {
    skipBlanks(parser);
    if (startsWith(parser, '<!--')) skipComment(parser);
    else if (startsWith(parser, '<?')) skipInstruction(parser);
    else if (startsWith(parser, '<!')) throw malformedAt(parser, 'no document type is allowed');
    else return;
  }
}

/** Reads what follows inside the innermost open element: text and the markup behind it. */
function readContent(parser: Parser): void {
  const start = parser.at;
  const element = parser.open.at(-1);
  if (!element) throw malformedAt(parser, 'no element is open');
  const raw = takeUntil(parser, '<', quoteName(element.name));
  parser.at -= 1;
  if (raw !== '') {
    const bad = raw.indexOf(']]>');
    if (bad >= 0) throw malformedAt(parser, '"]]>" is not allowed in text', start + bad);
    const text = resolveReferences(parser, raw, start);
    element.text += text;
    if (element.data !== undefined && isFilled(raw)) element.data += text;
  }
  if (startsWith(parser, '</')) closeElement(parser, element);
  else if (startsWith(parser, '<!')) readCdataOrComment(parser, element);
  else if (startsWith(parser, '<?')) skipInstruction(parser);
  else openElement(parser);
}

function readCdataOrComment(parser: Parser, element: OpenElement): void {
  if (startsWith(parser, '<!--')) {
    skipComment(parser);
  } else {
    takeExpected(parser, '<![CDATA[');
    const section = takeUntil(parser, ']]>', 'a CDATA section');
    element.data = (element.data ?? (hasText(element) ? element.text : '')) + section;
    element.text += section;
  }
}

function closeElement(parser: Parser, element: OpenElement): void {
  const start = parser.at;
  parser.at += 2;
  if (!startsWith(parser, element.name)) {
    throw malformedAt(parser, `the end tag of ${quoteName(element.name)} expected`, start);
  }
  parser.at += element.name.length;
  skipBlanks(parser);
  takeExpected(parser, '>');
  endElement(parser, element);
}

function endElement(parser: Parser, element: OpenElement): void {
  for (const prefix of element.declared) parser.bindings.release(prefix);
  parser.open.pop();
}

/** Counts the names of children once there are more children than names allowed: those of one name are items of a list. */
function addChild(parser: Parser, parent: OpenElement, element: OpenElement): void {
  const { children } = parent;
  const { limits } = parser;
  children.push(element);
  if (children.length <= limits.names) return;
  parent.childNames ??= new Set(children.map(({ name }) => name));
  parent.childNames.add(element.name);
  if (parent.childNames.size > limits.names) {
    throw malformedAt(parser, tooManyNames(limits), element.at);
  }
}

/** Reads a start tag, hands the element to its parent and leaves it open unless the tag is empty. */
function openElement(parser: Parser): XmlElement {
  const element = takeStartTag(parser);
  const parent = parser.open.at(-1);
  if (parent !== undefined) addChild(parser, parent, element);
  parser.open.push(element);
  if (parser.open.length > parser.limits.depth) {
    throw malformedAt(parser, 'elements are nested too deeply', element.at);
  }
  const isEmpty = startsWith(parser, '/');
  takeExpected(parser, isEmpty ? '/>' : '>');
  if (isEmpty) endElement(parser, element);
  return element;
}

/** Most elements have no attributes. */
const NONE: readonly never[] = [];

/** Takes a start tag up to, not including, its `>` or `/>`. */
function takeStartTag(cursor: Parser): OpenElement {
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
    data: undefined,
    behind: cursor.open.at(-1)?.text.length ?? 0,
    at,
    declared,
  };
}

function countNode(cursor: Parser, at: number): void {
  cursor.nodes += 1;
  if (cursor.nodes > cursor.limits.nodes) {
    throw malformedAt(cursor, 'too many elements and attributes', at);
  }
}

interface RawAttribute extends QualifiedName {
  readonly value: string;
  readonly at: number;
}

/** Tells whether the tag ends here; the end of the text is refused when the tag's end is taken. */
function isTagEnd({ text, at }: Parser): boolean {
  const character = text[at];
  return character === '>' || character === '/' || character === undefined;
}

function takeAttributes(cursor: Parser): readonly RawAttribute[] {
  if (!skipBlanks(cursor) || isTagEnd(cursor)) return NONE;
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

function takeAttributeValue(cursor: Parser): string {
  const quote = startsWith(cursor, "'") ? "'" : '"';
  takeExpected(cursor, quote);
  const start = cursor.at;
  const raw = takeUntil(cursor, quote, 'an attribute value');
  const bad = raw.indexOf('<');
  if (bad >= 0) throw malformedAt(cursor, '"<" is not allowed in attribute values', start + bad);
  // Blanks become spaces, unless they came as references (XML 1.0, section 3.3.3). An expression takes five times as long.
  const withoutLines = raw.includes('\n') ? raw.split('\n').join(' ') : raw;
  const spaced = withoutLines.includes('\t') ? withoutLines.split('\t').join(' ') : withoutLines;
  return resolveReferences(cursor, spaced, start);
}

const isDeclaration = ({ name, prefix }: QualifiedName): boolean =>
  prefix === 'xmlns' || name === 'xmlns';

function declareNamespaces(cursor: Parser, attributes: readonly RawAttribute[]): readonly string[] {
  if (!attributes.some(isDeclaration)) return NONE;
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

function resolvePrefix(cursor: Parser, prefix: string, at: number): string {
  const namespace = cursor.bindings.find(prefix);
  if (namespace === undefined) throw malformedAt(cursor, 'a prefix that is not declared', at);
  return namespace;
}

/** Resolves prefixes: an attribute without one is in no namespace. Namespace declarations are left out. */
function resolveAttributes(
  cursor: Parser,
  attributes: readonly RawAttribute[],
): readonly XmlAttribute[] {
  if (attributes.length === 0) return NONE;
  const resolved: XmlAttribute[] = [];
  for (const attribute of attributes) {
    const { name, prefix, local, value, at } = attribute;
    if (isDeclaration(attribute)) continue;
    resolved.push({ name, local, namespace: prefix && resolvePrefix(cursor, prefix, at), value });
  }
  // A single attribute cannot be repeated.
  if (attributes.length > 1) refuseRepeated(cursor, attributes);
  return resolved;
}

/** Throws at two attributes with the same local name and namespace. */
function refuseRepeated(cursor: Parser, attributes: readonly RawAttribute[]): void {
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

const NUMBER_REFERENCE = /^#(?:x([0-9a-fA-F]{1,6})|([0-9]{1,7}))$/;
/** From `&` to `;`. */
const LONGEST_REFERENCE = 9;
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
]);

const characterOf = (reference: string): string => {
  const known = ENTITIES.get(reference);
  if (known !== undefined) return known;
  const [, hex, decimal] = NUMBER_REFERENCE.exec(reference) ?? [];
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  const character = code <= 0x10ffff ? String.fromCodePoint(code) : '';
  return findIllegalCharacter(character) >= 0 ? '' : character;
};

/** Replaces the references in a text that begins at `offset`. */
function resolveReferences(cursor: XmlCursor, raw: string, offset: number): string {
  let text = '';
  let from = 0;
  // A regular expression with a function takes twice as long, and a body may hold 250,000 references.
  for (let at = raw.indexOf('&'); at >= 0; at = raw.indexOf('&', from)) {
    const end = raw.indexOf(';', at);
    const character = end - at > LONGEST_REFERENCE ? '' : characterOf(raw.slice(at + 1, end));
    if (end < 0 || character === '') {
      throw malformedAt(cursor, 'a reference to no known entity or legal character', offset + at);
    }
    text += raw.slice(from, at) + character;
    from = end + 1;
  }
  return from === 0 ? raw : text + raw.slice(from);
}

/** Makes the namespaces that prefixes are bound to: no default namespace, and those of the given prefixes. */
function namespaceBindings(initial: ReadonlyMap<string, string>) {
  const bindings = new Map<string, string[]>([
    ['', ['']],
    ['xml', [XML_NAMESPACE]],
  ]);
  for (const [prefix, namespace] of initial) bindings.set(prefix, [namespace]);
  return {
    /** Returns the namespace of a prefix; undefined if it is not declared. */
    find: (prefix: string): string | undefined => bindings.get(prefix)?.at(-1),
    /** Binds a prefix; returns false if that is not allowed (section 3, reserved names; no empty name for a prefix). */
    declare(prefix: string, namespace: string): boolean {
      const isReserved =
        (prefix === 'xml') !== (namespace === XML_NAMESPACE) ||
        prefix === 'xmlns' ||
        namespace === XMLNS_NAMESPACE;
      if (isReserved || (prefix !== '' && namespace === '')) return false;
      const stack = bindings.get(prefix);
      if (stack) stack.push(namespace);
      else bindings.set(prefix, [namespace]);
      return true;
    },
    release: (prefix: string): void => void bindings.get(prefix)?.pop(),
  };
}
