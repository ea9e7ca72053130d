/** Turns the arguments of a call into the request of its operation. */

import { type ExactNumber, readDecimal } from '../base/exact-number';
import { concreteMediaType } from '../base/media-type';
import { isPlainObject, type PlainObject } from '../base/plain-object';
import { attempt } from '../base/recover';
import { nearestName } from '../base/text/nearest-name';
import type { SchemaContext } from '../engine';
import { HttpError, type ValidationError } from '../http/http-error';
import { anySchema } from '../model/schema';
import { FileToSend } from '../requests/encode-body';
import { valueSchema } from '../requests/item-contents';
import type { BodyCase, CaseParameters, OutgoingRequest } from '../requests/request-case';
import { writeCase } from '../requests/write-request';
import { isDecimal } from '../schema/scalars';
import { itemShape, memberShape, type Shape } from '../schema/shape';
import { argumentGroups, isUncoded, type OperationTool, type ToolParameter } from './tools';

const refusal = (errors: readonly ValidationError[]): HttpError =>
  new HttpError(400, 'invalid-parameter', 'The arguments do not fit the tool', { errors });

const fault = (place: ValidationError['in'], path: string, message: string): HttpError =>
  refusal([{ in: place, path, message }]);

/** Reads a file: an object of data, media type and name, or the base64 text alone. Other values are left to the engine. */
const readFile = (value: unknown, path: string): unknown => {
  const { data, mediaType, name } = isPlainObject(value) ? value : { data: value };
  if (typeof data !== 'string') return value;
  if (!/^[\w+/-]*={0,2}$/.test(data)) throw fault('body', `${path}/data`, 'must be base64');
  const isType =
    typeof mediaType === 'string' &&
    /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:;[\x20-\x7e]*)?$/.test(mediaType);
  if (mediaType !== undefined && !isType)
    throw fault('body', `${path}/mediaType`, 'must be a media type');
  const fileName = typeof name === 'string' ? name : undefined;
  return new FileToSend(Buffer.from(data, 'base64'), fileName, isType ? mediaType : undefined);
};

const readDigits = (text: string, shape: Shape): ExactNumber | undefined => {
  if (isDecimal(shape)) return readDecimal(text);
  return shape.type === 'integer' && /^-?\d{1,40}$/.test(text) ? BigInt(text) : undefined;
};

/**
 * Reads a value as its schema means it: digits are numbers, base64 is octets where a file is asked for.
 * @param path the JSON Pointer into the body, of refusals
 */
const readValue = (value: unknown, shape: Shape | undefined, path = ''): unknown => {
  if (shape === undefined) return value;
  if (shape.isBinary && shape.type !== 'array') return readFile(value, path);
  if (typeof value === 'string') {
    const number = readDigits(value, shape);
    if (number !== undefined) return number;
  }
  const { alternatives } = shape;
  const isMeant = alternatives.some(({ accepts }) => accepts(value));
  for (const { shape: branch, accepts } of isMeant ? [] : alternatives) {
    const read = attempt(() => readValue(value, branch, path));
    if (read !== undefined && accepts(read)) return read;
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => readValue(item, itemShape(shape, index), `${path}/${index}`));
  }
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      readValue(member, memberShape(shape, name), `${path}/${name}`),
    ]),
  );
};

const advice = (name: string, known: readonly string[]): string => {
  const near = nearestName(name, known);
  if (near !== undefined) return `is not known. Did you mean ${near}?`;
  return known.length === 0
    ? 'is not known: there are none here'
    : `is not known. There are ${known.slice(0, 20).join(', ')}`;
};

/** Reads the groups; agents may write one as the text of its JSON. */
const readGroups = ({ parameters, content }: OperationTool, given: unknown): PlainObject => {
  if (given !== undefined && !isPlainObject(given)) throw fault('body', '', 'must be an object');
  const known = [
    ...argumentGroups.filter((name) => parameters.some(({ group }) => group === name)),
    ...(content === undefined ? [] : ['body']),
  ];
  const errors = Object.keys(given ?? {})
    .filter((name) => !known.some((group) => group === name))
    .map((name): ValidationError => {
      const [place] = parameters.filter(
        ({ key, parameter }) => key === name || parameter.name === name,
      );
      if (place !== undefined) {
        return { in: place.group, path: name, message: `belongs into the argument ${place.group}` };
      }
      const message = `The argument ${name} ${advice(name, known)}`;
      throw new HttpError(400, 'invalid-parameter', message);
    });
  if (errors.length > 0) throw refusal(errors);
  return Object.fromEntries(
    Object.entries(given ?? {}).map(([name, value]) => {
      const isText = typeof value === 'string' && name !== 'body';
      return [name, isText ? (attempt((): unknown => JSON.parse(value)) ?? value) : value];
    }),
  );
};

/** Reads the parameters of a group by their names; adds to the errors what there is not, and what is missing of a path. */
const readGroup = (
  group: (typeof argumentGroups)[number],
  members: readonly ToolParameter[],
  given: PlainObject,
  { shapeOf }: SchemaContext,
  errors: ValidationError[],
): PlainObject => {
  const keys = members.map(({ key }) => key);
  for (const name of Object.keys(given).filter((name) => !keys.includes(name))) {
    errors.push({ in: group, path: name, message: advice(name, keys) });
  }
  const values = members.map(({ parameter, key }) => {
    const shape = shapeOf(parameter.schema);
    // Many agents write null for what they leave out.
    const isLeftOut = given[key] === undefined || (given[key] === null && !shape.nullable);
    if (isLeftOut && group === 'path')
      errors.push({ in: group, path: key, message: 'is required' });
    // The engine asks for what is required, whether or not it has a default.
    const other = parameter.required ? shape.defaultValue : undefined;
    return [parameter.name, isLeftOut ? other : readValue(given[key], shape)];
  });
  return Object.fromEntries(values);
};

const readParameters = (
  { parameters }: OperationTool,
  groups: PlainObject,
  tools: SchemaContext,
): CaseParameters => {
  const errors: ValidationError[] = [];
  const readIn = (group: (typeof argumentGroups)[number]): PlainObject => {
    const members = parameters.filter((one) => one.group === group && one.parameter.in === group);
    const given = groups[group] ?? {};
    if (isPlainObject(given)) return readGroup(group, members, given, tools, errors);
    errors.push({ in: group, path: '', message: 'must be an object of parameters by name' });
    return {};
  };
  const whole = parameters.find(({ parameter }) => parameter.in === 'querystring')?.parameter;
  const read = {
    path: readIn('path'),
    query: whole === undefined ? readIn('query') : {},
    querystring: whole === undefined ? {} : { [whole.name]: groups['query'] },
    header: readIn('header'),
    cookie: {},
  };
  if (errors.length > 0) throw refusal(errors);
  return read;
};

const readBody = (
  { content }: OperationTool,
  { body }: PlainObject,
  tools: SchemaContext,
): BodyCase | undefined => {
  if (content === undefined || body === undefined) return undefined;
  const mediaType = concreteMediaType(content.key);
  const shape = tools.shapeOf(valueSchema(content) ?? anySchema);
  const isFile = isPlainObject(body) && isUncoded(content, tools);
  const value = isFile ? readFile(body, '') : readValue(body, shape);
  // What an agent writes as the text of its JSON is meant as the value.
  const isText = typeof value === 'string' && (shape.type === 'object' || shape.type === 'array');
  const meant = isText ? attempt(() => readValue(JSON.parse(value), shape)) : undefined;
  return { content, mediaType, value: meant ?? value };
};

/**
 * Writes the request of a call. The engine, or who else answers it, validates it by the document.
 * @throws HttpError with the places of what no request can be made of
 */
export const requestOf = (
  tool: OperationTool,
  given: unknown,
  tools: SchemaContext,
): OutgoingRequest => {
  const groups = readGroups(tool, given);
  const parameters = readParameters(tool, groups, tools);
  const body = readBody(tool, groups, tools);
  const written = writeCase({ operation: tool.operation, parameters, body }, tools);
  if (written === undefined) {
    const isOfPath = tool.parameters.some(({ group }) => group === 'path') && body === undefined;
    throw isOfPath
      ? fault('path', '', 'must not be empty or of dots alone, which would be another path')
      : fault('body', '', `cannot be written as ${body?.mediaType}`);
  }
  // The characters of a header's value (RFC 9110 section 5.5).
  const headerText = /^[\t\x20-\x7e\x80-\xff]*$/;
  const unfit = written.request.headers.filter(([, value]) => !headerText.test(value));
  const message = 'has characters that no header can hold';
  if (unfit.length > 0) throw refusal(unfit.map(([path]) => ({ in: 'header', path, message })));
  return written.request;
};
