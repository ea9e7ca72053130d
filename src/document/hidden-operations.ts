/** Finds operations that requests do not reach, since another document is served in their place. */

import { type Operation, requestMethod } from '../model/operation';
import type { Diagnostic } from './diagnostics/diagnostic';
import type { LoadedDocument } from './document';

/** Tells whether a segment of a template takes a text: by what stands before and behind its names. */
const takes = (segment: string, text: string): boolean =>
  segment.includes('{')
    ? text.startsWith(segment.replace(/\{.*/, '')) && text.endsWith(segment.replace(/.*\}/, ''))
    : segment === text;

/** Makes the test for operations at a path, or below it. */
const liesAt = (path: string): ((operation: Operation) => boolean) => {
  const texts = path.split('/');
  return (operation) => {
    const segments = operation.path.split('/');
    return texts.every((text, at) => takes(segments[at] ?? '', text));
  };
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
        .filter(liesAt(basePath.slice(above.length)))
        .map(({ method, path }) => `${requestMethod(method)} ${above}${path} of ${file}`),
    );
  if (hidden.length === 0) return [];
  const more = hidden.length > mostNamed ? `, and ${hidden.length - mostNamed} more` : '';
  const named = `${hidden.slice(0, mostNamed).join(', ')}${more}`;
  const message = `The server path ${basePath} takes the requests of ${named}. Change one of the paths.`;
  return [locate({ severity: 'warning', rule: 'server-path', pointer: '/servers/0/url', message })];
};
