/** A request of an operation as a command of curl. */

import type { OpenAPIV3 } from 'openapi-types';
import {
  type MediaType,
  type Operation,
  type Parameter,
  securitySchemesOf,
  writeJson,
} from '../../../engine';
import {
  exampleOfParameter,
  pathText,
  plainText,
  prettyJson,
  queryFields,
  shellWord,
} from './example-text';
import { bodyExample } from './illustrate';
import type { Reference } from './reference';

type Given = readonly (readonly [Parameter, unknown])[];

const header = (line: string): string => `-H ${shellWord(line)}`;

const schemesOf = ({ security }: Operation, { document }: Reference) => {
  const [requirement = {}] = security;
  const declared = securitySchemesOf(document);
  return Object.keys(requirement).map((name) => declared.get(name));
};

type Scheme = OpenAPIV3.SecuritySchemeObject | undefined;

const httpOption = ({ scheme }: OpenAPIV3.HttpSecurityScheme): string =>
  scheme.toLowerCase() === 'basic'
    ? "-u 'NAME:PASSWORD'"
    : header(`Authorization: ${scheme} TOKEN`);

const keyOption = (scheme: OpenAPIV3.ApiKeySecurityScheme): string | undefined => {
  if (scheme.in === 'header') return header(`${scheme.name}: API_KEY`);
  return scheme.in === 'cookie' ? `-b ${shellWord(`${scheme.name}=API_KEY`)}` : undefined;
};

const schemeOption = (scheme: Scheme): string | undefined => {
  if (scheme === undefined) return undefined;
  if (scheme.type === 'apiKey') return keyOption(scheme);
  return scheme.type === 'http' ? httpOption(scheme) : header('Authorization: Bearer TOKEN');
};

/** Options that carry the credentials of the first requirement; the words in capitals are the reader's to fill in. */
const credentialOptions = (operation: Operation, reference: Reference): readonly string[] => {
  const needsLogin = operation.loggedInUser?.required === true && operation.security.length === 0;
  const login = needsLogin ? [header('Authorization: Bearer LOGIN_TOKEN')] : [];
  const options = schemesOf(operation, reference).map(schemeOption);
  return [...login, ...options].filter((option) => option !== undefined);
};

/** Keys that are sent in the query (OAS 3.0.3, Security Scheme Object). */
const keyFields = (operation: Operation, reference: Reference): readonly string[] =>
  schemesOf(operation, reference).flatMap((scheme) =>
    scheme?.type === 'apiKey' && scheme.in === 'query'
      ? [`${encodeURIComponent(scheme.name)}=API_KEY`]
      : [],
  );

const partOptions = (value: unknown): readonly string[] =>
  Object.entries(Object(value)).map(([name, part]) =>
    typeof part === 'object'
      ? `-F ${shellWord(`${name}=${writeJson(part)}`)}`
      : `-F ${shellWord(`${name}=${String(part)}`)}`,
  );

const bodyOptions = (media: MediaType | undefined, reference: Reference): readonly string[] => {
  if (media === undefined) return [];
  const type = media.key.includes('*') ? 'application/octet-stream' : media.key;
  const value = bodyExample(media, reference.document.references);
  if (/^multipart\//i.test(type)) return partOptions(value);
  const contentType = header(`Content-Type: ${type}`);
  if (/\bjson\b/i.test(type) && typeof value !== 'string' && value !== undefined) {
    return [contentType, `-d ${shellWord(prettyJson(value))}`];
  }
  const written = reference.writeExample({ ...media, key: type }, value);
  const isText = written !== undefined && !/octet-stream|^(image|audio|video)\//i.test(type);
  return [contentType, isText ? `-d ${shellWord(written)}` : "--data-binary '@FILE'"];
};

const addressOf = (operation: Operation, given: Given, reference: Reference): string => {
  const path = given
    .filter(([parameter]) => parameter.in === 'path')
    .reduce(
      (filling, [parameter, value]) =>
        filling.replaceAll(`{${parameter.name}}`, () => pathText(parameter, value)),
      operation.path,
    );
  const fields = given
    .filter(([parameter]) => parameter.in === 'query')
    .flatMap(([parameter, value]) => queryFields(parameter, value))
    .map(([name, value]) => `${name}=${value}`);
  const query = [...fields, ...keyFields(operation, reference)].join('&');
  return reference.address + path + (query && `?${query}`);
};

/** The command, an option a line. */
export const curlCommand = (operation: Operation, reference: Reference): string => {
  const { references } = reference.document;
  const given: Given = operation.parameters.flatMap((parameter) => {
    const value = exampleOfParameter(parameter, references);
    return value === undefined ? [] : [[parameter, value] as const];
  });
  const headers = given
    .filter(([parameter]) => parameter.in === 'header')
    .map(([parameter, value]) => header(`${parameter.name}: ${plainText(parameter, value)}`));
  const cookies = given
    .filter(([parameter]) => parameter.in === 'cookie')
    .map(
      ([parameter, value]) => `-b ${shellWord(`${parameter.name}=${plainText(parameter, value)}`)}`,
    );
  const method = operation.method === 'get' ? '' : `-X ${operation.method.toUpperCase()} `;
  return [
    `curl ${method}${shellWord(addressOf(operation, given, reference))}`,
    ...credentialOptions(operation, reference),
    ...headers,
    ...cookies,
    ...bodyOptions(operation.requestBody?.content[0], reference),
  ].join(' \\\n  ');
};
