/** The lines that a start prints for the person who starts the program. */

import { printable } from '../base/text/printable';
import type { ApiDocument } from '../engine';
import type { CompilerError } from '../host/build-record';
import { compilerLines } from '../host/compiler-report';
import type { DemoInForce } from '../host/demo-data';
import { problemLines } from '../host/documents';
import { handlerReportLines } from '../host/handler-report';
import type { ServingApp } from './app';
import type { RunningServer } from './server';

/** Makes the lines of the compiler's errors about the handlers that an application has. */
export const compilerReport = (
  errors: readonly CompilerError[],
  { documents, handlerFindings }: Pick<ServingApp, 'documents' | 'handlerFindings'>,
): readonly string[] => {
  const about = handlerFindings.flatMap((finding) => finding.about ?? []);
  return compilerLines(errors, documents, about);
};

/** Makes the line of the demo credentials that callers can use; none where no document asks for any. */
const demoLine = (
  { username, password, apiKey, services, keyServices }: DemoInForce,
  documents: readonly ApiDocument[],
): readonly string[] => {
  const all = documents.map(({ name }) => name);
  const takesKeys = ({ securitySchemes }: ApiDocument): boolean =>
    [...securitySchemes.values()].some(({ type }) => type === 'apiKey');
  const keyed = documents.filter(takesKeys).map(({ name }) => name);
  const credentials = [
    { what: 'Demo login', names: services, value: `${username} / ${password}` },
    { what: 'API key', names: keyed.filter((name) => keyServices.includes(name)), value: apiKey },
  ].filter(({ names }) => names.length > 0);
  const line = credentials
    .map(({ what, names, value }) => {
      const where = names.length < all.length ? ` of ${names.join(', ')}` : '';
      return `${what}${where}: ${value}`;
    })
    .join('   ');
  return line === '' ? [] : [line];
};

/**
 * Makes the lines: problems of the documents, where they are served, what handlers lack, the demo login.
 *
 * @param errors - the errors of the compiler
 */
export const announcementOf = (
  { app, origin, demo }: RunningServer,
  errors: readonly CompilerError[] = [],
): string[] => [
  ...problemLines(app.problems),
  ...app.documents.map(({ name, basePath, operations }) =>
    printable(`${name}: ${origin}${basePath} (${operations.length} operations)`),
  ),
  ...handlerReportLines(app.handlerFindings),
  ...compilerReport(errors, app),
  ...(demo === undefined ? [] : demoLine(demo, app.documents)),
];
