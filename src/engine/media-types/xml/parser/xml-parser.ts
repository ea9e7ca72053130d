/** A strict, bounded parser of XML 1.0 with namespaces; document types and entity definitions are refused. */

import { findIllegalCharacter } from '../../../schema/xml-object';
import { readLimits, tooManyNames } from '../../codec/codec';
import {
  malformedAt,
  normalizeLineEnds,
  quoteName,
  skipBlanks,
  skipComment,
  skipInstruction,
  startsWith,
  takeExpected,
  takeUntil,
  type XmlElement,
} from './xml-element';
import { namespaceBindings } from './xml-namespaces';
import { resolveReferences } from './xml-references';
import { type OpenElement, type TagCursor, takeStartTag } from './xml-start-tag';

const BLANK = '[ \\t\\n]';
const ENCODING = `(?:"[A-Za-z][A-Za-z0-9._-]*"|'[A-Za-z][A-Za-z0-9._-]*')`;
const DECLARATION = new RegExp(
  `<\\?xml${BLANK}+version${BLANK}*=${BLANK}*(?:"1\\.[0-9]+"|'1\\.[0-9]+')` +
    `(?:${BLANK}+encoding${BLANK}*=${BLANK}*${ENCODING})?` +
    `(?:${BLANK}+standalone${BLANK}*=${BLANK}*(?:"(?:yes|no)"|'(?:yes|no)'))?${BLANK}*\\?>`,
  'y',
);
const NO_PREFIXES: ReadonlyMap<string, string> = new Map();

interface Parser extends TagCursor {
  /** From the root to the innermost. */
  readonly open: OpenElement[];
}

/**
 * Parses an XML text and gives its root element. Text that is not well-formed, has a document type, undeclared prefixes
 * (other than the given ones) or is beyond the limits throws MalformedText with line and column.
 */
export function parseXml(given: string, prefixes = NO_PREFIXES, limits = readLimits): XmlElement {
  const text = normalizeLineEnds(given);
  const parser: Parser = {
    text,
    at: 0,
    open: [],
    bindings: namespaceBindings(prefixes),
    limits,
    nodes: 0,
  };
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
  const element = innermost(parser);
  const piece = takeUntil(parser, '<', quoteName(element.name));
  parser.at -= 1;
  if (piece !== '') {
    const bad = piece.indexOf(']]>');
    if (bad >= 0) throw malformedAt(parser, '"]]>" is not allowed in text', start + bad);
    element.text += resolveReferences(parser, piece, start);
  }
  if (startsWith(parser, '</')) closeElement(parser, element);
  else if (startsWith(parser, '<!')) readCdataOrComment(parser, element);
  else if (startsWith(parser, '<?')) skipInstruction(parser);
  else openElement(parser);
}

function innermost(parser: Parser): OpenElement {
  const element = parser.open.at(-1);
  if (!element) throw malformedAt(parser, 'no element is open');
  return element;
}

function readCdataOrComment(parser: Parser, element: OpenElement): void {
  if (startsWith(parser, '<!--')) {
    skipComment(parser);
  } else {
    takeExpected(parser, '<![CDATA[');
    element.text += takeUntil(parser, ']]>', 'a CDATA section');
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

/** Elements of one name are items of a list; only as many as there may be names need be told apart. */
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
