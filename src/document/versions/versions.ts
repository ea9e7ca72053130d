/** The versions of OpenAPI that are read, each with what it says differently. */

import { type Dialect, jsonSchema202012, openApi30 } from './schema-keywords';

/** Major and minor number; the patch number is ignored (OAS 3.0.4, section 4.1). */
export type VersionName = '3.0' | '3.1';

/** One version of OpenAPI. */
export interface Version {
  readonly name: VersionName;
  /** The newest publication. */
  readonly newest: string;
  /** True where `summary` and `description` may stand beside a `$ref`. */
  readonly hasReferenceTexts: boolean;
  /** The dialect of its Schema Objects. */
  readonly dialect: Dialect;
}

/** The newest version that is read. */
export const newestVersion: Version = {
  name: '3.1',
  newest: '3.1.2',
  hasReferenceTexts: true,
  dialect: jsonSchema202012,
};

/** The versions that are read. */
export const versions: readonly Version[] = [
  { name: '3.0', newest: '3.0.4', hasReferenceTexts: false, dialect: openApi30 },
  newestVersion,
];

/** Returns the version that the field `openapi` names; undefined where it is not read. */
export const versionOf = (openapi: unknown): Version | undefined =>
  versions.find(
    ({ name }) =>
      typeof openapi === 'string' && (openapi === name || openapi.startsWith(`${name}.`)),
  );
