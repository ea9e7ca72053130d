/** Parses YAML within bounds (nothing recurses before the depth of the text is known), and finds where values stand in the tree. */

import {
  Composer,
  CST,
  type Document,
  isMap,
  isNode,
  isSeq,
  Lexer,
  Parser,
  type YAMLError,
  type YAMLMap,
} from 'yaml';
import { pointerSteps } from '../../base/json-pointer';
import { memoize } from '../../base/memoize';
import type { Steps } from '../../base/run-in-steps';
import { type TextPosition, textPositions } from '../../base/text/text-position';
import type { RuleName } from '../diagnostics/diagnostic';
import { type LoadLimits, type SourceText, unreadable } from './source-text';
import { isMerge, keyText } from './yaml-values';

/** Sentences for the mistakes that people make most; the parser's own words serve for the others. */
const sentences: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'A tab stands where YAML wants spaces. Indent with spaces.',
  MISSING_CHAR: 'A bracket, brace, quote or comma is missing here. Add it.',
  UNEXPECTED_TOKEN: 'This is unexpected here. Quote the text if it is meant as text.',
  BLOCK_AS_IMPLICIT_KEY:
    'A map begins in the middle of a line. Quote the text, or begin a new line.',
};

const sentence = (message: string): string =>
  `The text is not YAML: ${message.replace(/[.:]*$/, '.')} Correct it.`;

const closing: Readonly<Record<string, string>> = { '[': ']', '{': '}', '"': '"', "'": "'" };

type Unclosed = Pick<CST.SourceToken, 'source' | 'offset'>;

/** Finds the first bracket, brace or quote that misses its partner; inner ones first, as the parser goes through them. */
const findUnclosed = (token: CST.Token | null | undefined): Unclosed | undefined => {
  if (!token) return undefined;
  if (token.type === 'document') return findUnclosed(token.value);
  if (CST.isCollection(token)) return findUnclosedIn(token);
  if (!CST.isScalar(token) || token.type === 'block-scalar') return undefined;
  const source = token.source.charAt(0);
  const isQuoted = closing[source] !== undefined;
  const isClosed = token.source.length > 1 && token.source.endsWith(source);
  return isQuoted && !isClosed ? { source, offset: token.offset } : undefined;
};

function findUnclosedIn(
  collection: CST.BlockMap | CST.BlockSequence | CST.FlowCollection,
): Unclosed | undefined {
  for (const { key, value } of collection.items) {
    const inner = findUnclosed(key) ?? findUnclosed(value);
    if (inner !== undefined) return inner;
  }
  if (collection.type !== 'flow-collection') return undefined;
  const { start, end } = collection;
  return end[0]?.source === closing[start.source] ? undefined : start;
}

/**
 * Runs without stack traces: a text may have an error for each of its tokens, of which the first is reported, and traces
 * take ten times as long as all the rest.
 */
const withoutStacks = <Result>(run: () => Result): Result => {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return run();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
};

/**
 * Parses YAML 1.2 (core schema, so that dates and `no` stay text; JSON is a part of it). Each document is composed at once,
 * in about 0.2 s for 1 MB: where a key begins depends on what precedes it, so that parts cannot be composed by themselves.
 * @throws UnreadableDocument where the text is not one YAML document or exceeds the limits
 */
export function* yamlTree(file: string, text: string, limits: LoadLimits): Steps<unknown> {
  // The parser keeps a warning of each that it does not know.
  const mostDirectives = 100;
  // Lexemes that are parsed within a millisecond.
  const lexemesOfStep = 256;
  const parser = new Parser();
  const composer = new Composer({
    version: '1.2',
    schema: 'core',
    intAsBigInt: true,
    prettyErrors: false,
    stringKeys: false,
    // The parser compares each key of a map with every other one; yaml-values.ts does it in linear time.
    uniqueKeys: false,
  });
  const documents: Document.Parsed[] = [];
  const refuse = (rule: RuleName, message: string, offset: number): never => {
    throw unreadable(file, rule, message, textPositions(text)(offset));
  };
  let tree: CST.Token | undefined;
  const refuseError = (error: YAMLError): never => {
    const { code, message: words, pos } = error;
    // The parser reports them where they should be closed, perhaps many lines further.
    const isOfClosing = code === 'MISSING_CHAR' || /end with a [\]}]$/.test(words);
    const open = isOfClosing ? findUnclosed(tree) : undefined;
    if (open === undefined) return refuse('yaml', sentences[code] ?? sentence(words), pos[0]);
    const { source: opening, offset } = open;
    const { line } = textPositions(text)(offset);
    const message = `The ${opening} of line ${line} is not closed. Add its ${closing[opening]}.`;
    return refuse('yaml', message, offset);
  };
  const take = (found: Iterable<Document.Parsed>): void => {
    for (const document of found) {
      const [error] = document.errors;
      if (error !== undefined) refuseError(error);
      documents.push(document);
      if (documents.length === 1) continue;
      const message = 'A second YAML document begins here. Keep one document in the file.';
      refuse('yaml', message, document.range[0]);
    }
  };
  let directives = 0;
  const addTokens = (tokens: Iterable<CST.Token>): void => {
    for (const token of tokens) {
      // A text that is no YAML at all would give one error for each of its characters.
      if (token.type === 'error') refuse('yaml', sentence(token.message), token.offset);
      if (token.type === 'directive') directives += 1;
      if (directives > mostDirectives) {
        refuse('too-large', 'The file has too many directives. Keep %YAML alone.', token.offset);
      }
      if (token.type === 'document') tree ??= token;
      take(withoutStacks(() => [...composer.next(token)]));
    }
  };
  let count = 0;
  for (const lexeme of new Lexer().lex(text)) {
    if (count % lexemesOfStep === 0) yield;
    addTokens(parser.next(lexeme));
    count += 1;
    if (count > limits.tokens) {
      const message = 'The file has too many values. Split it into several files.';
      refuse('too-large', message, parser.offset);
    }
    if (parser.stack.length > limits.depth) {
      const message = `The file is nested deeper than ${limits.depth} levels. Make it flatter.`;
      refuse('too-large', message, parser.offset);
    }
  }
  addTokens(parser.end());
  take(withoutStacks(() => [...composer.end(true, text.length)]));
  return documents[0]?.contents ?? null;
}

type Member = Readonly<Record<'key' | 'value', unknown>>;

type Members = ReadonlyMap<string, Member>;

/** Makes the finder of positions. */
export const yamlPositions = (
  contents: unknown,
  positionOf: (offset: number) => TextPosition,
  targets: ReadonlyMap<unknown, unknown>,
): SourceText['locate'] => {
  const behindAlias = (node: unknown): unknown => targets.get(node) ?? node;

  const mapMembers = ({ items }: YAMLMap): Members => {
    const own = items
      .filter((pair) => !isMerge(pair))
      .map((pair): [string, Member] => [keyText(pair.key) ?? '', pair]);
    // The first one wins: a map's own members, then those of the first map merged in.
    const merged = items.filter(isMerge).flatMap(({ value }) => {
      const source = behindAlias(value);
      const sources = isSeq(source) ? source.items : [source];
      return sources.flatMap((source) => [...membersOf(behindAlias(source))]);
    });
    return new Map([...own, ...merged].reverse());
  };

  const membersOf = memoize((node: unknown): Members => {
    if (isMap(node)) return mapMembers(node);
    const items = isSeq(node) ? node.items : [];
    return new Map(items.map((value, index) => [String(index), { key: undefined, value }]));
  });

  const offsetOf = (node: unknown): number | undefined =>
    isNode(node) ? node.range?.[0] : undefined;

  return (pointer, ofKey = false) => {
    let found: Member = { key: undefined, value: contents };
    let complete = true;
    for (const step of pointerSteps(pointer)) {
      const next = membersOf(behindAlias(found.value)).get(step);
      complete = next !== undefined;
      if (next === undefined) break;
      found = next;
    }
    // A value that is left out, as in `get:`, stands where its key does.
    const value = offsetOf(found.value) ?? offsetOf(found.key) ?? 0;
    return positionOf(ofKey && complete ? (offsetOf(found.key) ?? value) : value);
  };
};
