/** Headers whose right value depends on the moment: keys that no other request has, and the ETag of what is there. */

import { randomUUID } from 'node:crypto';
import type { SchemaContext } from '../../../engine';
import { headerParameter, type Parameter } from '../../../model/operation';
import type { RequestCase } from '../../../requests/request-case';
import { hasTags } from '../values/case-arbitrary';

/** Tells whether only the moment decides which values of a parameter are right. */
export const isMomentary = (field: Pick<Parameter, 'name'> & { readonly in: string }): boolean =>
  hasTags(field) || (field.in === 'header' && /^idempotency-key$/i.test(field.name));

/** The request with another value of a header parameter; undefined leaves it out. */
export const withHeaderValue = (
  input: RequestCase,
  { name }: Parameter,
  value: string | undefined,
): RequestCase => {
  const { [name]: _, ...others } = input.parameters.header;
  const header = value === undefined ? others : { ...others, [name]: value };
  return { ...input, parameters: { ...input.parameters, header } };
};

/** Makes a key that no request had, in the first form that its schema allows; undefined where it allows none of them. */
export const freshKey = ({ schema }: Parameter, { validators }: SchemaContext) => {
  const uuid = randomUUID();
  const digits = uuid.replaceAll('-', '');
  const accepts = validators.accepts(schema, 'request');
  return [uuid, digits, digits.slice(0, 16), digits.slice(0, 8)].find((key) => accepts(key));
};

/** The request with a new Idempotency-Key in place of its own: a server may answer a known one as it did before. */
export const withFreshKey = (input: RequestCase, tools: SchemaContext): RequestCase => {
  const parameter = headerParameter(input.operation, 'idempotency-key');
  const isSent = parameter && Object.hasOwn(input.parameters.header, parameter.name);
  const key = isSent ? freshKey(parameter, tools) : undefined;
  return parameter && key ? withHeaderValue(input, parameter, key) : input;
};
