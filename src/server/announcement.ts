/** What a person who starts the program wants to know. */

import { printable } from '../engine';
import type { RunningServer } from './server';
import { problemLines } from './services/documents';
import { handlerReportLines } from './services/handler-report';

/** The lines: problems of the documents, where they are served, what handlers lack, the demo login. */
export const announcementOf = ({ app, origin, demo, misfits }: RunningServer): string[] => [
  ...problemLines(app.problems),
  ...app.documents.map(({ name, basePath, operations }) =>
    printable(`${name}: ${origin}${basePath} (${operations.length} operations)`),
  ),
  ...handlerReportLines(app.handlerFindings),
  ...misfits,
  ...(demo === undefined
    ? []
    : [`Demo login: ${demo.username} / ${demo.password}   API key: ${demo.apiKey}`]),
];
