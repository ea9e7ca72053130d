/** The properties of a schema as the fields of a multipart body: which parts each takes, with which headers, and what they become. */

import type { OpenAPIV3 } from 'openapi-types';
import { pointerTo } from '../../../base/json-pointer';
import { MalformedText } from '../../../base/malformed-text';
import type { Parameter } from '../../document/model/operation';
import { resolveHeaders } from '../../document/model/resolve-parameter';
import type { SchemaContext } from '../../document/model/schema-context';
import { compileParameters } from '../../parameters/compile-parameters';
import type { Shape } from '../../schema/shape';
import type { Validators } from '../../schema/validation/compile-validators';
import { codecFor } from '../codecs';
import { mayBeBytes, type PartHead, partContentType } from './part';
import type { Fate } from './split-parts';

/** Compiles the check of one header's value, where it has one. */
const headerCheck = ({ name, schema }: Parameter, validators: Validators) => {
  const validate = validators.validatorOf(schema, 'request');
  return (values: Readonly<Record<string, unknown>>): string[] =>
    values[name] === undefined
      ? []
      : validate(values[name]).map(({ message }) => `${name} ${message}`);
};

/**
 * Compiles the check, which throws MalformedText, at the part's place, where a header is missing or does not fit. Content-Type is
 * left to `contentType`; headers that are not declared are allowed.
 */
const partHeadersCheck = (
  encoding: OpenAPIV3.EncodingObject,
  { shapeOf, validators, references }: SchemaContext,
): ((head: PartHead) => void) => {
  const parameters = resolveHeaders(encoding.headers, references);
  if (parameters.length === 0) return () => undefined;
  const read = compileParameters(parameters, shapeOf);
  const checks = parameters.map((parameter) => headerCheck(parameter, validators));
  return ({ name, headers }) => {
    const { values, errors } = read({ path: {}, query: '', headers });
    const [failure] = [
      ...errors.map(({ path, message }) => `${path} ${message}`),
      ...checks.flatMap((check) => check(values.header)),
    ];
    if (failure !== undefined) {
      throw new MalformedText(`The part's header ${failure}`, pointerTo('', name));
    }
  };
};

/** Encoding Objects by property. */
export type Encodings = Readonly<Record<string, OpenAPIV3.EncodingObject>>;

/** Decides about a part at its head; throws MalformedText where the document does not allow it. */
type FateOf = (head: PartHead) => Fate;

const encodingOf = (encodings: Encodings, name: string): OpenAPIV3.EncodingObject =>
  (Object.hasOwn(encodings, name) ? encodings[name] : undefined) ?? {};

/** The media type of a property's parts that name none. */
export const fallbackTypeOf = (shape: Shape, encodings: Encodings, name: string): string =>
  partContentType(shape, encodingOf(encodings, name).contentType).fallback;

const declaredFate = (
  shape: Shape,
  encoding: OpenAPIV3.EncodingObject,
  tools: SchemaContext,
): FateOf => {
  // Read-only properties are not the client's to send (OAS 3.0.3, Schema Object).
  if (shape.readOnly) return () => 'dropped';
  const { takes, expected } = partContentType(shape, encoding.contentType);
  const checkHeaders = partHeadersCheck(encoding, tools);
  const fate: Fate = mayBeBytes(shape) ? 'bytes' : 'text';
  return (head) => {
    if (head.type !== undefined && !takes(head.type)) {
      throw new MalformedText(`The part must be sent as ${expected}`, pointerTo('', head.name));
    }
    checkHeaders(head);
    return fate;
  };
};

const isText = ({ fileName, type }: PartHead): boolean => {
  if (fileName !== undefined) return false;
  if (type === undefined || type.essence.startsWith('text/')) return true;
  return codecFor(type.essence)?.name === 'json';
};

/** Undeclared fields are kept as those of other forms are; undeclared files are not worth their memory. */
const undeclaredFate = (additional: boolean): FateOf => {
  if (additional) return (head) => (isText(head) ? 'text' : 'dropped');
  return (head) => {
    if (isText(head)) return 'text';
    throw new MalformedText('The body has no file of this name', pointerTo('', head.name));
  };
};

/** Compiles what becomes of each part of a body. Encoding Objects of undeclared properties are ignored. */
export const fateByName = (shape: Shape, encodings: Encodings, tools: SchemaContext): FateOf => {
  const { properties, additional } = shape;
  const fates = new Map(
    [...properties].map(([name, property]) => [
      name,
      declaredFate(property, encodingOf(encodings, name), tools),
    ]),
  );
  const others =
    typeof additional === 'object'
      ? declaredFate(additional, {}, tools)
      : undeclaredFate(additional);
  return (head) => (fates.get(head.name) ?? others)(head);
};
