/** Refuses files that are not OpenAPI documents of a version that is read, with advice. */

import { isPlainObject, type PlainObject } from '../../base/plain-object';
import type { RuleName } from '../diagnostics/diagnostic';
import { type Version, versionOf } from '../versions/versions';
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
  return `OpenAPI ${version} is not known here. Write openapi: 3.0.3, 3.1.2 or 3.2.0, if the document is one of these.`;
};

/** Says why a map is not such a document, with the pointer to the evidence. */
const documentError = (value: PlainObject): readonly [pointer: string, message: string] => {
  if (Object.hasOwn(value, 'openapi')) return ['/openapi', versionError(value['openapi'])];
  if (Object.hasOwn(value, 'swagger')) {
    const version = String(value['swagger']);
    return [
      '/swagger',
      `This is a Swagger ${version} document, and only OpenAPI 3.0 to 3.2 are served. Convert it by \`npm run contract -- upgrade FILE\`.`,
    ];
  }
  return [
    '',
    'The document does not name its version. Add openapi: 3.0.3, 3.1.2 or 3.2.0, whichever it is one of.',
  ];
};

/** An OpenAPI document. */
export interface OpenApiContent {
  readonly definition: PlainObject;
  readonly version: Version;
}

/**
 * Returns the content of an OpenAPI document, and its version.
 * @throws UnreadableDocument
 */
export const requireOpenApi = (file: string, { value, locate }: SourceText): OpenApiContent => {
  if (!isPlainObject(value)) {
    const [rule, message] = notAMap(value);
    throw unreadable(file, rule, message, locate(''));
  }
  const version = versionOf(value['openapi']);
  if (version !== undefined) return { definition: value, version };
  const [pointer, message] = documentError(value);
  throw unreadable(
    file,
    pointer === '' ? 'no-openapi' : 'version',
    message,
    locate(pointer),
    pointer,
  );
};
