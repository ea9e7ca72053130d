/** Reads the text of one file, YAML or JSON, into plain values, remembering where each of them stands. */

import { isNode } from 'yaml';
import { readInteger } from '../../base/integer-text';
import { jsonSteps } from '../../base/json/json-parser';
import { MalformedText } from '../../base/malformed-text';
import { resultOf, type Steps } from '../../base/run-in-steps';
import { textPositions } from '../../base/text/text-position';
import type { RuleName } from '../diagnostics/diagnostic';
import { exactNumber } from './exact-numbers';
import { jsonPositions } from './json-positions';
import { type LoadLimits, loadLimits, type SourceText, unreadable } from './source-text';
import { yamlPositions, yamlTree } from './yaml-tree';
import { yamlValues } from './yaml-values';

// The characters that YAML 1.2.2 forbids (section 5.1). JSON allows none of these outside of escapes, either.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are looked for
const control = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/;

const requireText = (file: string, text: string): void => {
  const offset = text.search(control);
  if (offset < 0) return;
  const code = text.charCodeAt(offset).toString(16).toUpperCase().padStart(4, '0');
  const message = `The character U+${code} is not allowed in YAML or JSON. Save the file as text.`;
  throw unreadable(file, 'text-encoding', message, textPositions(text)(offset));
};

const JSON_NUMBER = /-?[0-9][-+.0-9eE]*/y;

/** Tells whether the JSON parser reads the number at the offset exactly; true where there is no number. */
const isExactAt = (text: string, offset: number): boolean => {
  JSON_NUMBER.lastIndex = offset;
  const [source] = JSON_NUMBER.exec(text) ?? [];
  if (source === undefined) return true;
  const exact = exactNumber(source);
  return exact?.text === undefined && exact?.value === (readInteger(source) ?? Number(source));
};

/**
 * Reads JSON, ten times as fast as the YAML reader; undefined where the text is not quite JSON, or has numbers that only
 * the YAML reader keeps exact.
 */
function* readJson(text: string, limits: LoadLimits): Steps<SourceText | undefined> {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    const bounds = {
      depth: limits.depth,
      nodes: limits.tokens,
      names: Number.POSITIVE_INFINITY,
    };
    let isExact = true;
    const value = yield* jsonSteps(text, bounds, (offset) => {
      isExact &&= isExactAt(text, offset);
    });
    return isExact ? { value, locate: jsonPositions(text) } : undefined;
  } catch (error) {
    // The YAML parser names the error and its place.
    if (error instanceof MalformedText) return undefined;
    throw error;
  }
}

function* treeSteps(file: string, text: string, limits: LoadLimits) {
  const tree = yield* yamlTree(file, text, limits);
  const positionOf = textPositions(text);
  const refuse = (rule: RuleName, message: string, node: unknown): never => {
    const offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
    throw unreadable(file, rule, message, positionOf(offset));
  };
  const { value, targets } = yield* yamlValues(tree, refuse, limits);
  return { tree, targets, value, locate: yamlPositions(tree, positionOf, targets) };
}

/**
 * Reads a text that is YAML or JSON: the tree of its values, and the values.
 * @throws UnreadableDocument
 */
export const readTree = (file: string, text: string) => resultOf(treeSteps(file, text, loadLimits));

/** Reads a file's text in steps; see readSource. */
export function* sourceSteps(file: string, given: string, limits: LoadLimits): Steps<SourceText> {
  const text = given.startsWith('\uFEFF') ? given.slice(1) : given;
  requireText(file, text);
  return (yield* readJson(text, limits)) ?? (yield* treeSteps(file, text, limits));
}

/**
 * Reads a file's text.
 * @param file names the file in errors
 * @throws UnreadableDocument where the text is neither YAML 1.2 nor JSON, a key stands twice, or a limit is exceeded
 */
export const readSource = (
  file: string,
  given: string,
  limits: LoadLimits = loadLimits,
): SourceText => resultOf(sourceSteps(file, given, limits));
