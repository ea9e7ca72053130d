/** Rules on the document as a whole: its version, addresses, references, servers, tags and security. */

import type { OpenAPIV3 } from 'openapi-types';
import {
  pointerOf,
  pointerOfFragment,
  pointerSteps,
  pointerTo,
  valueAt,
} from '../../base/json-pointer';
import { isPlainObject, ownText } from '../../base/plain-object';
import { recover } from '../../base/recover';
import { nearestName } from '../../base/text/nearest-name';
import { UnresolvableReference } from '../../model/schema';
import { formats } from '../../schema/validation/checks/formats';
import { errorOf, type UnplacedDiagnostic, warningOf } from '../diagnostics/diagnostic';
import { serverPath, serverUrl, templateNames } from '../read/templates';
import { splitReference } from '../references/schema-resources';
import type { DocumentObject } from '../structure/positions';
import { dialectError } from '../versions/schema-keywords';
import type { Version } from '../versions/versions';
import { type CheckObject, checkEach, type Rule, type RuleContext, repeated, ruleOf } from './rule';

const addressAdvice = {
  url: 'a URL. Write one such as https://example.com/about',
  uri: 'a URI. Write one such as https://example.com/api',
  email: 'an email address. Write one such as help@example.com',
} as const;

/** Makes the check of fields that are addresses; URLs may be relative (OAS 3.0.4, Relative References in URLs). */
const addressCheck =
  (fields: Readonly<Record<string, keyof typeof addressAdvice>>): CheckObject =>
  ({ value, pointer, name }, { structure: { types } }) =>
    Object.entries(fields).flatMap(([field, kind]) => {
      const text = value[field];
      const format = formats.get(kind === 'email' ? 'email' : 'uri-reference');
      const isKnown = Object.hasOwn(types[name].fields, field);
      if (!isKnown || typeof text !== 'string' || format?.accepts(text) !== false) return [];
      const message = `\`${field}\` is not ${addressAdvice[kind]}, or remove it.`;
      return [errorOf('address')(`${pointer}/${field}`, message)];
    });

const legalAddresses = ruleOf({
  OpenAPI: addressCheck({ $self: 'uri' }),
  Info: addressCheck({ termsOfService: 'url' }),
  Contact: addressCheck({ url: 'url', email: 'email' }),
  License: addressCheck({ url: 'url' }),
  ExternalDocumentation: addressCheck({ url: 'url' }),
});

const publishedVersion = ruleOf({
  OpenAPI: ({ value: { openapi } }, { structure: { version } }) => {
    if (typeof openapi !== 'string' || /^3\.\d\.\d+$/.test(openapi)) return [];
    const message = `${openapi} is not a version of OpenAPI; the document is read as OpenAPI ${version.name}. Write openapi: ${version.newest}.`;
    return [warningOf('version')('/openapi', message)];
  },
});

const knownDialect = ruleOf({
  OpenAPI: ({ value }, { structure: { version } }) => {
    const error = dialectError(ownText(value, 'jsonSchemaDialect'), version.dialect);
    if (error === undefined) return [];
    return [errorOf('dialect')('/jsonSchemaDialect', `${error.message} ${error.advice}`)];
  },
});

/** Suggests the reference that was meant, where its last step is nearly an existing name. */
const suggestion = (ref: string, definition: object): string => {
  const [file = '', fragment = ''] = ref.split('#');
  const steps = pointerSteps(pointerOfFragment(fragment) ?? '');
  const parent = file === '' ? valueAt(definition, pointerOf(steps.slice(0, -1))) : undefined;
  const name = steps.at(-1) ?? '';
  const meant =
    isPlainObject(parent) && !Object.hasOwn(parent, name) && nearestName(name, Object.keys(parent));
  return meant ? ` Did you mean #${pointerOf([...steps.slice(0, -1), meant])}?` : '';
};

const referenceDiagnostics = (
  key: '$ref' | '$dynamicRef',
  { value, name, pointer: at }: DocumentObject,
  { references, definition, structure }: RuleContext,
): UnplacedDiagnostic[] => {
  const ref = ownText(value, key);
  if (ref === undefined) return [];
  const pointer = `${at}/${key}`;
  const { orFlag = false } = structure.types[name];
  const error = recover(
    () => void references.resolve(ref, { holder: value, key, orFlag }),
    UnresolvableReference,
    ({ message }) => message,
  );
  if (error === undefined) {
    const [uri, fragment] = splitReference(ref);
    if (uri !== '' || !fragment.includes('/') || fragment.startsWith('/')) return [];
    const message = `Write #/${fragment}: a reference into a document begins with a slash.`;
    return [warningOf('reference')(pointer, message)];
  }
  const isPath = name === 'PathItem';
  const effect = isPath
    ? 'The path is not served. Correct the reference.'
    : 'Operations that need it are not served. Correct the reference, or add its target.';
  const make = isPath ? errorOf : warningOf;
  return [make('reference')(pointer, `${error}.${suggestion(ref, definition)} ${effect}`)];
};

const resolvableReferences: Rule = (context) =>
  checkEach(context.objects, (object) => {
    const { reference, fields } = context.structure.types[object.name];
    const keys = (['$ref', '$dynamicRef'] as const).filter((key) =>
      key === '$ref' ? reference !== 'none' : Object.hasOwn(fields, key),
    );
    return keys.flatMap((key) => referenceDiagnostics(key, object, context));
  });

const serverError = errorOf('server');
const serverWarning = warningOf('server');

const checkUrl: CheckObject = ({ value, pointer }, { structure: { version } }) => {
  const server: Partial<OpenAPIV3.ServerObject> = value;
  const { url, variables = {} } = server;
  if (url === undefined) return [];
  const undeclared = templateNames(url)
    .filter((name) => !Object.hasOwn(variables, name))
    .map(
      (name) => `The URL has the undeclared variable {${name}}. Declare it under \`variables\`.`,
    );
  // For a variable without a default, which another rule reports, 1 fits hosts, ports and paths alike.
  const filled = serverUrl(server, '1');
  const isUrl = serverPath({ url: filled }) !== undefined;
  // A rule of OAS 3.2.0, Server Object.
  const names = version.name < '3.2' ? [] : templateNames(url);
  const twice = repeated(names, (name) => name).map(
    ({ name }) => `The URL has the variable {${name}} twice. Give the second a name of its own.`,
  );
  const problems = [...undeclared, ...twice];
  const messages = isUrl ? problems : [...problems, `${filled} is not a URL. Correct it.`];
  return messages.map((message) => serverError(`${pointer}/url`, message));
};

/** Reports values that do not fit each other: a recommendation of OAS 3.0.4, a rule of 3.1.2 (Server Variable Object). */
const checkVariable: CheckObject = (
  { value: { enum: values, default: value }, pointer },
  { structure: { version } },
) => {
  if (!Array.isArray(values)) return [];
  if (values.length === 0) {
    const message =
      'The `enum` is empty. List the values that the variable may have, or remove `enum`.';
    return [serverWarning(`${pointer}/enum`, message)];
  }
  if (typeof value !== 'string' || values.includes(value)) return [];
  const message = `The default ${JSON.stringify(value)} is not among the values of \`enum\`. Add it there, or choose one of them.`;
  const make = version.serverDefaults === 'error' ? serverError : serverWarning;
  return [make(`${pointer}/default`, message)];
};

/** Reports names that are not unique (OAS 3.2.0, Server Object). */
const checkNames: CheckObject = ({ value: { servers }, pointer }, { structure: { types } }) => {
  if (!Object.hasOwn(types.Server.fields, 'name')) return [];
  const list: readonly { readonly name?: string }[] = Array.isArray(servers) ? servers : [];
  return repeated(list, ({ name }) => name).map(({ index, name }) => {
    const message = `Duplicate server name ${name}. Rename one of the two.`;
    return serverError(`${pointer}/servers/${index}/name`, message);
  });
};

const refuseServers: CheckObject = (object, context) => {
  const { value, pointer } = object;
  if (!Object.hasOwn(value, 'servers')) return [];
  const message =
    'These `servers` are ignored: everything is served below the first server of the document. Remove them.';
  return [
    warningOf('ignored-servers')(`${pointer}/servers`, message, true),
    ...checkNames(object, context),
  ];
};

const usableServers = ruleOf({
  OpenAPI: checkNames,
  Server: checkUrl,
  ServerVariable: checkVariable,
  PathItem: refuseServers,
  Operation: refuseServers,
});

const requirementViolation = (
  scheme: OpenAPIV3.SecuritySchemeObject | undefined,
  name: string,
  scopes: readonly string[],
  { hasRoles }: Version,
  pointer: string,
): UnplacedDiagnostic | undefined => {
  if (scheme === undefined) {
    const message = `The security scheme ${name} is not declared, and this requirement cannot be met. Declare it under components/securitySchemes.`;
    return errorOf('security')(pointer, message);
  }
  if (scheme.type === 'oauth2') {
    const declared = new Set(
      Object.values(scheme.flows ?? {}).flatMap((flow) => Object.keys(flow?.scopes ?? {})),
    );
    const missing = scopes.filter((scope) => !declared.has(scope));
    if (missing.length === 0) return undefined;
    const message = `The scheme ${name} does not declare the required scopes ${missing.join(', ')}. Add them to its flows.`;
    return warningOf('security')(pointer, message);
  }
  if (hasRoles || scheme.type === 'openIdConnect' || scopes.length === 0) return undefined;
  const message = `The scheme ${name} is of type ${scheme.type}, which has no scopes. Leave the list empty.`;
  return warningOf('security')(pointer, message);
};

const declaredSecurity: Rule = ({ definition, operations, webhooks, references, structure }) => {
  const schemes = definition.components?.securitySchemes ?? {};
  // The document's own requirements are reported once, not at each operation that they hold for.
  const own = [...operations, ...webhooks].filter(
    ({ security }) => security !== definition.security,
  );
  return [{ pointer: '', security: definition.security ?? [] }, ...own].flatMap(
    ({ security, pointer }) =>
      security.flatMap((requirement, index) =>
        Object.entries(requirement).flatMap(([name, scopes]) => {
          const entry = Object.hasOwn(schemes, name) ? schemes[name] : undefined;
          const scheme = references.find<OpenAPIV3.SecuritySchemeObject>(entry);
          const at = pointerTo(`${pointer}/security/${index}`, name);
          return requirementViolation(scheme, name, scopes, structure.version, at) ?? [];
        }),
      ),
  );
};

const addresses: Readonly<Record<string, readonly string[]>> = {
  implicit: ['authorizationUrl'],
  password: ['tokenUrl'],
  clientCredentials: ['tokenUrl'],
  authorizationCode: ['authorizationUrl', 'tokenUrl'],
  deviceAuthorization: ['deviceAuthorizationUrl', 'tokenUrl'],
};

const oauthFlows = ruleOf({
  OAuthFlows: ({ value, pointer }) =>
    Object.entries(addresses).flatMap(([type, fields]) => {
      const flow = value[type];
      return fields
        .filter((field) => isPlainObject(flow) && !Object.hasOwn(flow, field))
        .map((field) => `Add \`${field}\`, which the ${type} flow needs.`)
        .map((message) => errorOf('oauth-flow')(`${pointer}/${type}`, message));
    }),
});

/** The rules on the document as a whole, in the order in which their diagnostics are reported. */
export const documentRules: readonly Rule[] = [
  publishedVersion,
  knownDialect,
  legalAddresses,
  resolvableReferences,
  usableServers,
  declaredSecurity,
  oauthFlows,
];
