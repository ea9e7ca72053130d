/** Refuses files that are not OpenAPI documents of a version that is read, with advice. */

import { isPlainObject } from '../../base/plain-object';
import type { RuleName } from '../diagnostics/diagnostic';
import { versionOf } from '../versions/versions';
import { type SourceText, unreadable } from './source-text';

const withExample = 'An OpenAPI document is a map that begins with openapi: 3.0.3.';

const versionError = (version: unknown): string => {
  if (typeof version !== 'string') {
    return `The version is read as ${JSON.stringify(String(version))}, which is not text. Write openapi: 3.0.3.`;
  }
  return `OpenAPI ${version} is not known here. Write openapi: 3.0.3, 3.1.2 or 3.2.0, if the document is one of these.`;
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
  if (openapi !== undefined) return refuse('version', versionError(openapi), '/openapi');
  if (swagger !== undefined) {
    const message = `This is a Swagger ${String(swagger)} document, and only OpenAPI 3.0 to 3.2 are served. Convert it by \`npm run contract -- upgrade FILE\`.`;
    return refuse('version', message, '/swagger');
  }
  const message =
    'The document does not name its version. Add openapi: 3.0.3, 3.1.2 or 3.2.0, whichever it is one of.';
  return refuse('no-openapi', message);
};
