/** Holds the headers of parts against those that an Encoding Object declares (OAS 3.0.3, Encoding Object, `headers`). */

import type { OpenAPIV3 } from 'openapi-types';
import type { Parameter } from '../../document/model/operation';
import { resolveParameter } from '../../document/model/resolve-parameter';
import type { SchemaContext } from '../../document/model/schema-context';
import { pointerTo } from '../../lang/json-pointer';
import { MalformedText } from '../../lang/malformed-text';
import { isPlainObject } from '../../lang/plain-object';
import { compileParameters } from '../../parameters/compile-parameters';
import type { Validators } from '../../schema/validation/compile-validators';
import type { PartHead } from './part';

/** Throws MalformedText, at the part's place, where a header is missing or does not fit. */
type CheckPartHeaders = (head: PartHead) => void;

/** Compiles the check of one header's value, where it has one. */
const headerCheck = ({ name, schema }: Parameter, validators: Validators) => {
  const validate = validators.validatorOf(schema, 'request');
  return (values: Readonly<Record<string, unknown>>): string[] =>
    values[name] === undefined
      ? []
      : validate(values[name]).map(({ message }) => `${name} ${message}`);
};

/** Compiles the check. Content-Type is left to `contentType`; headers that are not declared are allowed. */
export const partHeadersCheck = (
  encoding: OpenAPIV3.EncodingObject,
  { shapeOf, validators, references }: SchemaContext,
): CheckPartHeaders => {
  const parameters = Object.entries(encoding.headers ?? {})
    .filter(([name, header]) => name.toLowerCase() !== 'content-type' && isPlainObject(header))
    .map(([name, header]) =>
      resolveParameter(
        name,
        'header',
        references.follow<OpenAPIV3.HeaderObject>(header),
        references,
      ),
    );
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
