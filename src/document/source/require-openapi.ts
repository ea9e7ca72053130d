/** Refuses files that are not OpenAPI 3.0 documents, with advice. */

import { isPlainObject, type PlainObject } from '../../base/plain-object';
import type { RuleName } from '../diagnostics/diagnostic';
import { versionOf } from '../versions/versions';
import { type SourceText, unreadable } from './source-text';

const withExample = 'An OpenAPI document is a map that begins with openapi: 3.0.3.';

/** Describes a content that is not a map. */
const notAMap = (value: unknown): readonly [rule: RuleName, message: string] => {
  if (value === null) return ['empty-file', `The file is empty. ${withExample}`];
  const what = Array.isArray(value) ? 'a list' : 'a single value';
  return ['no-openapi', `The file holds ${what}. ${withExample}`];
};

const versionError = (version: unknown): string => {
  if (typeof version !== 'string') {
    return `The version is read as ${JSON.stringify(String(version))}, which is not text. Write openapi: 3.0.3.`;
  }
  if (/^3\.2(?:\.|$)/.test(version)) {
    return `This is an OpenAPI ${version} document, and only OpenAPI 3.0 and 3.1 are served. Write openapi: 3.1.2, if it uses nothing newer.`;
  }
  return `OpenAPI ${version} is not known here. Write openapi: 3.0.3 or openapi: 3.1.2, if the document is one of these.`;
};

/** Says why a map is not an OpenAPI 3.0 document, with the pointer to the evidence; undefined where it is one. */
const documentError = (
  value: PlainObject,
): readonly [pointer: string, message: string] | undefined => {
  if (Object.hasOwn(value, 'openapi')) {
    const version = value['openapi'];
    if (versionOf(version) !== undefined) return undefined;
    return ['/openapi', versionError(version)];
  }
  if (Object.hasOwn(value, 'swagger')) {
    const version = String(value['swagger']);
    return [
      '/swagger',
      `This is a Swagger ${version} document, and only OpenAPI 3.0 and 3.1 are served. Convert it, with swagger2openapi for instance.`,
    ];
  }
  return [
    '',
    'The document does not name its version. Add openapi: 3.0.3, if it is one of OpenAPI 3.0.',
  ];
};

/**
 * Returns the content of an OpenAPI 3.0 document.
 * @throws UnreadableDocument
 */
export const requireOpenApi = (file: string, { value, locate }: SourceText): PlainObject => {
  if (!isPlainObject(value)) {
    const [rule, message] = notAMap(value);
    throw unreadable(file, rule, message, locate(''));
  }
  const error = documentError(value);
  if (error === undefined) return value;
  const [pointer, message] = error;
  throw unreadable(
    file,
    pointer === '' ? 'no-openapi' : 'version',
    message,
    locate(pointer),
    pointer,
  );
};
