/** The versions of OpenAPI that are read, each with what it says differently. */

import { type Dialect, jsonSchema202012, openApi30 } from './schema-keywords';

/** One version of OpenAPI. */
export interface Version {
  /** Major and minor number; the patch number is ignored (OAS 3.0.4, section 4.1). */
  readonly name: string;
  /** The dialect of its Schema Objects. */
  readonly dialect: Dialect;
}

const versions: readonly Version[] = [
  { name: '3.0', dialect: openApi30 },
  { name: '3.1', dialect: jsonSchema202012 },
];

/** Returns the version that the field `openapi` names; undefined where it is not read. */
export const versionOf = (openapi: unknown): Version | undefined =>
  versions.find(
    ({ name }) =>
      typeof openapi === 'string' && (openapi === name || openapi.startsWith(`${name}.`)),
  );
