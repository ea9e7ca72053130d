/** The tools of a document: each operation under a name that clients accept, with what it does, takes and gives. */

import { createHash } from 'node:crypto';
import { concreteMediaType } from '../base/media-type';
import { lazy } from '../base/memoize';
import { isPlainObject } from '../base/plain-object';
import type { ApiDocument, SchemaContext } from '../engine';
import { isSafeMethod } from '../http/request';
import { apiKeysIn, keyNamesOf } from '../model/document';
import {
  isContentless,
  type MediaType,
  type Operation,
  type Parameter,
  requestMethod,
  successesOf,
} from '../model/operation';
import { anySchema } from '../model/schema';
import { sufficientCredentials } from '../requests/credentials';
import { valueSchema } from '../requests/item-contents';
import { viewOf } from '../schema/schema-view';
import {
  fileSchema,
  isPropertyName,
  type JsonSchema,
  longestHint,
  mostCharacters,
  plainText,
  schemaWriter,
  type WriteSchema,
} from './tool-schema';

/** A tool as it is listed (Model Context Protocol 2026-07-28, Tool). */
export interface ToolDefinition {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint?: boolean;
    readonly idempotentHint?: boolean;
    readonly openWorldHint: boolean;
  };
}

/** The groups of arguments. */
export const argumentGroups = ['path', 'query', 'header'] as const;

/** A parameter among the arguments. */
export interface ToolParameter {
  readonly parameter: Parameter;
  readonly group: (typeof argumentGroups)[number];
  /** Its name there, in letters that clients accept. */
  readonly key: string;
}

/** An operation as a tool. */
export interface OperationTool {
  readonly name: string;
  readonly operation: Operation;
  /** True where a call changes nothing. */
  readonly isReading: boolean;
  readonly parameters: readonly ToolParameter[];
  /** The content that a body is sent in; undefined where there is none. */
  readonly content: MediaType | undefined;
  /** The name that a list has in structured results, which are objects; undefined where results are not structured. */
  readonly output: { readonly isList: boolean } | undefined;
  readonly definition: ToolDefinition;
}

/** The choice among the operations of a document. */
export interface ToolChoice {
  /** Tags of which an operation must have one; all operations if it is left out. */
  readonly tags?: readonly string[];
  /** The operationIds, or names of tools, that are meant; all if it is left out. */
  readonly only?: readonly string[];
  /** True: those alone that change nothing. */
  readonly readOnly?: boolean;
  /** False: no result is promised to fit a schema. */
  readonly outputs?: boolean;
}

/** The longest name: some clients put the server's before it, and take 64 characters in all. */
const LONGEST_NAME = 48;

const hashed = (name: string, key: string): string => {
  const tail = createHash('sha256').update(key).digest('hex').slice(0, 6);
  return `${name.slice(0, LONGEST_NAME - 7)}_${tail}`;
};

/** Reads `x-mcp` of an operation, its path, or else the first of its tags that has one. */
const wordsOf = ({ mcp, tags }: Operation, document: ApiDocument) => {
  const ofTags = document.tags.filter(({ name }) => tags.includes(name)).map((tag) => tag.mcp);
  const said = [mcp, ...ofTags].find((value) => value !== undefined);
  const { name, description } = isPlainObject(said) ? said : {};
  return {
    isHidden: said === false,
    name: typeof name === 'string' ? name : undefined,
    description: typeof description === 'string' ? description : undefined,
  };
};

/** Names each operation once, the same in each process: what is cut, or would come twice, ends with a hash of method and path. */
const nameTools = (entries: readonly { operation: Operation; wanted: string }[]): string[] => {
  const used = new Set<string>();
  return entries.map(({ operation: { method, path }, wanted }) => {
    const plain = wanted.replaceAll(/[^\w-]+/g, '_').replaceAll(/^_+|_+$/g, '') || 'operation';
    const isFree = plain.length <= LONGEST_NAME && !used.has(plain);
    const name = isFree ? plain : hashed(plain, `${method} ${path}`);
    used.add(name);
    return name;
  });
};

/** Headers that each request has of its own, or that no document declares (OAS 3.1.2, Parameter Object). */
const givenHeaders = /^(?:accept|authorization|connection|content-length|content-type|host)$/i;

/** Headers that are not a caller's to set: those of connections, of proxies, of cookies and of the origin. */
const ownHeaders =
  /^(?:cookie|expect|forwarded|http2-settings|keep-alive|mcp-.*|origin|proxy-.*|sec-websocket-.*|te|trailer|transfer-encoding|upgrade|via|x-forwarded-.*)$/i;

/** Makes the function that tells where a parameter comes from: an argument; the request itself, as credentials do; or nowhere. */
const originIn = (operation: Operation, document: ApiDocument) => {
  const keyHeaders = apiKeysIn('header', document).map((name) => name.toLowerCase());
  return ({ in: location, name }: Parameter): 'argument' | 'request' | 'nowhere' => {
    const isGiven =
      location === 'header'
        ? givenHeaders.test(name) || keyHeaders.includes(name.toLowerCase())
        : keyNamesOf(operation, document.securitySchemes, location).includes(name);
    if (isGiven) return 'request';
    const isOwn = location === 'cookie' || (location === 'header' && ownHeaders.test(name));
    return isOwn ? 'nowhere' : 'argument';
  };
};

/** Names the required parameters without which an operation cannot be called, and which no agent can give. */
export const missingIn = (operation: Operation, document: ApiDocument): string[] =>
  operation.parameters
    .filter((one) => one.required && originIn(operation, document)(one) === 'nowhere')
    .map(({ in: location, name }) => `the ${location} ${name}`);

const parametersOf = (operation: Operation, document: ApiDocument): ToolParameter[] => {
  const originOf = originIn(operation, document);
  const used = new Set<string>();
  return operation.parameters.flatMap((parameter) => {
    const { in: location, name } = parameter;
    if (location === 'cookie' || originOf(parameter) !== 'argument') return [];
    const group = location === 'querystring' ? 'query' : location;
    const plain = isPropertyName(name) ? name : name.replaceAll(/[^\w.-]+/g, '_').slice(0, 57);
    const isFree = plain !== '' && !used.has(`${group} ${plain}`);
    const key = isFree ? plain : hashed(plain, name);
    used.add(`${group} ${key}`);
    return [{ parameter, group, key }];
  });
};

/** The formats of bodies, the one that agents write best first. */
const formats = ['json', 'form', 'multipart', 'lines', 'text', undefined, 'yaml', 'xml'];

const contentOf = ({ requestBody }: Operation, { codecs, shapeOf }: SchemaContext) => {
  const rank = (content: MediaType): number => {
    if (/^multipart\//i.test(content.key)) return formats.indexOf('multipart');
    const shape = shapeOf(valueSchema(content) ?? anySchema);
    const at = formats.indexOf(codecs.contentCodec(concreteMediaType(content.key), shape)?.name);
    return at < 0 ? formats.length : at;
  };
  return requestBody?.content.toSorted((one, other) => rank(one) - rank(other))[0];
};

/** Tells whether a body is sent as it is, in one piece: no codec writes its media type. */
export const isUncoded = (content: MediaType, { codecs, shapeOf }: SchemaContext): boolean => {
  const mediaType = concreteMediaType(content.key);
  const shape = shapeOf(valueSchema(content) ?? anySchema);
  return !/^multipart\//i.test(mediaType) && codecs.contentCodec(mediaType, shape) === undefined;
};

type SchemaTools = SchemaContext & { readonly write: WriteSchema };

const groupSchema = (
  operation: Operation,
  parameters: readonly ToolParameter[],
  { shapeOf, write }: SchemaTools,
): JsonSchema | undefined => {
  const [first] = parameters;
  if (first === undefined) return undefined;
  if (first.parameter.in === 'querystring') return write(first.parameter.schema, 'request');
  const required = parameters
    .filter(
      ({ parameter }) => parameter.required && shapeOf(parameter.schema).defaultValue === undefined,
    )
    .map(({ key }) => key);
  // All schemas of a tool together have a bound; each parameter has its share.
  const share = Math.max(200, Math.floor(mostCharacters / operation.parameters.length));
  const properties = parameters.map(({ parameter, key }) => {
    const written = write(parameter.schema, 'request', share);
    const text = parameter.description ?? '';
    const renamed = key === parameter.name ? '' : `${parameter.name}. `;
    const description = plainText(renamed + text, longestHint) || written['description'];
    return [key, { ...written, ...(description ? { description } : {}) }];
  });
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
};

const inputSchema = (
  operation: Operation,
  parameters: readonly ToolParameter[],
  content: MediaType | undefined,
  tools: SchemaTools,
): JsonSchema => {
  const groups = argumentGroups.flatMap((group) => {
    const members = parameters.filter((parameter) => parameter.group === group);
    const schema = groupSchema(operation, members, tools);
    if (schema === undefined) return [];
    const isRequired =
      'required' in schema ||
      members.some(({ parameter }) => parameter.in === 'querystring' && parameter.required);
    return [{ name: group as string, schema, isRequired }];
  });
  if (content !== undefined) {
    const declared = valueSchema(content) ?? anySchema;
    const isText = viewOf(declared).type === 'string' && !viewOf(declared).isBinary;
    const schema =
      isUncoded(content, tools) && !isText
        ? fileSchema(concreteMediaType(content.key), false)
        : tools.write(declared, 'request');
    const isRequired = operation.requestBody?.required === true;
    groups.push({ name: 'body', schema, isRequired });
  }
  const required = groups.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(groups.map(({ name, schema }) => [name, schema])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
};

/** Finds the one JSON content of the one success, where every success is such an object, or such a list. */
const outputOf = ({ responses }: Operation, { codecs, shapeOf }: SchemaContext) => {
  const [success, ...others] = successesOf(responses);
  if (success === undefined || others.length > 0 || isContentless(success.key)) return undefined;
  if (!/^2\d\d$/.test(success.key)) return undefined;
  const content = success.content.find(
    ({ key, schema }) => codecs.contentCodec(key, shapeOf(schema ?? anySchema))?.name === 'json',
  );
  const schema = content?.itemSchema === undefined ? content?.schema : undefined;
  if (schema === undefined) return undefined;
  const types = viewOf(schema).sharedTypes ?? [];
  if (types.length !== 1 || (types[0] !== 'object' && types[0] !== 'array')) return undefined;
  return { isList: types[0] === 'array', schema };
};

const outputSchema = (
  { isList, schema }: NonNullable<ReturnType<typeof outputOf>>,
  write: WriteSchema,
): JsonSchema => {
  const written = write(schema, 'response', 6 * 1024);
  if (isList) return { type: 'object', properties: { items: written }, required: ['items'] };
  const { anyOf: _, ...object } = written;
  return { ...object, type: 'object' };
};

const describe = (operation: Operation, words: string | undefined): string => {
  const { summary, description, method, path, deprecated, responses, security } = operation;
  const own = words ?? [summary, description].filter(Boolean).join('\n');
  const scopes = [...new Set(security.flatMap((one) => Object.values(one).flat()))];
  const needs = sufficientCredentials(operation, []).length === 0;
  const failures = responses.map(({ key }) => key).filter((key) => /^[45]/.test(key));
  return [
    plainText(own, 600),
    deprecated && 'Deprecated.',
    plainText(`${requestMethod(method)} ${path}`, 200),
    needs && `Needs credentials${scopes.length > 0 ? ` with ${scopes.join(', ')}` : ''}.`,
    failures.length > 0 && `Fails with ${failures.join(', ')}.`,
  ]
    .filter(Boolean)
    .join('\n');
};

const annotationsOf = ({ method }: Operation): ToolDefinition['annotations'] => {
  const token = requestMethod(method);
  if (isSafeMethod(token)) return { readOnlyHint: true, openWorldHint: false };
  return {
    readOnlyHint: false,
    destructiveHint: token === 'DELETE',
    idempotentHint: token === 'PUT' || token === 'DELETE',
    openWorldHint: false,
  };
};

/** Makes the tools of a document, in its order: of each operation that can be served and called, and is not hidden. */
export const toolsOf = (
  document: ApiDocument,
  tools: SchemaContext,
  { tags, only, readOnly = false, outputs = true }: ToolChoice = {},
): OperationTool[] => {
  const offered = document.operations
    .map((operation) => ({ operation, words: wordsOf(operation, document) }))
    .filter(({ operation, words }) => !words.isHidden && operation.invalidReason === undefined)
    .filter(({ operation }) => missingIn(operation, document).length === 0);
  const wanted = offered.map(({ operation, words }) => {
    const { operationId, hasId, method, path } = operation;
    return { operation, wanted: words.name ?? (hasId ? operationId : method + path) };
  });
  const names = nameTools(wanted);
  const write = schemaWriter(document, tools);
  return offered.flatMap(({ operation, words }, index) => {
    const name = names[index] ?? '';
    const isReading = isSafeMethod(requestMethod(operation.method));
    const isMeant =
      (tags?.some((tag) => operation.tags.includes(tag)) ?? true) &&
      (only?.some((one) => one === operation.operationId || one === name) ?? true) &&
      (isReading || !readOnly);
    if (!isMeant) return [];
    // Of most tools of a large document nothing but the name is ever asked for.
    const parts = lazy(() => ({
      parameters: parametersOf(operation, document),
      content: contentOf(operation, tools),
      output: outputOf(operation, tools),
    }));
    const definition = lazy((): ToolDefinition => {
      const { parameters, content, output } = parts();
      return {
        name,
        ...(operation.summary !== '' && { title: plainText(operation.summary, 120) }),
        description: describe(operation, words.description),
        inputSchema: inputSchema(operation, parameters, content, { ...tools, write }),
        ...(outputs && output && { outputSchema: outputSchema(output, write) }),
        annotations: annotationsOf(operation),
      };
    });
    return {
      ...{ name, operation, isReading },
      get parameters() {
        return parts().parameters;
      },
      get content() {
        return parts().content;
      },
      get output() {
        return parts().output;
      },
      get definition() {
        return definition();
      },
    };
  });
};
