/** Reads the text of one file, YAML or JSON, which is a part of it, into plain values, remembering where each of them stands. */

import { isNode } from 'yaml';
import { resultOf, type Steps } from '../../base/run-in-steps';
import { textPositions } from '../../base/text/text-position';
import type { RuleName } from '../diagnostics/diagnostic';
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
  return yield* treeSteps(file, text, limits);
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
