/** `example` and `examples`, `value` and `externalValue` exclude each other (OAS 3.0.3, Media Type and Example Object). */

import type { ObjectName } from '../../structure/field-type';
import { errorOf, type Rule } from '../rule';

const finding = errorOf('exclusive-fields');

const exclusive: Partial<Record<ObjectName, readonly [one: string, other: string]>> = {
  MediaType: ['example', 'examples'],
  Parameter: ['example', 'examples'],
  Header: ['example', 'examples'],
  Example: ['value', 'externalValue'],
  Link: ['operationRef', 'operationId'],
};

export const exclusiveFields: Rule = ({ objects }) =>
  objects.flatMap(({ value, pointer, name }) => {
    const [one, other] = exclusive[name] ?? [];
    if (one === undefined || other === undefined) return [];
    if (!Object.hasOwn(value, one) || !Object.hasOwn(value, other)) return [];
    const message = `Remove \`${one}\` or \`${other}\`: they exclude each other.`;
    return [finding(`${pointer}/${other}`, message, true)];
  });
