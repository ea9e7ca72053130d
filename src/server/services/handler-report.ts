/** Compares the handlers that there are with the operations that there are: what the start says, and what production refuses. */

import { join, relative } from 'node:path';
import { type ApiDocument, nearestName, type Operation, printable } from '../../engine';
import type { Misfit } from '../storage/storage';
import { type HandlerModules, type LoadedHandler, readFolder } from './handler-modules';

/** One line of the report. */
export interface HandlerFinding {
  readonly message: string;
  /** Whether STRICT_HANDLERS keeps the program from starting. */
  readonly isError: boolean;
}

/** A document, and what its folder of handlers has. */
export interface HandledDocument {
  readonly document: ApiDocument;
  readonly modules: HandlerModules;
  readonly handlers: readonly LoadedHandler[];
  /** What openapi-backend finds no handler for, and the operationIds of handlers that it finds no operation for. */
  readonly operationsWithoutHandler: readonly Operation[];
  readonly handlersWithoutOperation: readonly string[];
  /** Declarations of collections that the document does not fit. */
  readonly misfits: readonly Misfit[];
  /** Whether operations without a handler are mocked. */
  readonly mocks: boolean;
  /** Whether any credential is accepted. */
  readonly acceptsAny: boolean;
}

/** Those that cannot be served at all are among the problems of the document. */
const unhandledOperations = ({ operationsWithoutHandler }: HandledDocument): readonly Operation[] =>
  operationsWithoutHandler.filter(({ invalidReason }) => invalidReason === undefined);

/** The operations that a mock answers. */
export const mockedOperations = (handled: HandledDocument): readonly Operation[] =>
  handled.mocks ? unhandledOperations(handled) : [];

const most = 10;

const listed = (ids: readonly string[]): string =>
  ids.length > most
    ? `${ids.slice(0, most).join(', ')} and ${ids.length - most} more`
    : ids.join(', ');

const unknownHandlers = ({
  document,
  modules,
  handlers,
  handlersWithoutOperation,
}: HandledDocument): HandlerFinding[] => {
  const ids = document.operations.map(({ operationId }) => operationId);
  const unknown = handlers.filter(({ operationId }) =>
    handlersWithoutOperation.includes(operationId),
  );
  const stray = modules.strayHandlers.filter(({ operationId }) => ids.includes(operationId));
  return [
    ...unknown.map(({ operationId, file }) => {
      const meant = nearestName(operationId, ids);
      const advice = meant === undefined ? '' : `; did you mean ${meant}?`;
      return {
        message: `${file}: ${operationId}: no operation has this id${advice}`,
        isError: true,
      };
    }),
    ...stray.map(({ operationId, file }) => ({
      message: `${file}: ${operationId} is not used: export a factory, a function that returns handlers`,
      isError: true,
    })),
  ];
};

const misfitFindings = ({ modules, misfits }: HandledDocument): HandlerFinding[] =>
  misfits.flatMap(({ name, declaration, reason, missingFields }) => [
    ...(reason === undefined
      ? []
      : [
          {
            message: `${modules.positionOf(`'${declaration.schema ?? declaration.body}'`)}: ${reason} Operations that use ${name} answer 501.`,
            isError: true,
          },
        ]),
    ...missingFields.map((path) => ({
      message: `${modules.positionOf(`'${path}'`)}: The schema of ${name} has no field ${path}, so that nothing is found by it.`,
      isError: true,
    })),
  ]);

const missingHandlers = (handled: HandledDocument, folder: string): HandlerFinding[] => {
  const { document, modules, mocks, acceptsAny } = handled;
  const credentials = acceptsAny ? ', and any credential is accepted' : '';
  const missing = unhandledOperations(handled).map(({ operationId }) => operationId);
  if (missing.length === 0) return [];
  const fate = mocks ? 'mocked' : 'not implemented (501)';
  return modules.exist
    ? [
        {
          message: `${document.name}: ${fate}, without a handler: ${listed(missing)}`,
          isError: false,
        },
      ]
    : [
        {
          message: `${document.name}: there are no handlers in ${folder}: all ${missing.length} operations are ${fate}${credentials}`,
          isError: true,
        },
      ];
};

/** What does not fit together, in the order in which it is to be mended. */
export const reportHandlers = async (
  handlersDirectory: string,
  handled: readonly HandledDocument[],
): Promise<readonly HandlerFinding[]> => {
  const folderOf = (name: string): string => relative('', join(handlersDirectory, name));
  const names = new Set(handled.map(({ document }) => document.name));
  const unused = (await readFolder(handlersDirectory))
    .filter((entry) => entry.isDirectory() && !names.has(entry.name))
    .map(({ name }) => name)
    .sort();
  return [
    ...handled.flatMap(unknownHandlers),
    ...handled.flatMap(misfitFindings),
    ...unused.map((name) => ({
      message: `${folderOf(name)}: no document ${name} is served, so that its handlers are not used`,
      isError: false,
    })),
    ...handled.flatMap((one) => missingHandlers(one, folderOf(one.document.name))),
  ];
};

/** The report for readers; empty where everything fits. */
export const handlerReportLines = (findings: readonly HandlerFinding[]): readonly string[] =>
  findings.length === 0
    ? []
    : ['Handlers:', ...findings.map(({ message }) => `  ${printable(message)}`)];

/** @throws Error with the report, where an error is in it */
export const requireFittingHandlers = (findings: readonly HandlerFinding[]): void => {
  if (!findings.some(({ isError }) => isError)) return;
  const advice = 'Correct this, or set STRICT_HANDLERS=false.';
  throw new Error([...handlerReportLines(findings), advice].join('\n'));
};
