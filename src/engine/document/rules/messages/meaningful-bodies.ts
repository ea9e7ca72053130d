/** Methods whose bodies have no defined meaning declare none (RFC 9110 section 9.3; OAS 3.0.3, Operation Object). */

import { type Rule, warningOf } from '../rule';

const finding = warningOf('request-body');

const bodiless = /\/(get|head|delete|trace)$/;

export const meaningfulBodies: Rule = ({ objects }) =>
  objects.flatMap(({ value, pointer, name }) => {
    const method = name === 'Operation' ? bodiless.exec(pointer)?.[1] : undefined;
    if (method === undefined || !Object.hasOwn(value, 'requestBody')) return [];
    const message = `The body of ${method.toUpperCase()} has no meaning and is not read. Remove it, or use another method.`;
    return [finding(`${pointer}/requestBody`, message, true)];
  });
