/** The document's operations as plain records, every reference followed and every default filled in. */

import type { OpenAPIV3 } from 'openapi-types';
import type { Schema } from '../../schema/shape';

export type Method = 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch' | 'trace';
export type ParameterLocation = 'path' | 'query' | 'header' | 'cookie';
export type ParameterStyle =
  | 'form'
  | 'simple'
  | 'label'
  | 'matrix'
  | 'spaceDelimited'
  | 'pipeDelimited'
  | 'deepObject';

/** One example, as the document spells it. */
export interface DeclaredExample {
  /** Its key under `examples`; undefined for a lone `example`. */
  readonly name: string | undefined;
  readonly value: unknown;
}

/** A Parameter Object or Header Object (OAS 3.0.3), defaults filled in. */
export interface Parameter {
  readonly name: string;
  readonly in: ParameterLocation;
  readonly required: boolean;
  readonly style: ParameterStyle;
  readonly explode: boolean;
  readonly allowEmptyValue: boolean;
  /**
   * The effective schema: with `x-comma-separated` a primitive schema has become an array of it. For a `content`
   * parameter the schema of its one media type.
   */
  readonly schema: Schema;
  /** The one media type of a `content` parameter; undefined for a `schema` parameter. */
  readonly mediaType: string | undefined;
  /** `x-comma-separated: true`: every occurrence is further split at commas. */
  readonly commaSeparated: boolean;
  readonly examples?: readonly DeclaredExample[];
}

/** A Media Type Object. */
export interface MediaType {
  /** The key as the document writes it, perhaps a range or with parameters. */
  readonly key: string;
  /** Undefined where the document gives none: any value. */
  readonly schema: Schema | undefined;
  readonly encoding: Readonly<Record<string, OpenAPIV3.EncodingObject>>;
  readonly examples?: readonly DeclaredExample[];
}

/** A Request Body Object. */
export interface RequestBody {
  readonly required: boolean;
  readonly content: readonly MediaType[];
  /**
   * `x-identifier`: the body's property that names the resource. It must be present, and its errors are answered as a
   * parameter's are.
   */
  readonly identifier: string | undefined;
}

/** A Response Object under its key. */
export interface ResolvedResponse {
  /** `200`, `2XX` or `default`. */
  readonly key: string;
  readonly description: string;
  readonly headers: readonly Parameter[];
  readonly content: readonly MediaType[];
}

/** A Security Requirement Object: scheme name to required scopes; all must hold. */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

/** One operation. */
export interface Operation {
  readonly operationId: string;
  readonly method: Method;
  /** The path template, relative to the server URL. */
  readonly path: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody: RequestBody | undefined;
  readonly responses: readonly ResolvedResponse[];
  /** One of the list must hold; empty: nothing is required. */
  readonly security: readonly SecurityRequirement[];
  /**
   * `x-logged-in-user`: `optional` (a login is looked for, none is needed), `required` (any login), or `{NAME}` (the login
   * of the account that path parameter NAME names).
   */
  readonly loggedInUser:
    | { readonly required: boolean; readonly parameter: string | undefined }
    | undefined;
  /** The reason why the operation cannot be served; undefined where it can. */
  readonly invalidReason: string | undefined;
}
