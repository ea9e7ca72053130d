/** A document has something to serve: a server that answers 404 to everything says so when it starts. */

import { errorOf, type Rule } from '../rule';

const finding = errorOf('nothing-served');

export const servedOperations: Rule = ({ operations }) =>
  operations.some(({ unusable }) => unusable === undefined)
    ? []
    : [
        finding(
          '/paths',
          operations.length === 0
            ? 'The document has no operation, and every request is answered 404. Add one under `paths`.'
            : 'None of the operations can be served, and every request is answered 501. Put right what is reported of them.',
          true,
        ),
      ];
