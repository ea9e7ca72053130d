/** Finds operations that requests do not reach, since another document is served in their place. */

import { requestMethod } from '../model/operation';
import type { Diagnostic } from './diagnostics/diagnostic';
import type { LoadedDocument } from './document';

/** Tells whether a template takes a path, or one above it, by what stands before and behind the names of each segment. */
const liesAt = (template: string, path: string): boolean => {
  const segments = template.split('/');
  return path.split('/').every((text, at) => {
    const segment = segments[at] ?? '';
    return segment.includes('{')
      ? text.startsWith(segment.replace(/\{.*/, '')) && text.endsWith(segment.replace(/.*\}/, ''))
      : segment === text;
  });
};

/** Warns of operations of other documents whose paths lie below the base path of this one: their requests reach this one instead. */
export const hiddenOperations = (
  { basePath, locate }: LoadedDocument,
  documents: readonly LoadedDocument[],
): readonly Diagnostic[] => {
  const mostNamed = 3;
  const hidden = documents
    .filter((other) => basePath.startsWith(`${other.basePath}/`))
    .flatMap(({ operations, basePath: above, file }) =>
      operations
        .filter(({ path }) => liesAt(path, basePath.slice(above.length)))
        .map(({ method, path }) => `${requestMethod(method)} ${above}${path} of ${file}`),
    );
  if (hidden.length === 0) return [];
  const more = hidden.length > mostNamed ? `, and ${hidden.length - mostNamed} more` : '';
  const named = `${hidden.slice(0, mostNamed).join(', ')}${more}`;
  const message = `The server path ${basePath} takes the requests of ${named}. Change one of the paths.`;
  return [locate({ severity: 'warning', rule: 'server-path', pointer: '/servers/0/url', message })];
};
