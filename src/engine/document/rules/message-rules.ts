/** Rules on messages: parameters have a location and a content, bodies can be read and written. */

import type { OpenAPIV3 } from 'openapi-types';
import { pointerSteps, pointerTo } from '../../../base/json-pointer';
import { isPlainObject, type PlainObject } from '../../../base/plain-object';
import type {
  MediaType,
  Operation,
  Parameter,
  ParameterLocation,
  ParameterStyle,
  Response,
} from '../../../model/operation';
import type { Schema } from '../../../model/schema';
import { concreteMediaType } from '../../http/media-type';
import { errorFormOf } from '../../media-types/error-form';
import type { UnplacedDiagnostic } from '../diagnostics/diagnostic';
import { isIgnoredHeader, isLocation, readParameter } from '../model/read-parameter';
import type { SchemaContext } from '../model/schema-context';
import { referenceOf } from '../references/references';
import type { DocumentObject } from '../structure/positions';
import { errorOf, type Rule, type RuleContext, ruleOf, warningOf } from './rule';

// OAS 3.0.3, Style Values.
const stylesOf: Record<ParameterLocation, readonly ParameterStyle[]> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
};

/** Lists the errors of a parameter by itself, one sentence each. */
export const parameterErrors = (parameter: Parameter): string[] => {
  const { name, in: location, style, explode } = parameter;
  const errors: string[] = [];
  if (!stylesOf[location].includes(style)) {
    errors.push(`The style ${style} of parameter ${name} is not defined in ${location}.`);
  }
  if ((style === 'spaceDelimited' || style === 'pipeDelimited') && explode) {
    errors.push(`The style ${style} of parameter ${name} is not defined with explode: true.`);
  }
  if (parameter.allowEmptyValue && location !== 'query') {
    errors.push(`allowEmptyValue of parameter ${name} has no meaning in ${location}.`);
  }
  return errors;
};

const error = errorOf('parameter');
const ignored = warningOf('ignored-parameter');

const contentErrors = (
  parameter: Readonly<PlainObject>,
  pointer: string,
  noun: string,
): UnplacedDiagnostic[] => {
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

const locationErrors = (location: unknown, pointer: string): UnplacedDiagnostic[] => {
  if (location === undefined || isLocation(location)) return [];
  const advice =
    location === 'body' || location === 'formData'
      ? 'Describe it by the `requestBody` of the operation.'
      : 'Write path, query, header or cookie.';
  return [error(`${pointer}/in`, `No parameter can be in ${String(location)}. ${advice}`)];
};

const parameterDiagnostics = (
  parameter: Readonly<PlainObject>,
  pointer: string,
): UnplacedDiagnostic[] => {
  const { name, in: location, required } = parameter;
  const found = [
    ...locationErrors(location, pointer),
    ...(isLocation(location) ? contentErrors(parameter, pointer, 'parameter') : []),
  ];
  if (location === 'path' && required !== true) {
    found.push(error(pointer, 'Add `required: true`; a path parameter is always there.'));
  }
  if (location === 'header' && typeof name === 'string' && isIgnoredHeader(name)) {
    const message = `The header parameter ${name} is ignored. Use \`security\`, \`requestBody\` or \`responses\` instead.`;
    found.push(ignored(pointer, message));
  }
  return found;
};

const styleErrors = (
  parameter: OpenAPIV3.ParameterBaseObject,
  name: string,
  location: ParameterLocation,
  context: RuleContext,
): readonly string[] => {
  try {
    return parameterErrors(readParameter(name, location, parameter, '', context));
  } catch {
    // Another rule reports a parameter that cannot be read.
    return [];
  }
};

const parameterObjects = ruleOf({
  Header: ({ value, pointer }) =>
    referenceOf(value) === undefined ? contentErrors(value, pointer, 'header') : [],
  Parameter: ({ value, pointer }) =>
    referenceOf(value) === undefined ? parameterDiagnostics(value, pointer) : [],
});

/** Styles are defined for the parameter's location (OAS 3.0.3, Style Values). */
const parameterStyles = ruleOf({
  Parameter: ({ value, pointer }, context) => {
    const { name, in: location } = value;
    if (typeof name !== 'string' || !isLocation(location)) return [];
    return styleErrors(value, name, location, context).map((message) =>
      warningOf('parameter-style')(
        pointer,
        `${message} Leave it out, or choose what the specification defines there.`,
      ),
    );
  },
});

type FormatTools = Pick<SchemaContext, 'shapeOf' | 'codecs'>;

/** Tells whether values of the schema can be read and written; true if another rule reports that it cannot be used. */
const isUsable = (
  mediaType: string,
  schema: Schema | undefined,
  { shapeOf, codecs }: FormatTools,
): boolean => {
  try {
    return !mediaType.includes('/') || codecs.isCarried(mediaType, schema, shapeOf);
  } catch {
    return true;
  }
};

/** Advises how the format could carry what its schema describes. */
const adviceFor = (mediaType: string, codecs: FormatTools['codecs']): string => {
  const advice = codecs.adviceFor(mediaType) ?? 'Choose another media type';
  return `${advice}, or write \`type: string\` with \`format: binary\` to pass it on as it is.`;
};

/** The uses of a Media Type Object, and the consequence of one that cannot be used. */
const uses = {
  response: { verb: 'written', consequence: 'no response is sent in it' },
  body: { verb: 'read', consequence: 'a body in it is answered 415' },
  parameter: { verb: 'read', consequence: 'no value fits it' },
} as const;

/** Tells the use by the place: `…/responses/200/content/KEY`, `…/requestBody/content/KEY` and so on. */
const useAt = (pointer: string): keyof typeof uses => {
  const [place, name] = pointerSteps(pointer).slice(-4);
  if (place === 'responses') return 'response';
  return place === 'requestBodies' || name === 'requestBody' ? 'body' : 'parameter';
};

const carriedBodies = ruleOf({
  MediaType: ({ value, pointer }, tools) => {
    const { schema } = value;
    const key = pointerSteps(pointer).at(-1) ?? '';
    const use = useAt(pointer);
    // Callbacks are not ours to answer.
    if (!isPlainObject(schema) || pointer.includes('/callbacks/')) return [];
    // Multipart bodies are read part by part; each request decides the type within a range.
    if (use !== 'response' && /\*|^multipart\//i.test(key)) return [];
    const read = tools.readSchema(schema, `${pointer}/schema`);
    if (isUsable(concreteMediaType(key), read, tools)) return [];
    const { verb, consequence } = uses[use];
    const message = `${key} cannot be ${verb} for this schema, and ${consequence}. ${adviceFor(key, tools.codecs)}`;
    return [warningOf('unusable-body')(`${pointer}/schema`, message)];
  },
});

const isSuccess = ({ key }: Response): boolean => /^2(\d\d|XX)$/.test(key);

/** Lists the successes; `default` is one where neither a 2xx nor a redirect is declared. */
const successesOf = ({ responses }: Operation): readonly Response[] => {
  const successes = responses.filter(isSuccess);
  if (successes.length > 0 || responses.some(({ key }) => key.startsWith('3'))) return successes;
  return responses.filter(({ key }) => key === 'default');
};

const unwritable = ({ key, content }: Response, tools: FormatTools): MediaType | undefined =>
  key === '204' ||
  key === '205' ||
  content.some((one) => isUsable(concreteMediaType(one.key), one.schema, tools))
    ? undefined
    : content[0];

/** Says why no success of an operation can be sent; undefined where one can. */
export const unwritableReason = (operation: Operation, tools: FormatTools): string | undefined => {
  const contents = successesOf(operation).map((response) => unwritable(response, tools));
  const [first] = contents;
  return first === undefined || contents.includes(undefined)
    ? undefined
    : `${first.key} cannot be written for this schema`;
};

const expressesErrors = (
  [key, { schema: given = {} }]: [string, OpenAPIV3.MediaTypeObject],
  { shapeOf, codecs, readSchema }: Pick<RuleContext, 'shapeOf' | 'codecs' | 'readSchema'>,
) => {
  const mediaType = concreteMediaType(key);
  // Making a shape takes longer than all else here, and the type of most schemas suffices.
  const schema = readSchema(given, '');
  if (schema.types?.[0] === 'object' && codecs.codecFor(mediaType)?.name === 'json') {
    return true;
  }
  try {
    return errorFormOf(mediaType, shapeOf(schema), codecs) !== undefined;
  } catch {
    return true;
  }
};

/** Lists the keys of error responses. */
const errorKeys = (responses: object): string[] => {
  const keys = Object.keys(responses);
  const hasSuccess = keys.some((key) => /^[23]/.test(key));
  return keys.filter((key) => /^[45]/.test(key) || (key === 'default' && hasSuccess));
};

/** Reports error responses whose schemas cannot express errors, each once. */
const errorSchemas: Rule = (context) => {
  const { objects, references } = context;
  const seen = new Set<object>();
  const inexpressible = (entry: unknown): readonly string[] => {
    const response = references.find(entry as OpenAPIV3.ResponseObject | undefined);
    if (response === undefined || seen.has(response)) return [];
    seen.add(response);
    const contents = Object.entries(response.content ?? {});
    return contents.some((content) => expressesErrors(content, context))
      ? []
      : contents.map(([key]) => key);
  };
  return objects
    .filter(({ name, pointer }) => name === 'Operation' && !pointer.includes('/callbacks/'))
    .flatMap(({ value: { responses }, pointer }) => {
      if (!isPlainObject(responses)) return [];
      return errorKeys(responses).flatMap((key) => {
        const types = inexpressible(responses[key]);
        if (types.length === 0) return [];
        const message = `Errors cannot be expressed in ${types.join(' or ')} with this schema; the fallback error is sent. Declare an object or a text for it.`;
        return [warningOf('error-schema')(pointerTo(`${pointer}/responses`, key), message, true)];
      });
    });
};

// RFC 9110 section 9.3; OAS 3.0.3, Operation Object.
const bodiless = /\/(get|head|delete|trace)$/;

const meaningfulBodies = ruleOf({
  Operation: ({ value, pointer }) => {
    const method = bodiless.exec(pointer)?.[1];
    if (method === undefined || !Object.hasOwn(value, 'requestBody')) return [];
    const message = `The body of ${method.toUpperCase()} has no meaning and is not read. Remove it, or use another method.`;
    return [warningOf('request-body')(`${pointer}/requestBody`, message, true)];
  },
});

const reachableResponses = ruleOf({
  Operation: ({ value: { responses }, pointer }) =>
    Object.keys(isPlainObject(responses) ? responses : {})
      .filter((key) => /^1(\d\d|XX)$/.test(key))
      .map((key) => {
        const message = `The status ${key} is not final, and this response is never sent. Remove it.`;
        return warningOf('unreachable-response')(
          pointerTo(`${pointer}/responses`, key),
          message,
          true,
        );
      }),
});

const exclude =
  (one: string, other: string) =>
  ({ value, pointer }: DocumentObject): UnplacedDiagnostic[] => {
    if (!Object.hasOwn(value, one) || !Object.hasOwn(value, other)) return [];
    const message = `Remove \`${one}\` or \`${other}\`: they exclude each other.`;
    return [errorOf('exclusive-fields')(`${pointer}/${other}`, message, true)];
  };

const examples = exclude('example', 'examples');

const exclusiveFields = ruleOf({
  MediaType: examples,
  Parameter: examples,
  Header: examples,
  Example: exclude('value', 'externalValue'),
  Link: exclude('operationRef', 'operationId'),
});

/** The rules on messages, in the order in which their diagnostics are reported. */
export const messageRules: readonly Rule[] = [
  parameterObjects,
  parameterStyles,
  meaningfulBodies,
  reachableResponses,
  carriedBodies,
  errorSchemas,
  exclusiveFields,
];
