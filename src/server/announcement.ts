/** The lines that a start prints for the person who starts the program. */

import { printable } from '../base/text/printable';
import type { CompilerError } from '../host/build-record';
import { compilerLines } from '../host/compiler-report';
import { problemLines } from '../host/documents';
import { handlerReportLines } from '../host/handler-report';
import type { ServingApp } from './app';
import type { RunningServer } from './server';

/** Makes the lines of the compiler's errors about the handlers that an application has. */
export const compilerReport = (
  errors: readonly CompilerError[],
  { documents, handlerFindings }: Pick<ServingApp, 'documents' | 'handlerFindings'>,
): readonly string[] =>
  compilerLines(
    errors,
    documents,
    handlerFindings.flatMap(({ about = [] }) => about),
  );

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
  ...(demo === undefined
    ? []
    : [
        `Demo login${demo.services.length < app.documents.length ? ` of ${demo.services.join(', ')}` : ''}: ${demo.username} / ${demo.password}   API key: ${demo.apiKey}`,
      ]),
];
