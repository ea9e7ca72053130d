/** Loads one OpenAPI document: its operations, its references, and what is wrong with it. */

import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import type { OpenAPIV3 } from 'openapi-types';
import { isolateBrokenOperation } from './broken-operations';
import type { Operation } from './operation';
import { operationsOf } from './operations';
import type { Finding, Problem } from './problem';
import { type ReadDocument, readDocument } from './read-document';
import { type References, referencesOf } from './references';
import { declaredSecurity } from './rules/declared-security';
import { enforceableKeywords } from './rules/enforceable-keywords';
import { fittingDefaults } from './rules/fitting-defaults';
import { legalXmlNames } from './rules/legal-xml-names';
import { parameterStyles } from './rules/parameter-styles';
import { pathTemplates } from './rules/path-templates';
import { resolvableReferences } from './rules/resolvable-references';
import type { Rule } from './rules/rule';
import { uniqueOperationIds } from './rules/unique-operation-ids';
import { usableOperations } from './rules/usable-operations';

/** A document ready to be served. */
export interface ApiDocument {
  /** The file's name without its ending: `shop` for `specs/shop.yaml`. */
  readonly name: string;
  readonly file: string;
  /** The file's text, variables filled in. */
  readonly text: string;
  readonly definition: OpenAPIV3.Document;
  /** The path of the first server URL, without a trailing slash; empty for the root. */
  readonly basePath: string;
  readonly operations: readonly Operation[];
  readonly references: References;
  readonly problems: readonly Problem[];
  /** Gives a finding its place in the file. */
  locate(finding: Finding): Problem;
}

const rules: readonly Rule[] = [
  resolvableReferences,
  usableOperations,
  declaredSecurity,
  pathTemplates,
  uniqueOperationIds,
  parameterStyles,
  enforceableKeywords,
  fittingDefaults,
  legalXmlNames,
];

/** The path that a document's operations are appended to (OAS 3.0.3, Server Object). */
const basePathOf = (definition: OpenAPIV3.Document): string => {
  const server = definition.servers?.[0];
  if (server === undefined) return '';
  const url = server.url.replaceAll(
    /\{([^{}]+)\}/g,
    (_, name: string) => server.variables?.[name]?.default ?? '',
  );
  // A relative server URL is relative to where the document is served: the origin's root.
  return new URL(url, 'http://localhost/').pathname.replace(/\/+$/, '');
};

/**
 * Makes a document of a file's text.
 * @param file where the text comes from, for the report
 * @param text YAML or JSON
 * @throws Error where the text is not YAML or not an OpenAPI 3.0 document
 */
export const parseApiDocument = (file: string, text: string): ApiDocument => {
  let read: ReadDocument;
  try {
    read = readDocument(text);
  } catch (error) {
    throw new Error(`${file}:${error instanceof Error ? error.message : String(error)}`);
  }
  const definition = read.value as OpenAPIV3.Document;
  if (
    typeof definition !== 'object' ||
    definition === null ||
    !/^3\.0\.\d+/.test(definition.openapi)
  ) {
    throw new Error(`${file}: is not an OpenAPI 3.0 document`);
  }
  const references = referencesOf(definition);
  const operations = operationsOf(definition, references).map((operation) =>
    isolateBrokenOperation(operation, references),
  );
  const locate = (finding: Finding): Problem => ({
    ...finding,
    file,
    ...read.locate(finding.pointer),
  });
  return {
    name: basename(file, extname(file)),
    file,
    text,
    definition,
    basePath: basePathOf(definition),
    operations,
    references,
    problems: rules.flatMap((rule) => rule({ definition, operations, references })).map(locate),
    locate,
  };
};

/**
 * Loads a document from disk.
 * @param variables what stands for `{NAME}` in the text, such as `auth_url`; called with the document's base path
 */
export const loadApiDocument = async (
  file: string,
  variables: (basePath: string) => Readonly<Record<string, string>>,
): Promise<ApiDocument> => {
  const text = await readFile(file, 'utf8');
  const values = variables(parseApiDocument(file, text).basePath);
  const filled = Object.entries(values).reduce(
    (filling, [name, value]) => filling.replaceAll(`{${name}}`, value),
    text,
  );
  return parseApiDocument(file, filled);
};
