/** Operations of the model: every reference followed, every default filled in. Each part knows where it is declared. */

import type { Schema } from './schema';

/** The methods that a path item has fields for, in the order in which they are read (OAS 3.2.0, Path Item Object). */
export const fieldMethods = [
  'get',
  'put',
  'post',
  'delete',
  'options',
  'head',
  'patch',
  'trace',
  'query',
] as const;
type FieldMethod = (typeof fieldMethods)[number];
/** A method as the document spells it: a field in lower case, or any other by its exact token, since case matters (RFC 9110 section 9.1). */
export type Method = FieldMethod | (string & Record<never, never>);

/** Tells whether a path item has a field for the method. */
export const isFieldMethod = (method: Method): method is FieldMethod =>
  fieldMethods.some((field) => field === method);

/** Returns the method as requests spell it. */
export const requestMethod = (method: Method): string =>
  isFieldMethod(method) ? method.toUpperCase() : method;

/** Tells whether no response of a status, or key of responses, has content (RFC 9110 sections 15.3.5, 15.3.6 and 15.4.5). */
export const isContentless = (status: number | string): boolean =>
  [204, 205, 304].includes(Number(status));

/** The locations of parameters; in `querystring` a parameter is the whole query string. */
export const parameterLocations = ['path', 'query', 'querystring', 'header', 'cookie'] as const;
export type ParameterLocation = (typeof parameterLocations)[number];
export type ParameterStyle =
  | 'form'
  | 'simple'
  | 'label'
  | 'matrix'
  | 'spaceDelimited'
  | 'pipeDelimited'
  | 'deepObject'
  | 'cookie';

/** One example, as the document spells it. */
export interface Example {
  readonly pointer: string;
  /** Its key under `examples`; undefined for a lone `example`. */
  readonly name: string | undefined;
  /** The value, or perhaps a text in the media type; undefined where only `serialized` is given. */
  readonly value: unknown;
  /** True where a text in `value` is the value itself (`dataValue` of OAS 3.2.0, Example Object). */
  readonly isData?: boolean;
  /** As it is sent. */
  readonly serialized?: string;
}

/** Lists example values; skips `serializedValue` examples. */
export const valuesOf = (examples: readonly Example[]): unknown[] =>
  examples.map(({ value }) => value).filter((value) => value !== undefined);

/** A Parameter Object or Header Object, defaults filled in. */
export interface Parameter {
  readonly pointer: string;
  readonly name: string;
  readonly in: ParameterLocation;
  readonly description: string | undefined;
  readonly deprecated: boolean;
  readonly required: boolean;
  readonly style: ParameterStyle;
  readonly explode: boolean;
  readonly allowEmptyValue: boolean;
  /** False where that has no meaning. */
  readonly allowReserved: boolean;
  /**
   * The effective schema: with `x-comma-separated` a primitive schema has become an array of it. For a `content`
   * parameter the schema of its one media type.
   */
  readonly schema: Schema;
  /** The one media type of a `content` parameter; undefined for a `schema` parameter. */
  readonly mediaType: string | undefined;
  /** Of the properties in its one media type. */
  readonly encoding: MediaType['encoding'];
  /** `x-comma-separated: true`: every occurrence is further split at commas. */
  readonly commaSeparated: boolean;
  readonly examples: readonly Example[];
}

/** An Encoding Object; undefined fields have the defaults of their media type. */
export interface Encoding {
  readonly pointer: string;
  readonly contentType: string | undefined;
  readonly headers: readonly Parameter[];
  readonly style: ParameterStyle | undefined;
  readonly explode: boolean | undefined;
  readonly allowReserved: boolean | undefined;
  /** Of a part that is a form itself, by property; undefined where none are given. */
  readonly encoding?: Readonly<Record<string, Encoding>> | undefined;
  /** Of the first parts of a part that is multipart itself, by position. */
  readonly prefixEncoding: readonly Encoding[];
  /** Of the other parts of such a part. */
  readonly itemEncoding: Encoding | undefined;
}

/** A Media Type Object. */
export interface MediaType {
  readonly pointer: string;
  /** The key as the document writes it, perhaps a range or with parameters. */
  readonly key: string;
  /** Of the whole content. Undefined where the document gives none: any value. */
  readonly schema: Schema | undefined;
  /** Of each item of a sequence; such a content is read and written item by item (OAS 3.2.0, Sequential Media Types). */
  readonly itemSchema: Schema | undefined;
  /** By property. */
  readonly encoding: Readonly<Record<string, Encoding>>;
  /** Of the first parts of a multipart content, by position. */
  readonly prefixEncoding: readonly Encoding[];
  /** Of the other parts of a multipart content. */
  readonly itemEncoding: Encoding | undefined;
  readonly examples: readonly Example[];
}

/** A Request Body Object. */
export interface RequestBody {
  readonly pointer: string;
  readonly description: string | undefined;
  readonly required: boolean;
  readonly content: readonly MediaType[];
  /**
   * `x-identifier`: the body's property that names the resource. It must be present, and its errors are answered as a
   * parameter's are.
   */
  readonly identifier: string | undefined;
}

/** A Link Object. */
export interface Link {
  readonly pointer: string;
  readonly name: string;
  readonly operationId: string | undefined;
  readonly operationRef: string | undefined;
  /** Values, or runtime expressions, by parameter. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly requestBody: unknown;
}

/** A Response Object under its key. */
export interface Response {
  readonly pointer: string;
  /** `200`, `2XX` or `default`. */
  readonly key: string;
  /** Its summary where it has no description; empty where it has neither. */
  readonly description: string;
  readonly headers: readonly Parameter[];
  readonly content: readonly MediaType[];
  readonly links: readonly Link[];
}

/**
 * Tells whether the response of a key may have content: not to HEAD, nor with 1xx, 204, 205 and 304 (RFC 9110, sections 9.3.2, 15.2,
 * 15.3.5, 15.3.6 and 15.4.5).
 */
export const mayHaveContent = (method: Method, { key }: Pick<Response, 'key'>): boolean =>
  method !== 'head' && !/^(?:1..|204|205|304)$/.test(key);

/** A Security Requirement Object: scheme name to required scopes; all must hold. */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

/** A server, its URL as a template. */
export interface Server {
  readonly pointer: string;
  readonly url: string;
  readonly name?: string | undefined;
  readonly variables: Readonly<
    Record<string, { readonly default?: string; readonly enum?: readonly string[] }>
  >;
}

/** A Callback Object: the operations of its path items, whose paths are runtime expressions. */
export interface Callback {
  readonly pointer: string;
  readonly name: string;
  readonly operations: readonly Operation[];
}

/** A field of an operation that describes messages. */
export type MessageField = 'parameters' | 'requestBody' | 'responses' | 'callbacks';

/** One operation. */
export interface Operation {
  readonly pointer: string;
  readonly operationId: string;
  /** False where the document gives no operationId, and one was made of method and path. */
  readonly hasId: boolean;
  readonly method: Method;
  /** The path template, relative to the server URL; of a webhook its name, of a callback a runtime expression. */
  readonly path: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly deprecated: boolean;
  /** `x-deprecated-since`; undefined where it is no date, or the operation is not deprecated. */
  readonly deprecatedSince: Date | undefined;
  /** `x-sunset`; undefined where it is no date. */
  readonly sunset: Date | undefined;
  /** The URL of its external documentation; undefined where that is relative. */
  readonly docsUrl: string | undefined;
  readonly parameters: readonly Parameter[];
  readonly requestBody: RequestBody | undefined;
  readonly responses: readonly Response[];
  readonly callbacks: readonly Callback[];
  /** Servers of the operation or its path; empty: the document's. */
  readonly servers: readonly Server[];
  /** One of the list must hold; empty: nothing is required. */
  readonly security: readonly SecurityRequirement[];
  /**
   * `x-logged-in-user`: `optional` (a login is looked for, none is needed), `required` (any login), or `{NAME}` (the login
   * of the account that path parameter NAME names).
   */
  readonly loggedInUser:
    | { readonly required: boolean; readonly parameter: string | undefined }
    | undefined;
  /** The fields of which a part is left out, since it cannot be read. */
  readonly brokenFields: readonly MessageField[];
  /** `x-spec-first-resource` of the operation, else of its path, as the document spells it; undefined where neither has it. */
  readonly resource: { readonly pointer: string; readonly value: unknown } | undefined;
  /** `x-mcp` of the operation, else of its path, as the document spells it: false, or a name and a description as a tool. */
  readonly mcp: unknown;
  /** The reason why the operation cannot be served; undefined where it can. */
  readonly invalidReason: string | undefined;
}

/** Finds the parameter of a header by its name in lower case, however it is declared. */
export const headerParameter = (
  { parameters }: Pick<Operation, 'parameters'>,
  header: string,
): Parameter | undefined =>
  parameters.find((one) => one.in === 'header' && one.name.toLowerCase() === header);

/** Lists the responses of successes; `default` is the success if no 2xx is declared. */
export const successesOf = (responses: readonly Response[]): readonly Response[] => {
  const declared = responses.filter(({ key }) => /^2(\d\d|XX)$/.test(key));
  return declared.length > 0 ? declared : responses.filter(({ key }) => key === 'default');
};

/** Makes the finder of the response that declares a status: the exact code, else the range, else default. */
export const responseFinder = (
  responses: readonly Response[],
): ((status: number) => Response | undefined) => {
  const records = new Map(responses.map((record) => [record.key, record]));
  return (status) =>
    records.get(String(status)) ??
    records.get(`${Math.floor(status / 100)}XX`) ??
    records.get('default');
};
