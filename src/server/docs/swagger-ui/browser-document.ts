/** The document as Swagger UI is to read it: it must reach this server, and be able to ask for every scope. */

import { pointerTo } from '../../../base/json-pointer';
import { isPlainObject } from '../../../base/plain-object';
import type { Edits } from '../../../document/document-texts';
import type { ApiDocument } from '../../../engine';
import { deprecationWords } from '../../../model/deprecation';
import { isWholeAddress, type OAuthFlow, type SecurityScheme } from '../../../model/document';
import type { MediaType, Operation } from '../../../model/operation';

type Edit = readonly [pointer: string, fields: Edits[string]];

/** Gives each property of a form the value that the form's example has for it. One that the example leaves out starts empty: else it would start as 0. */
const formEdits = ({ key, schema, examples }: MediaType, body: string): readonly Edit[] => {
  const example = examples.map(({ value }) => value).find(isPlainObject);
  const isForm = /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(key);
  if (!isForm || example === undefined) return [];
  const properties = `${pointerTo(`${body}/content`, key)}/schema/properties`;
  return [...(schema?.properties?.keys() ?? [])].map((name) => [
    pointerTo(properties, name),
    { example: example[name] ?? '' },
  ]);
};

/** Gives as `value` the examples that OpenAPI 3.2 spells otherwise. */
const exampleEdits = ({ key, examples }: MediaType): readonly Edit[] =>
  examples
    .filter(({ isData, serialized }) => isData || serialized !== undefined)
    .map(({ pointer, value, serialized }) => {
      const shown = /\bjson\b/i.test(key) ? (value ?? serialized) : (serialized ?? value);
      return [pointer, { value: shown }];
    });

const flowsOf = (scheme: SecurityScheme): readonly (readonly [string, OAuthFlow])[] =>
  scheme.type === 'oauth2' ? Object.entries(scheme.flows) : [];

/** Lists the scopes of a flow, and those that operations require and it does not declare: they are granted, and the page lists only what it reads. */
const shownScopes = ({ scopes }: OAuthFlow, required: readonly string[]): OAuthFlow['scopes'] => {
  const missing = required.filter((scope) => !Object.hasOwn(scopes, scope));
  const added = missing.map((scope) => [scope, 'required by operations, not declared'] as const);
  return { ...scopes, ...Object.fromEntries(added) };
};

const requiredScopes = ({ operations }: ApiDocument, name: string): readonly string[] =>
  operations.flatMap(({ security }) => security.flatMap((requirement) => requirement[name] ?? []));

/** The demo credentials, for schemes to name. */
export interface DemoCredentials {
  readonly username: string;
  readonly password: string;
  readonly apiKey: string;
  /** The addresses of the authorization server that knows the login begin with this. */
  readonly signInBase: string;
}

const addressesOf = (scheme: SecurityScheme): readonly string[] =>
  flowsOf(scheme).flatMap(
    ([, flow]) => flow.authorizationUrl ?? flow.deviceAuthorizationUrl ?? flow.tokenUrl ?? [],
  );

const demoSentence = (scheme: SecurityScheme, demo: DemoCredentials): string | undefined => {
  if (scheme.type === 'apiKey') return `Demo key: \`${demo.apiKey}\``;
  const isBasic = scheme.type === 'http' && /^basic$/i.test(scheme.scheme);
  const isOwn =
    isBasic || addressesOf(scheme).some((address) => address.startsWith(demo.signInBase));
  return isOwn
    ? `Demo login: \`${demo.username}\` with the password \`${demo.password}\``
    : undefined;
};

/** Completes the scopes of a scheme, and names the demo credentials in its description, which the dialog of credentials shows. */
const schemeEdits = (
  name: string,
  scheme: SecurityScheme,
  document: ApiDocument,
  demo: DemoCredentials | undefined,
): readonly Edit[] => {
  const pointer = pointerTo('/components/securitySchemes', name);
  const required = requiredScopes(document, name);
  const sentence = demo && demoSentence(scheme, demo);
  const description = [scheme.description, sentence].filter(Boolean).join('\n\n');
  return [
    ...flowsOf(scheme).map(
      ([key, flow]): Edit => [
        pointerTo(`${pointer}/flows`, key),
        { scopes: shownScopes(flow, required) },
      ],
    ),
    ...(sentence === undefined ? [] : [[pointer, { description }] as const]),
  ];
};

/** Lists every scope that the page can ask for. */
export const knownScopes = (document: ApiDocument): readonly string[] => {
  const scopes = [...document.securitySchemes].flatMap(([name, scheme]) => {
    const required = requiredScopes(document, name);
    return flowsOf(scheme).flatMap(([, flow]) => Object.keys(shownScopes(flow, required)));
  });
  return [...new Set(scopes)];
};

/** Gives the addresses that tokens come from: of the first step of each flow. */
export const tokenAddresses = ({ securitySchemes }: ApiDocument): readonly string[] => [
  ...new Set([...securitySchemes.values()].flatMap(addressesOf).filter(isWholeAddress)),
];

/**
 * Lists what the page's document says differently. Its first server is where this program mounts the service, whatever host the
 * document names.
 *
 * @param demo - undefined where they are not offered
 */
export const browserEdits = (
  document: ApiDocument,
  isMocked: (operation: Operation) => boolean,
  demo?: DemoCredentials,
): Edits => {
  const { basePath, operations, securitySchemes } = document;
  return Object.fromEntries<Edits[string]>([
    ['', { servers: [{ url: basePath || '/' }] }],
    ...operations.flatMap((operation): Edit[] => {
      const { pointer, summary, description } = operation;
      const dates = deprecationWords(operation);
      const fields = {
        ...(isMocked(operation) && { summary: `Mock: ${summary || 'no handler yet'}` }),
        ...(dates && { description: `Deprecated: ${dates}.\n\n${description}`.trim() }),
      };
      return Object.keys(fields).length === 0 ? [] : [[pointer, fields]];
    }),
    ...operations.flatMap((operation) => {
      const { pointer, requestBody, responses } = operation;
      const body = requestBody?.content ?? [];
      const contents = [...body, ...responses.flatMap(({ content }) => content)];
      return [
        ...body.flatMap((content) => formEdits(content, `${pointer}/requestBody`)),
        ...contents.flatMap(exampleEdits),
        // Responses may have a summary alone from OpenAPI 3.2 on; their description is shown.
        ...responses
          .filter(({ pointer: at, description }) => at !== '' && description !== '')
          .filter(({ pointer: at }) => document.spelledAt(`${at}/description`) === undefined)
          .map(({ pointer: at, description }): Edit => [at, { description }]),
      ];
    }),
    ...[...securitySchemes].flatMap(([name, scheme]) => schemeEdits(name, scheme, document, demo)),
  ]);
};
