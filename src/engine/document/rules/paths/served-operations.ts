/** What is not served is reported at the start, so that nobody has to find out by calling it. */

import { errorOf, type Rule } from '../rule';

export const servedOperations: Rule = ({ operations }) =>
  operations.some(({ invalidReason }) => invalidReason === undefined)
    ? []
    : [
        errorOf('nothing-served')(
          '/paths',
          operations.length === 0
            ? 'The document has no operation, and every request is answered 404. Add one under `paths`.'
            : 'None of the operations can be served, and every request is answered 501. Put right what is reported of them.',
          true,
        ),
      ];
