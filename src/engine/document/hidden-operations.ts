/** Finds operations that requests do not reach, since another document is served in their place. */

import type { Diagnostic } from '../../document/diagnostics/diagnostic';
import { type Operation, requestMethod } from '../../model/operation';
import { routeTable } from '../paths/route-table';
import type { ApiDocument } from './api-document';

/** Operations that a warning names. */
const mostNamed = 3;

/** Makes the test for operations at a path, or below it. */
const liesAt = (path: string): ((operation: Operation) => boolean) => {
  const depth = path.split('/').length;
  return (operation) => {
    const beginning = operation.path.split('/').slice(0, depth).join('/');
    return routeTable([{ ...operation, path: beginning }])(path) !== undefined;
  };
};

/** Warns of operations of other documents whose paths lie below the base path of this one: their requests reach this one instead. */
export const hiddenOperations = (
  { basePath, locate }: ApiDocument,
  documents: readonly ApiDocument[],
): readonly Diagnostic[] => {
  const hidden = documents
    .filter((other) => basePath.startsWith(`${other.basePath}/`))
    .flatMap(({ operations, basePath: above, file }) =>
      operations
        .filter(liesAt(basePath.slice(above.length)))
        .map(({ method, path }) => `${requestMethod(method)} ${above}${path} of ${file}`),
    );
  if (hidden.length === 0) return [];
  const more = hidden.length > mostNamed ? `, and ${hidden.length - mostNamed} more` : '';
  const named = `${hidden.slice(0, mostNamed).join(', ')}${more}`;
  const message = `The server path ${basePath} takes the requests of ${named}. Change one of the paths.`;
  return [locate({ severity: 'warning', rule: 'server-path', pointer: '/servers/0/url', message })];
};
