/** The document as Swagger UI is to read it: it must reach this server, and be able to ask for every scope. */

import type { OpenAPIV3 } from 'openapi-types';
import type { ApiDocument, Operation, References } from '../../../engine';

type Schema = OpenAPIV3.SchemaObject | OpenAPIV3.ReferenceObject;
type Content = Readonly<Record<string, OpenAPIV3.MediaTypeObject>>;

const formTypes = /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i;

/** The first example that is an object. */
const exampleOf = (
  { example, examples = {} }: OpenAPIV3.MediaTypeObject,
  references: References,
): Readonly<Record<string, unknown>> | undefined => {
  const named = Object.values(examples).map(
    (entry) => references.find<OpenAPIV3.ExampleObject>(entry)?.value,
  );
  return [example, ...named].find((value) => typeof value === 'object' && value !== null);
};

/** A property with the example's value as its own. What the example leaves out starts empty: else it would start as 0. */
const withExample = (schema: Schema, value: unknown, references: References): Schema => {
  const followed = references.find<OpenAPIV3.SchemaObject>(schema);
  return followed === undefined ? schema : { ...followed, example: value ?? '' };
};

const formWithExample = (
  mediaType: OpenAPIV3.MediaTypeObject,
  references: References,
): OpenAPIV3.MediaTypeObject => {
  const example = exampleOf(mediaType, references);
  const schema = references.find<OpenAPIV3.SchemaObject>(mediaType.schema);
  if (example === undefined || schema?.properties === undefined) return mediaType;
  const properties = Object.entries(schema.properties).map(([name, property]) => [
    name,
    withExample(property, example[name], references),
  ]);
  return { ...mediaType, schema: { ...schema, properties: Object.fromEntries(properties) } };
};

const bodyWithExamples = (
  body: OpenAPIV3.RequestBodyObject,
  references: References,
): OpenAPIV3.RequestBodyObject => {
  const content: Content = body.content ?? {};
  const changed = Object.entries(content).map(([key, mediaType]) => [
    key,
    formTypes.test(key) ? formWithExample(mediaType, references) : mediaType,
  ]);
  return { ...body, content: Object.fromEntries(changed) };
};

const isOperation = (value: unknown): value is OpenAPIV3.OperationObject =>
  typeof value === 'object' && value !== null && 'requestBody' in value;

const operationWithExamples = (value: unknown, references: References): unknown => {
  if (!isOperation(value)) return value;
  const body = references.find<OpenAPIV3.RequestBodyObject>(value.requestBody);
  if (body === undefined) return value;
  return { ...value, requestBody: bodyWithExamples(body, references) };
};

/** The document's paths, with the examples of forms in their properties. */
const pathsWithFormExamples = ({ definition, references }: ApiDocument): object =>
  Object.fromEntries(
    Object.entries(definition.paths).map(([path, item]) => [
      path,
      Object.fromEntries(
        Object.entries(item ?? {}).map(([key, value]) => [
          key,
          operationWithExamples(value, references),
        ]),
      ),
    ]),
  );

type Flow = { readonly scopes?: Readonly<Record<string, string>> };
type Flows = Readonly<Record<string, Flow>>;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Faulty flows are reported elsewhere, and stay in the document. */
const isOAuth = (scheme: unknown): scheme is { readonly type: 'oauth2'; readonly flows: Flows } => {
  if (!isObject(scheme) || Reflect.get(scheme, 'type') !== 'oauth2') return false;
  const flows: unknown = Reflect.get(scheme, 'flows');
  return isObject(flows) && Object.values(flows).every(isObject);
};

/** The scopes that operations require of a scheme. */
const requiredScopes = ({ operations }: ApiDocument, name: string): readonly string[] =>
  operations.flatMap(({ security }) => security.flatMap((requirement) => requirement[name] ?? []));

/** A flow with the scopes that are required and not declared: they are granted, and the page lists only what it reads. */
const withRequired = (flow: Flow, required: readonly string[]): Flow => {
  const declared = flow.scopes ?? {};
  const missing = required.filter((scope) => !Object.hasOwn(declared, scope));
  const added = missing.map((scope) => [scope, 'required by operations, not declared']);
  return { ...flow, scopes: { ...declared, ...Object.fromEntries(added) } };
};

type Schemes = Readonly<Record<string, unknown>>;

const schemesOf = ({ definition, references }: ApiDocument): Schemes =>
  Object.fromEntries(
    Object.entries(definition.components?.securitySchemes ?? {}).map(([name, scheme]) => [
      name,
      references.find<OpenAPIV3.SecuritySchemeObject>(scheme) ?? scheme,
    ]),
  );

const withAllScopes = (document: ApiDocument): Schemes =>
  Object.fromEntries(
    Object.entries(schemesOf(document)).map(([name, scheme]) => {
      if (!isOAuth(scheme)) return [name, scheme];
      const required = requiredScopes(document, name);
      const flows = Object.entries(scheme.flows).map(([key, flow]) => [
        key,
        key.startsWith('x-') ? flow : withRequired(flow, required),
      ]);
      return [name, { ...scheme, flows: Object.fromEntries(flows) }];
    }),
  );

/** The demo credentials, for schemes to name. */
export interface DemoCredentials {
  readonly username: string;
  readonly password: string;
  readonly apiKey: string;
  /** The addresses of the authorization server that knows the login begin with this. */
  readonly signInBase: string;
}

const addressesOf = ({ flows }: { readonly flows: Flows }): readonly string[] =>
  Object.values(flows)
    .map((flow): unknown => Reflect.get(flow, 'authorizationUrl') ?? Reflect.get(flow, 'tokenUrl'))
    .filter((address) => typeof address === 'string');

/** The sentence that offers the demo credentials where a scheme takes them. */
const demoSentence = (scheme: unknown, demo: DemoCredentials): string | undefined => {
  if (isOAuth(scheme)) {
    const isOwn = addressesOf(scheme).some((address) => address.startsWith(demo.signInBase));
    return isOwn
      ? `Demo login: \`${demo.username}\` with the password \`${demo.password}\``
      : undefined;
  }
  const isKey = isObject(scheme) && Reflect.get(scheme, 'type') === 'apiKey';
  return isKey ? `Demo key: \`${demo.apiKey}\`` : undefined;
};

/** The schemes, whose descriptions the dialog of credentials shows, with the demo credentials in them. */
const withDemo = (schemes: Schemes, demo: DemoCredentials): Schemes =>
  Object.fromEntries(
    Object.entries(schemes).map(([name, scheme]) => {
      const sentence = demoSentence(scheme, demo);
      if (sentence === undefined || !isObject(scheme)) return [name, scheme];
      const given: unknown = Reflect.get(scheme, 'description');
      const description = [given, sentence].filter(Boolean).join('\n\n');
      return [name, { ...scheme, description }];
    }),
  );

/** Every scope that the page can ask for. */
export const knownScopes = (document: ApiDocument): readonly string[] => {
  const flows = Object.values(withAllScopes(document))
    .filter(isOAuth)
    .flatMap((scheme) => Object.values(scheme.flows));
  return [...new Set(flows.flatMap(({ scopes }) => Object.keys(scopes ?? {})))];
};

/** Gives the addresses that tokens come from: of the first step of each flow. */
export const tokenAddresses = (document: ApiDocument): readonly string[] => {
  const addresses = Object.values(schemesOf(document)).filter(isOAuth).flatMap(addressesOf);
  return [...new Set(addresses)];
};

const isNamed = (value: unknown): value is { readonly summary?: string } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The paths, with a word in the summary of each operation that has a mock in place of a handler. */
const pathsWithMarks = (
  document: ApiDocument,
  isMocked: (operation: Operation) => boolean,
): object => {
  const paths = { ...pathsWithFormExamples(document) };
  for (const { path, method } of document.operations.filter(isMocked)) {
    const item: object = Reflect.get(paths, path) ?? {};
    const operation: unknown = Reflect.get(item, method);
    if (!isNamed(operation)) continue;
    const summary = `Mock: ${operation.summary ?? 'no handler yet'}`;
    Reflect.set(paths, path, { ...item, [method]: { ...operation, summary } });
  }
  return paths;
};

/**
 * The first server is where this program mounts the service, whatever host the document names.
 *
 * @param demo - undefined where they are not offered
 */
export const browserDocument = (
  document: ApiDocument,
  isMocked: (operation: Operation) => boolean,
  demo?: DemoCredentials,
): object => {
  const { definition, basePath } = document;
  const { components } = definition;
  const schemes = withAllScopes(document);
  const securitySchemes = demo === undefined ? schemes : withDemo(schemes, demo);
  return {
    ...definition,
    servers: [{ url: basePath || '/' }],
    paths: pathsWithMarks(document, isMocked),
    ...(components === undefined ? {} : { components: { ...components, securitySchemes } }),
  };
};
