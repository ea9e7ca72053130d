/** Compares the handlers that there are with the operations that there are: what the start says, and what production refuses. */

import { basename, dirname, join, relative } from 'node:path';
import { groupBy } from '../base/group-by';
import { pointerTo } from '../base/json-pointer';
import { nearestName } from '../base/text/nearest-name';
import { printable } from '../base/text/printable';
import type { ApiDocument } from '../engine';
import type { Operation } from '../model/operation';
import type { DeclarationFault } from '../storage/storage';
import {
  type FailedModule,
  type HandlerModules,
  type LoadedHandler,
  moduleText,
  placeOfHandler,
  readFolder,
} from './handler-modules';

/** One line of the report. */
export interface HandlerFinding {
  readonly message: string;
  /** The name of its document; undefined where it has none. */
  readonly document?: string;
  /** The operationIds and files that it is about. */
  readonly about?: readonly string[];
  /** True where STRICT_HANDLERS keeps the program from starting. */
  readonly isError: boolean;
}

/** Demo data of one collection that does not fit the document. */
export interface UnfitDemoData extends Pick<DeclarationFault, 'name' | 'declaration'> {
  /** The places of the items in the list, counted from 1. */
  readonly numbers: readonly number[];
  readonly reason: string;
}

/** A document, and its folder of handlers. */
export interface HandledDocument {
  readonly document: ApiDocument;
  readonly modules: HandlerModules;
  readonly handlers: readonly LoadedHandler[];
  /** The reason why there are none, though they are written. */
  readonly failure?: string | undefined;
  readonly failed: readonly FailedModule[];
  readonly faults: readonly DeclarationFault[];
  readonly unfitDemo: readonly UnfitDemoData[];
  /** True where operations without a handler are mocked. */
  readonly mocks: boolean;
  /** True where any credential is accepted. */
  readonly acceptsAny: boolean;
}

/** Finds the operations without a handler. Those that cannot be served at all are among the problems of the document. */
const unhandledOperations = ({ document, handlers }: HandledDocument): readonly Operation[] => {
  const handled = new Set(handlers.map(({ operationId }) => operationId));
  return document.operations.filter(
    ({ operationId, invalidReason }) => invalidReason === undefined && !handled.has(operationId),
  );
};

/** Tells whether a name stands in a text as a word of its own. */
export const isWord = (name: string, text: string): boolean =>
  new RegExp(`(?<![\\w$])${name.replaceAll(/[^\w]/g, '\\$&')}(?![\\w$])`).test(text);

/**
 * Finds the operations whose handlers are in a module that cannot be used: by their names in its text; where a module of the document
 * alone has none of them, all.
 */
export const lostOperations = (
  handled: HandledDocument,
  failed: readonly FailedModule[] = handled.failed,
): readonly Operation[] => {
  const unhandled = unhandledOperations(handled);
  const lost = failed.flatMap(({ file }) => {
    const text = moduleText({ file });
    const named = unhandled.filter(({ operationId }) => isWord(operationId, text));
    const isShared = basename(dirname(file)) !== handled.document.name;
    return named.length > 0 || isShared ? named : unhandled;
  });
  return [...new Set(lost)];
};

/** Finds the operations without a handler that is written. */
const unwrittenOperations = (handled: HandledDocument): readonly Operation[] => {
  const lost = lostOperations(handled);
  return unhandledOperations(handled).filter((operation) => !lost.includes(operation));
};

/** Finds the operations that a mock answers. */
export const mockedOperations = (handled: HandledDocument): readonly Operation[] =>
  handled.mocks ? unwrittenOperations(handled) : [];

/** Gives the place of a pointer in a document: `specs/box.yaml:12`. */
export const placeOf = (document: ApiDocument, pointer: string): string => {
  const unsaid = { severity: 'warning', rule: 'operation-id', message: '' } as const;
  const { file, line } = document.locate({ ...unsaid, pointer });
  return `${file}:${line}`;
};

export const placeOfOperation = (document: ApiDocument, { pointer }: Operation): string =>
  placeOf(document, `${pointer}/operationId`);

/** Operations beyond these are counted. */
const most = 10;

/** Reports the handlers of operations that none of the documents has for which their module is. */
const unknownHandlers = (services: readonly HandledDocument[]): HandlerFinding[] => {
  const all = services.flatMap(({ document, handlers }) =>
    handlers.map((handler) => ({ ...handler, document })),
  );
  const same = groupBy(all, ({ file, operationId }) => JSON.stringify([file, operationId]));
  return [...same.values()].flatMap(([handler, ...others]): HandlerFinding[] => {
    if (handler === undefined) return [];
    const { operationId, document } = handler;
    const documents = [document, ...others.map((other) => other.document)];
    const ids = documents.flatMap((each) => each.operations.map((known) => known.operationId));
    if (ids.includes(operationId)) return [];
    const meant = nearestName(operationId, ids);
    const advice = meant === undefined ? '' : `; did you mean ${meant}?`;
    const files = documents.map(({ file }) => file).join(', ');
    const message = `${placeOfHandler(handler)}: ${operationId}: no operation of ${files} has this id${advice}`;
    return [{ message, document: document.name, about: [operationId], isError: true }];
  });
};

const declarationFault = (
  { modules }: HandledDocument,
  text: string,
  sentence: string,
): HandlerFinding => {
  const place = modules.positionOf(`'${text}'`);
  const file = place.replace(/(?::\d+)+$/, '');
  return { message: `${place}: ${sentence}`, about: [file], isError: true };
};

const readerFindings = (handled: HandledDocument): HandlerFinding[] =>
  Object.entries(handled.modules.collections).flatMap(([name, { files }]) => {
    if (typeof files !== 'object') return [];
    const { read } = files;
    if (handled.document.operations.some(({ operationId }) => operationId === read)) return [];
    const sentence = `The document has no operation ${read}, so that no caller can read the files of ${name}.`;
    return [declarationFault(handled, read, sentence)];
  });

const declarationFindings = (handled: HandledDocument): HandlerFinding[] =>
  handled.faults.flatMap(({ name, declaration, reason, missingFields }) => {
    const { schema = declaration.body ?? '' } = declaration;
    const declared = typeof schema === 'string' ? schema : name;
    const unusable = `${reason} Operations that use ${name} answer 501.`;
    const notFound = (path: string) =>
      `The schema of ${name} has no field ${path}, so that nothing is found by it.`;
    return [
      ...(reason === undefined ? [] : [declarationFault(handled, declared, unusable)]),
      ...missingFields.map((path) => declarationFault(handled, path, notFound(path))),
    ];
  });

const unfitDemoFindings = ({ document, modules, unfitDemo }: HandledDocument): HandlerFinding[] =>
  unfitDemo.map(({ name, declaration: { schema, body }, numbers, reason }) => {
    const file = modules.demoFile ?? name;
    const operation = document.operations.find(({ operationId }) => operationId === body);
    const place =
      typeof schema === 'string'
        ? placeOf(document, pointerTo('/components/schemas', schema))
        : operation && placeOfOperation(document, operation);
    const what =
      typeof schema === 'object' ? `the schema of ${name}` : `${schema ?? body} (${place})`;
    const listed = numbers.join(', ');
    const [items, does, is] =
      numbers.length === 1 ? ['item', 'does', 'is'] : ['items', 'do', 'are'];
    const message = `${file}: ${items} ${listed} of ${name} ${does} not fit ${what} and ${is} left out: ${reason.trim()}`;
    return { message, about: [file], isError: false };
  });

/** Reports operations without a handler, one a sentence. */
const missingHandlers = (handled: HandledDocument): HandlerFinding[] => {
  const { document, mocks } = handled;
  const fate = mocks ? 'mocked' : 'not implemented (501)';
  const missing = unwrittenOperations(handled);
  const sentences = missing.map((operation): HandlerFinding => {
    const { operationId } = operation;
    const place = placeOfOperation(document, operation);
    const message = `${operationId} (${place}) has no handler: ${fate}. npm run contract -- stubs writes one`;
    return { message, about: [operationId], isError: false };
  });
  if (sentences.length <= most) return sentences;
  const message = `${document.name}: ${sentences.length - most} more operations have no handler: ${fate}`;
  const about = missing.slice(most).map(({ operationId }) => operationId);
  return [...sentences.slice(0, most), { message, about, isError: false }];
};

const withoutStop = (sentence: string): string => sentence.replace(/\.$/, '');

/** Reports the modules that cannot be used, each once, with what it takes out of service. */
const failedFindings = (services: readonly HandledDocument[]): HandlerFinding[] => {
  const all = services.flatMap((handled) =>
    handled.failed.map((module) => ({
      ...module,
      document: handled.document.name,
      lost: lostOperations(handled, [module]).map(({ operationId }) => operationId),
    })),
  );
  const same = groupBy(all, ({ file, reason }) => JSON.stringify([file, reason]));
  return [...same.values()].flatMap((modules) =>
    modules.slice(0, 1).map(({ file, reason, document }) => {
      const ids = [...new Set(modules.flatMap(({ lost }) => lost))];
      const more = ids.length > most ? ` and ${ids.length - most} more` : '';
      const fate = ids.length === 0 ? '' : `. 501 for ${ids.slice(0, most).join(', ')}${more}`;
      const message = withoutStop(reason) + fate;
      return { message, document, about: [file, ...ids], isError: true };
    }),
  );
};

/** Reports operations without a handler; where there are no handlers at all, as one sentence. */
const folderFindings = (handled: HandledDocument, folder: string): HandlerFinding[] => {
  const { document, modules, failure, mocks, acceptsAny } = handled;
  if (failure !== undefined) return [];
  if (modules.exist) return missingHandlers(handled);
  const missing = unhandledOperations(handled);
  if (missing.length === 0) return [];
  const fate = mocks ? 'mocked' : 'not implemented (501)';
  const credentials = acceptsAny ? ', and any credential is accepted' : '';
  const message = `${document.name}: there are no handlers in ${folder}: all ${missing.length} operations are ${fate}${credentials}`;
  return [{ message, isError: true }];
};

/** Finds the folders of handlers whose documents are not among those of these names. */
export const foldersWithoutDocument = async (
  handlersDirectory: string,
  names: ReadonlySet<string>,
): Promise<readonly string[]> =>
  (await readFolder(handlersDirectory))
    .filter((entry) => entry.isDirectory() && !names.has(entry.name))
    .map(({ name }) => relative('', join(handlersDirectory, name)))
    .sort();

const findingsOf = (
  services: readonly HandledDocument[],
  find: (service: HandledDocument) => readonly HandlerFinding[],
): readonly HandlerFinding[] =>
  services.flatMap((service) =>
    find(service).map((finding) => ({ ...finding, document: service.document.name })),
  );

/** Finds the faults of handlers that are written. */
export const handlerFaults = (services: readonly HandledDocument[]): readonly HandlerFinding[] => [
  ...unknownHandlers(services),
  ...findingsOf(services, declarationFindings),
  ...findingsOf(services, readerFindings),
  ...findingsOf(services, unfitDemoFindings),
  ...findingsOf(services, (handled) => {
    const { document, failure } = handled;
    if (failure === undefined) return [];
    const { length } = unhandledOperations(handled);
    const message = `${withoutStop(failure)}. The ${length} operations of ${document.name} answer 501`;
    return [{ message, isError: true }];
  }),
  ...failedFindings(services),
];

/** Finds what does not fit together, in the order in which it is to be mended: faults, then what is missing. */
export const reportHandlers = async (
  handlersDirectory: string,
  services: readonly HandledDocument[],
): Promise<readonly HandlerFinding[]> => {
  const folderOf = (name: string): string => relative('', join(handlersDirectory, name));
  const names = new Set(services.map(({ document }) => document.name));
  const unused = await foldersWithoutDocument(handlersDirectory, names);
  return [
    ...handlerFaults(services),
    ...unused.map((folder) => {
      const reason = `no document ${basename(folder)} is served, so that its handlers are not used`;
      return { message: `${folder}: ${reason}`, isError: false };
    }),
    ...findingsOf(services, (service) => folderFindings(service, folderOf(service.document.name))),
  ];
};

/** Makes the report for readers; empty where everything fits. */
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
