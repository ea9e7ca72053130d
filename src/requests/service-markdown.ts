/** Writes the documentation of a service as Markdown, with the line of curl that sends a request of each operation. */

import { lineText } from '../base/json/write-json';
import { isPlainObject } from '../base/plain-object';
import { attempt } from '../base/recover';
import { documentMarkdown } from '../document/document-markdown';
import { filledTemplate } from '../document/read/templates';
import type { ApiDocument, SchemaContext } from '../engine';
import { keyNamesOf, type Model, type SecurityScheme } from '../model/document';
import {
  type Method,
  type Operation,
  type Parameter,
  type RequestBody,
  requestMethod,
} from '../model/operation';
import { exampleOf, type Sampler, sampler } from '../schema/samples/shown-value';
import { isBasic } from './credentials';
import { encodeParameters } from './encode-parameters';

const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const credentialArguments = (scheme: SecurityScheme | undefined): string => {
  if (scheme === undefined || scheme.type === 'mutualTLS') return '';
  if (scheme.type === 'apiKey') {
    if (scheme.in === 'query') return '';
    return scheme.in === 'header'
      ? ` -H ${shellWord(`${scheme.name}: KEY`)}`
      : ` -b ${shellWord(`${scheme.name}=KEY`)}`;
  }
  return isBasic(scheme) ? ' -u USER:PASSWORD' : " -H 'Authorization: Bearer TOKEN'";
};

const bodyArguments = (body: RequestBody | undefined, sample: Sampler): string => {
  const contents = body?.content ?? [];
  const content = contents.find(({ key }) => /json/i.test(key)) ?? contents[0];
  if (content === undefined) return '';
  const formOptions = new Map([
    ['application/x-www-form-urlencoded', '--data-urlencode'],
    ['multipart/form-data', '-F'],
  ]);
  const option = formOptions.get(content.key);
  const value = sample(content);
  if (option === undefined || !isPlainObject(value)) {
    return ` -H ${shellWord(`Content-Type: ${content.key}`)} -d ${shellWord(exampleOf(content, sample))}`;
  }
  const members = Object.entries(value).map(([name, member]) => `${name}=${lineText(member)}`);
  return members.map((member) => ` ${option} ${shellWord(member)}`).join('');
};

/** Writes the command that sends a request with all that is required. */
export const curlLine = (
  { securitySchemes }: Pick<Model, 'securitySchemes'>,
  operation: Operation,
  url: string,
  sample: Sampler,
  tools: SchemaContext,
): string => {
  const { method, path, requestBody, security } = operation;
  const givenTo = (parameter: Parameter) =>
    parameter.required ? (sample(parameter) ?? '') : undefined;
  // The example of one may be what no request can say.
  const encoded =
    attempt(() => encodeParameters(operation, givenTo, tools)) ??
    encodeParameters(operation, ({ required, name }) => (required ? name : undefined), tools);
  const filled = filledTemplate(path, (name) => encoded.path[name] ?? `{${name}}`);
  const schemes = Object.keys(security[0] ?? {}).map((name) => securitySchemes.get(name));
  const keys = keyNamesOf({ security: security.slice(0, 1) }, securitySchemes, 'query');
  const query = [encoded.query, ...keys.map((name) => `${encodeURIComponent(name)}=KEY`)].filter(
    Boolean,
  );
  const { cookie, ...fields } = encoded.headers;
  const headers = [
    ...Object.entries(fields).map(([name, value]) => ` -H ${shellWord(`${name}: ${value}`)}`),
    ...(cookie === undefined ? [] : [` -b ${shellWord(cookie)}`]),
  ];
  const target = query.length > 0 ? `${filled}?${query.join('&')}` : filled;
  // A method may hold what a shell would run (RFC 9110 section 5.6.2).
  const name = requestMethod(method);
  const verbs = new Map<Method, string>([
    ['get', ''],
    ['head', ' -I'],
  ]);
  // By itself curl sends a body by POST.
  const known = requestBody === undefined ? verbs.get(method) : undefined;
  const verb = known ?? ` -X ${/^[\w-]+$/.test(name) ? name : shellWord(name)}`;
  return `curl${verb} ${shellWord(url + target)}${schemes.map(credentialArguments).join('')}${headers.join('')}${bodyArguments(requestBody, sample)}`;
};

/** A service that is documented. */
export interface MarkdownService {
  readonly document: ApiDocument;
  readonly tools: SchemaContext;
  /** The URL that it is reached at, without a trailing slash. */
  readonly url: string;
  /** Tells whether mocks answer an operation. */
  isMocked(operation: Operation): boolean;
}

/** Writes the documentation in parts, some for each operation and one for each schema. */
export const serviceMarkdown = (service: MarkdownService): Iterable<string> => {
  const { document, tools, url, isMocked } = service;
  const sample = sampler(tools);
  return documentMarkdown(document, {
    ...{ url, isMocked },
    curlLine: (operation) => curlLine(document, operation, url, sample, tools),
  });
};
