/** Loads documents that are to be served. */

import {
  type LoadedDocument,
  type LoadOptions,
  loadDocument,
  parseDocument,
  type ServingCheck,
} from '../../document/document';
import type { Codec } from '../media-types/codec/codec';
import { type Codecs, codecTable } from '../media-types/codecs';
import { servingRules, unwritableReason } from './serving-rules';

/**
 * A document ready to be served.
 * @example document.operations.map(({ method, path }) => `${method} ${path}`)
 */
export interface ApiDocument extends LoadedDocument {
  /** The formats of its messages. */
  readonly codecs: Codecs;
}

const servingCheck = (codecs: Codecs): ServingCheck => ({
  rules: servingRules(codecs),
  reasonOf: (operation, shapeOf) => unwritableReason(operation, codecs, shapeOf),
});

/**
 * Makes a document of one file's text; references to other files stay unresolved.
 * @param file where the text comes from, for the report
 * @param text YAML or JSON
 * @param codecs formats of messages beside the engine's own
 * @throws UnreadableDocument where the text is no YAML or no OpenAPI document
 * @example const { operations } = parseApiDocument('shop.yaml', text);
 */
export const parseApiDocument = (
  file: string,
  text: string,
  { codecs: given }: { readonly codecs?: readonly Codec[] } = {},
): ApiDocument => {
  const codecs = codecTable(given);
  return { ...parseDocument(file, text, servingCheck(codecs)), codecs };
};

/**
 * Loads a document, and the files that it refers to.
 * @param file its path, or with `allowRemote` its URL
 * @throws UnreadableDocument where the file cannot be read or is no OpenAPI document
 * @example const document = await loadApiDocument('specs/shop.yaml', { allowRemote: true });
 */
export const loadApiDocument = async (
  file: string,
  { codecs: given, ...options }: LoadOptions & { readonly codecs?: readonly Codec[] } = {},
): Promise<ApiDocument> => {
  const codecs = codecTable(given);
  return { ...(await loadDocument(file, options, servingCheck(codecs))), codecs };
};
