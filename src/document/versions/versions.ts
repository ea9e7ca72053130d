/** The versions of OpenAPI that are read, each with what it says differently. */

import type { Method, ParameterLocation, ParameterStyle } from '../../model/operation';
import { type Dialect, jsonSchema202012, openApi30, openApi32 } from './schema-keywords';

/** Major and minor number; the patch number is ignored (OAS 3.0.4, section 4.1). */
export type VersionName = '3.0' | '3.1' | '3.2';

/** One version of OpenAPI. */
export interface Version {
  readonly name: VersionName;
  /** The newest publication. */
  readonly newest: string;
  /** The methods whose `requestBody` is ignored (OAS 3.0.4, Operation Object); from 3.1 on it may be described. */
  readonly bodiless: readonly Method[];
  /** True where `summary` and `description` may stand beside a `$ref`. */
  readonly hasReferenceTexts: boolean;
  /** True where requirements of any scheme may name roles (OAS 3.1.2, section 4.8.30). */
  readonly hasRoles: boolean;
  /** True where the parts of multipart/form-data may have a style (OAS 3.1.2, Encoding Object). */
  readonly hasPartStyles: boolean;
  /** True where the fields of forms may have a style in responses, and not in requests alone (OAS 3.2.0, Encoding Object). */
  readonly hasResponseStyles: boolean;
  /** The styles of parameters, by the locations that there are (Style Values). */
  readonly styles: Partial<Readonly<Record<ParameterLocation, readonly ParameterStyle[]>>>;
  /** The locations where parameters may allow reserved characters. */
  readonly reservedIn: readonly ParameterLocation[];
  /** The severity of a server variable whose default is not among its values. */
  readonly serverDefaults: 'error' | 'warning';
  /** The dialect of its Schema Objects. */
  readonly dialect: Dialect;
}

const openApi30Version: Version = {
  name: '3.0',
  newest: '3.0.4',
  bodiless: ['get', 'head', 'delete'],
  hasReferenceTexts: false,
  hasRoles: false,
  hasPartStyles: false,
  hasResponseStyles: false,
  styles: {
    path: ['simple', 'label', 'matrix'],
    query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
    header: ['simple'],
    cookie: ['form'],
  },
  reservedIn: ['query'],
  serverDefaults: 'warning',
  dialect: openApi30,
};

/** OpenAPI 3.1, which documents are upgraded to. */
export const openApi31Version: Version = {
  ...openApi30Version,
  name: '3.1',
  newest: '3.1.2',
  bodiless: [],
  hasReferenceTexts: true,
  hasRoles: true,
  hasPartStyles: true,
  serverDefaults: 'error',
  dialect: jsonSchema202012,
};

/** The newest version that is read. */
export const newestVersion: Version = {
  ...openApi31Version,
  name: '3.2',
  newest: '3.2.0',
  hasResponseStyles: true,
  dialect: openApi32,
  styles: { ...openApi30Version.styles, querystring: [], cookie: ['form', 'cookie'] },
  reservedIn: ['path', 'query', 'cookie'],
};

/** The versions that are read. */
export const versions: readonly Version[] = [openApi30Version, openApi31Version, newestVersion];

/** Tells whether a version ignores the body of an operation, whose method is the last token of its pointer. */
export const ignoresBody = ({ bodiless }: Version, pointer: string): boolean =>
  bodiless.some((method) => pointer.endsWith(`/${method}`));

/** Returns the version that the field `openapi` names; undefined where it is not read. */
export const versionOf = (openapi: unknown): Version | undefined =>
  versions.find(
    ({ name }) =>
      typeof openapi === 'string' && (openapi === name || openapi.startsWith(`${name}.`)),
  );
