/** Reads the text of one file, YAML or JSON, which is a part of it, into plain values, remembering where each of them stands. */

import { isNode } from 'yaml';
import { isPlainObject } from '../../base/plain-object';
import { resultOf, type Steps } from '../../base/run-in-steps';
import { textPositions } from '../../base/text/text-position';
import type { RuleName } from '../diagnostics/diagnostic';
import { versionOf } from '../versions/versions';
import { type LoadLimits, loadLimits, type SourceText, unreadable } from './source-text';
import { yamlPositions, yamlTree } from './yaml-tree';
import { yamlValues } from './yaml-values';

// The characters that YAML 1.2.2 forbids (section 5.1). JSON allows none of these outside of escapes, either.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are looked for
const control = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/;

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
  const offset = text.search(control);
  if (offset >= 0) {
    const code = text.charCodeAt(offset).toString(16).toUpperCase().padStart(4, '0');
    const message = `The character U+${code} is not allowed in YAML or JSON. Save the file as text.`;
    throw unreadable(file, 'text-encoding', message, textPositions(text)(offset));
  }
  return yield* treeSteps(file, text, limits);
}

/**
 * Reads a file's text.
 * @param file names the file in errors
 * @throws UnreadableDocument where the text is neither YAML 1.2 nor JSON, a key stands twice, or a limit is exceeded
 */
export const readSource = (file: string, given: string, limits: LoadLimits = loadLimits) =>
  resultOf(sourceSteps(file, given, limits));

const withExample = 'An OpenAPI document is a map that begins with openapi: 3.0.3.';

/** Files of the OpenAPI Initiative that are no descriptions of APIs, by their first fields. */
const otherFiles = {
  overlay:
    'This is an overlay, which changes a document. Name the document, and this file with --overlay.',
  arazzo:
    'This is an Arazzo description, whose workflows call the operations of documents. Name one of these documents.',
};

/**
 * Returns the content of an OpenAPI document, and its version.
 * @throws UnreadableDocument
 */
export const requireOpenApi = (file: string, { value, locate }: SourceText) => {
  const refuse = (rule: RuleName, message: string, pointer = ''): never => {
    throw unreadable(file, rule, message, locate(pointer), pointer);
  };
  if (value === null) return refuse('empty-file', `The file is empty. ${withExample}`);
  if (!isPlainObject(value)) {
    const what = Array.isArray(value) ? 'a list' : 'a single value';
    return refuse('no-openapi', `The file holds ${what}. ${withExample}`);
  }
  const { openapi, swagger } = value;
  const version = versionOf(openapi);
  if (version !== undefined) return { definition: value, version };
  if (openapi !== undefined) {
    const message =
      typeof openapi === 'string'
        ? `OpenAPI ${openapi} is not known here. Write openapi: 3.0.3, 3.1.2 or 3.2.0, if the document is one of these.`
        : `The version is read as ${JSON.stringify(String(openapi))}, which is not text. Write openapi: 3.0.3.`;
    return refuse('version', message, '/openapi');
  }
  if (swagger !== undefined) {
    const message = `This is a Swagger ${String(swagger)} document, and only OpenAPI 3.0 to 3.2 are served. Convert it by the command upgrade: \`npx spec-first upgrade FILE\`.`;
    return refuse('version', message, '/swagger');
  }
  const other = Object.entries(otherFiles).find(([field]) => Object.hasOwn(value, field));
  const message =
    'The document does not name its version. Add openapi: 3.0.3, 3.1.2 or 3.2.0, whichever it is one of.';
  return refuse('no-openapi', other?.[1] ?? message);
};
