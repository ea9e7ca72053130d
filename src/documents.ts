/** Loads every document of the specs directory. */

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type ApiDocument, loadApiDocument } from './openapi/document';

/** Where `{auth_url}` leads, given a document's base path. */
export type AuthUrlOf = (basePath: string) => string;

/**
 * Loads the documents in the order of their names.
 * @throws Error where the directory has none, one cannot be read, or two have the same base path
 */
export const loadDocuments = async (
  directory: string,
  authUrlOf: AuthUrlOf,
): Promise<readonly ApiDocument[]> => {
  const files = (await readdir(directory)).filter((name) => /\.(ya?ml|json)$/.test(name)).sort();
  if (files.length === 0) throw new Error(`${directory} has no OpenAPI document`);
  const documents = await Promise.all(
    files.map((file) =>
      loadApiDocument(join(directory, file), {
        variables: (basePath) => ({ auth_url: authUrlOf(basePath) }),
      }),
    ),
  );
  const byBasePath = new Map<string, string>();
  for (const { basePath, file } of documents) {
    const other = byBasePath.get(basePath);
    if (other !== undefined) {
      throw new Error(`${file} and ${other} have the same server path "${basePath || '/'}"`);
    }
    byBasePath.set(basePath, file);
  }
  return documents;
};
