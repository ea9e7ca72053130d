/** Rules on messages: parameters have a location and a content, bodies can be read and written. */

import { pointerTo } from '../../base/json-pointer';
import { isPlainObject, type PlainObject } from '../../base/plain-object';
import { attempt } from '../../base/recover';
import { keyNamesOf } from '../../model/document';
import { isContentless, type Parameter, requestMethod } from '../../model/operation';
import { errorOf, type UnplacedDiagnostic, warningOf } from '../diagnostics/diagnostic';
import {
  isIgnoredHeader,
  isLocation,
  mayBeReserved,
  needsContent,
  querystringError,
  readParameter,
} from '../read/read-parameter';
import { referenceOf } from '../references/references';
import { ignoresBody, type Version } from '../versions/versions';
import { type CheckObject, type Rule, ruleOf } from './rule';

const parameterErrors = (parameter: Parameter, { styles }: Version): string[] => {
  const { name, in: location, style, explode } = parameter;
  const errors: string[] = [];
  if (location !== 'querystring' && !styles[location]?.includes(style)) {
    errors.push(`The style ${style} of parameter ${name} is not defined in ${location}.`);
  }
  if ((style === 'spaceDelimited' || style === 'pipeDelimited') && explode) {
    errors.push(`The style ${style} of parameter ${name} is not defined with explode: true.`);
  }
  if (parameter.allowEmptyValue && location !== 'query' && location !== 'querystring') {
    errors.push(`allowEmptyValue of parameter ${name} has no meaning in ${location}.`);
  }
  return errors;
};

const error = errorOf('parameter');

const contentErrors = (parameter: Readonly<PlainObject>, pointer: string, noun: string) => {
  const { schema, content } = parameter;
  if (!isPlainObject(content)) {
    const message = `Give this ${noun} a \`schema\` or a \`content\`; until then every value is accepted unchecked.`;
    return schema === undefined ? [error(pointer, message)] : [];
  }
  if (schema !== undefined) {
    const message =
      'Remove `schema` or `content`: there must be one of them, and `schema` is used.';
    return [error(`${pointer}/content`, message, true)];
  }
  const types = Object.keys(content);
  if (types.length === 1) return [];
  const message =
    types.length === 0
      ? 'Write one media type into `content`; until then every value is accepted.'
      : `Keep one media type in \`content\`: only ${types[0]} is used.`;
  return [error(`${pointer}/content`, message)];
};

const parameterDiagnostics = (
  parameter: Readonly<PlainObject>,
  pointer: string,
  version: Version,
): UnplacedDiagnostic[] => {
  const { name, in: location, required, content } = parameter;
  const found: UnplacedDiagnostic[] = [];
  if (isLocation(location, version)) {
    const isBare = location === 'querystring' && Object.keys(Object(content)).length === 0;
    if (isBare) found.push(error(pointer, needsContent(String(name))));
    else found.push(...contentErrors(parameter, pointer, 'parameter'));
  } else if (location !== undefined) {
    const known = Object.keys(version.styles);
    const advice = ['body', 'formData'].includes(String(location))
      ? 'Describe it by the `requestBody` of the operation.'
      : `Write ${known.slice(0, -1).join(', ')} or ${known.at(-1)}.`;
    found.push(error(`${pointer}/in`, `No parameter can be in ${String(location)}. ${advice}`));
  }
  if (location === 'path' && required !== true) {
    found.push(error(pointer, 'Add `required: true`; a path parameter is always there.'));
  }
  if (location === 'header' && typeof name === 'string' && isIgnoredHeader(name)) {
    const message = `The header parameter ${name} is ignored. Use \`security\`, \`requestBody\` or \`responses\` instead.`;
    found.push(warningOf('ignored-parameter')(pointer, message));
  }
  return found;
};

const parameterObjects = ruleOf({
  Header: ({ value, pointer }) =>
    referenceOf(value) === undefined ? contentErrors(value, pointer, 'header') : [],
  Parameter: ({ value, pointer }, { structure }) =>
    referenceOf(value) === undefined ? parameterDiagnostics(value, pointer, structure.version) : [],
});

/** Says which fields are of no use; flags may be there without being true. */
const uselessFields = (parameter: Readonly<PlainObject>, version: Version): string[] => {
  const { name, in: location, style } = parameter;
  const isReserved = isLocation(location, version) && mayBeReserved(location, style, version);
  // The fields by which a parameter with a `schema` is written (OAS 3.2.0, Fixed Fields for use with `schema`).
  const styleFields = ['style', 'explode', 'allowReserved', 'allowEmptyValue'];
  const useless =
    location === 'querystring' ? styleFields : ['allowReserved'].filter(() => !isReserved);
  const place = style === 'cookie' ? 'the style cookie' : String(location);
  return useless
    .filter((field) => Object.hasOwn(parameter, field))
    .map((field) => `${field} of parameter ${String(name)} has no meaning in ${place}.`);
};

/** Styles are defined for the parameter's location (OAS 3.0.3, Style Values). */
const parameterStyles = ruleOf({
  Parameter: ({ value, pointer }, context) => {
    const { name, in: location } = value;
    const { version } = context.structure;
    if (typeof name !== 'string' || !isLocation(location, version)) return [];
    // Another rule reports a parameter that cannot be read.
    const read = attempt(() => readParameter(name, location, value, pointer, context));
    const errors = read === undefined ? [] : parameterErrors(read, version);
    const advice = 'Leave it out, or choose what the specification defines there.';
    return [...errors, ...uselessFields(value, version)].map((message) =>
      warningOf('parameter-style')(pointer, `${message} ${advice}`),
    );
  },
});

/** Reports what shares the query string with a parameter that is all of it (OAS 3.2.0, Parameter Locations). */
const queryStrings: Rule = ({ operations, webhooks, securitySchemes }) => {
  const found = [...operations, ...webhooks].flatMap((operation) => {
    const whole = operation.parameters.find((parameter) => parameter.in === 'querystring');
    if (whole === undefined) return [];
    const message = querystringError(operation.parameters);
    const [key] = keyNamesOf(operation, securitySchemes, 'query');
    const isForm = /^application\/x-www-form-urlencoded\b/i.test(whole.mediaType ?? '');
    const advice = `The API key ${key} of ${operation.operationId} is a part of the query string, which is ${whole.mediaType} as a whole. Move it into a header, or describe a form.`;
    return [
      ...(message === undefined ? [] : [error(whole.pointer, message)]),
      ...(key === undefined || isForm ? [] : [warningOf('parameter')(whole.pointer, advice)]),
    ];
  });
  // Operations may share a parameter.
  return new Map(
    found.map((diagnostic) => [`${diagnostic.pointer} ${diagnostic.message}`, diagnostic]),
  ).values();
};

const meaningfulBodies = ruleOf({
  Operation: ({ value, pointer }, { structure: { version } }) => {
    if (/\/query$/.test(pointer) && !Object.hasOwn(value, 'requestBody')) {
      const message = 'The operation takes no query. Describe it by `requestBody`, or use GET.';
      return [warningOf('request-body')(pointer, message, true)];
    }
    // RFC 9110 section 9.3.8: TRACE has none in any version.
    const isIgnored = pointer.endsWith('/trace') || ignoresBody(version, pointer);
    if (!isIgnored || !Object.hasOwn(value, 'requestBody')) return [];
    const method = pointer.slice(pointer.lastIndexOf('/') + 1);
    const message = `The body of ${requestMethod(method)} has no meaning and is not read. Remove it, or use another method.`;
    return [warningOf('request-body')(`${pointer}/requestBody`, message, true)];
  },
});

const reachableResponses = ruleOf({
  Operation: ({ value: { responses }, pointer }, { references }) =>
    Object.entries(isPlainObject(responses) ? responses : {}).flatMap(([key, response]) => {
      const declared = isPlainObject(response) ? references.find(response) : undefined;
      const isInterim = /^1(\d\d|XX)$/.test(key);
      if (!isInterim && !(isContentless(key) && Object.hasOwn(declared ?? {}, 'content')))
        return [];
      const message = isInterim
        ? `The status ${key} is not final, and this response is never sent. Remove it.`
        : `A response with ${key} has no content, and what is declared is not sent. Remove \`content\`.`;
      const at = pointerTo(`${pointer}/responses`, key);
      return [warningOf('unreachable-response')(at, message, true)];
    }),
});

/** Makes the check of pairs of fields, of which an object may have one. */
const exclude =
  (...pairs: readonly (readonly [one: string, other: string])[]): CheckObject =>
  ({ value, pointer, name }, { structure: { types } }) => {
    // Other rules report fields that the version does not have.
    const has = (key: string) =>
      Object.hasOwn(value, key) && Object.hasOwn(types[name].fields, key);
    return pairs
      .filter(([one, other]) => has(one) && has(other))
      .map(([one, other]) => {
        const message = `Remove \`${one}\` or \`${other}\`: they exclude each other.`;
        return errorOf('exclusive-fields')(`${pointer}/${other}`, message, true);
      });
  };

const examples = ['example', 'examples'] as const;
const encodings = (['prefixEncoding', 'itemEncoding'] as const).map(
  (key) => ['encoding', key] as const,
);

const exclusiveFields = ruleOf({
  MediaType: exclude(examples, ...encodings),
  Encoding: exclude(...encodings),
  Parameter: exclude(examples),
  Header: exclude(examples),
  Example: exclude(
    ['value', 'externalValue'],
    ['value', 'dataValue'],
    ['value', 'serializedValue'],
    ['serializedValue', 'externalValue'],
  ),
  Link: exclude(['operationRef', 'operationId']),
  License: exclude(['url', 'identifier']),
});

/** Encodings by position are those of the items of a list (OAS 3.2.0, Encoding By Position). */
const positionedEncodings = ruleOf({
  MediaType: ({ value, pointer }, { readSchema, shapeOf, structure }) => {
    const { schema, itemSchema } = value;
    const field = ['prefixEncoding', 'itemEncoding'].find((key) => value[key] !== undefined);
    const { fields } = structure.types.MediaType;
    if (field === undefined || !Object.hasOwn(fields, field) || itemSchema !== undefined) return [];
    // Another rule reports a schema that cannot be read.
    const typeOf = () => shapeOf(readSchema(schema, `${pointer}/schema`)).type;
    if (schema !== undefined && (attempt(typeOf) ?? 'array') === 'array') return [];
    const message = `The \`${field}\` is for the items of a list. Add \`itemSchema\`, or a \`schema\` of type array.`;
    return [errorOf('encoding')(`${pointer}/${field}`, message, true)];
  },
});

/** The rules on messages, in the order in which their diagnostics are reported. */
export const messageRules: readonly Rule[] = [
  parameterObjects,
  parameterStyles,
  queryStrings,
  meaningfulBodies,
  reachableResponses,
  exclusiveFields,
  positionedEncodings,
];
