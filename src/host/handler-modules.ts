/** Loads the modules of a service's handlers, `handlers/NAME/*`: what they declare, and the factories of their handlers. */

import { type Dirent, existsSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { errorMessage } from '../base/error-message';
import { recoverFromCode } from '../base/recover';
import { textPositions } from '../base/text/text-position';
import type { UntypedHandler } from '../engine';
import type { CollectionDeclaration } from '../storage/collections/register-collections';

/** Makes handlers by operationId from what it is given. */
type HandlerFactory = (dependencies: object) => object;

/** A handler, and the module that it is from. */
export interface LoadedHandler {
  readonly operationId: string;
  readonly handler: UntypedHandler;
  readonly file: string;
}

/** A module that cannot be loaded, or whose handlers cannot be made. */
export interface FailedModule {
  readonly file: string;
  /** A sentence that names the file. */
  readonly reason: string;
  readonly cause: unknown;
}

/** The handlers of a service, and the modules that gave none. */
interface MadeHandlers {
  readonly handlers: readonly LoadedHandler[];
  readonly failed: readonly FailedModule[];
}

/** The exports of the modules of one service. */
export interface HandlerModules {
  /** True where there are modules beside the generated types. */
  readonly exist: boolean;
  /** The reason why none can be used; all else is empty then. */
  readonly failure?: string;
  /** Those that cannot be loaded. */
  readonly failed: readonly FailedModule[];
  readonly collections: Readonly<Record<string, CollectionDeclaration>>;
  /** The schema of the service's users; undefined where it declares none. */
  readonly accounts: CollectionDeclaration | undefined;
  /** Demo data, by collection; `users` are the users. */
  readonly demo: Readonly<Record<string, readonly object[]>>;
  /** The module that exports it. */
  readonly demoFile?: string | undefined;
  /** Calls every factory. A module fails that cannot be loaded, has none that can be called, or handles what another one does. */
  handlers(dependencies: object): MadeHandlers;
  /** Functions in exported objects, which are never called. */
  readonly strayHandlers: readonly Pick<LoadedHandler, 'operationId' | 'file'>[];
  /** Finds the place of a text in the declarations: `handlers/NAME/FILE:LINE:COLUMN`; the folder where none has it. */
  positionOf(text: string): string;
}

/** A module, and the file that its author knows. */
interface LoadedModule {
  readonly file: string;
  readonly exported: Readonly<Record<string, unknown>>;
}

const isFactory = (value: unknown): value is HandlerFactory => typeof value === 'function';
const isHandler = (value: unknown): value is UntypedHandler => typeof value === 'function';

/** Tells whether a file is a module in source or compiled form: no declarations and no maps. */
const isModule = (name: string): boolean => /(?<!\.d)\.(ts|js)$/.test(name);

/** Lists a folder; one that is missing is empty, since a document may be served before its first handler is written. */
export const readFolder = (directory: string, recursive = false): Promise<readonly Dirent[]> =>
  readdir(directory, { withFileTypes: true, recursive }).catch(recoverFromCode('ENOENT', []));

const moduleFiles = async (directory: string): Promise<string[]> =>
  (await readFolder(directory))
    .map(({ name }) => name)
    .filter(isModule)
    .sort();

/** Gives the source folder of a compiled one: `handlers` for `dist/handlers`; other paths stay as they are. */
const sourceOf = (path: string): string => resolve(path).replace(/^(.*)\/dist(?=\/)/, '$1');

/** Gives the source of a compiled module where it exists: `handlers/NAME/FILE.ts` for `dist/handlers/NAME/FILE.js`. */
const authorsFile = (path: string): string => {
  const source = sourceOf(path).replace(/\.js$/, '.ts');
  return relative('', existsSync(source) ? source : path);
};

/** Tells whether a file declares an export of a name, as far as its text says. */
export const declares = ({ file }: Pick<FailedModule, 'file'>, name: string): boolean =>
  new RegExp(`\\b(?:export\\s+(?:const|let)\\s+|exports\\.)${name}\\b`).test(
    readFileSync(file, 'utf8'),
  );

/**
 * Loads modules. What the others are made with must be there.
 * @throws Error where a module that declares it cannot be loaded
 */
const loadModules = (paths: readonly string[]) => {
  const modules: LoadedModule[] = [];
  const failed: FailedModule[] = [];
  for (const path of paths) {
    const file = authorsFile(path);
    try {
      modules.push({ file, exported: require(path) });
    } catch (error) {
      const reason = `${file} cannot be loaded: ${errorMessage(error)}`;
      if (['collections', 'accounts'].some((name) => declares({ file }, name))) {
        throw new Error(reason, { cause: error });
      }
      failed.push({ file, reason, cause: error });
    }
  }
  return { modules, failed };
};

const madeBy = (file: string, name: string, make: HandlerFactory, dependencies: object): object => {
  try {
    return Object(make(dependencies));
  } catch (error) {
    const advice = 'Helpers belong into a folder of their own.';
    const message = `${file}: ${name} is no factory of handlers: ${errorMessage(error)}. ${advice}`;
    throw new Error(message, { cause: error });
  }
};

/** Calls the factories of one module. */
const handlersOf = ({ file, exported }: LoadedModule, dependencies: object): LoadedHandler[] =>
  Object.entries(exported)
    .flatMap(([name, made]) => (isFactory(made) ? [madeBy(file, name, made, dependencies)] : []))
    .flatMap((handlers) => Object.entries(handlers))
    .flatMap(([operationId, handler]) =>
      isHandler(handler) ? [{ operationId, handler, file }] : [],
    );

const allHandlers = (modules: readonly LoadedModule[], dependencies: object): MadeHandlers => {
  const handlers: LoadedHandler[] = [];
  const failed: FailedModule[] = [];
  for (const module of modules) {
    const { file } = module;
    try {
      const made = handlersOf(module, dependencies);
      const known = [...handlers, ...made].map(({ operationId }) => operationId);
      const twice = known.find((operationId, at) => known.indexOf(operationId) < at);
      if (twice !== undefined) throw new Error(`${file}: ${twice} is handled twice`);
      handlers.push(...made);
    } catch (error) {
      failed.push({ file, reason: errorMessage(error), cause: error });
    }
  }
  return { handlers, failed };
};

const strayHandlersOf = ({ file, exported }: LoadedModule) =>
  Object.values(exported)
    .filter((value) => typeof value === 'object' && value !== null)
    .flatMap((value) => Object.entries(value as object))
    .flatMap(([operationId, value]) => (isHandler(value) ? [{ operationId, file }] : []));

const positionIn = ({ file }: Pick<LoadedModule, 'file'>, text: string): string | undefined => {
  const source = readFileSync(file, 'utf8');
  const offset = source.indexOf(text);
  if (offset < 0) return undefined;
  const { line, column } = textPositions(source)(offset);
  return `${file}:${line}:${column}`;
};

/** Finds where a handler begins: `handlers/NAME/FILE:LINE:COLUMN`; the file where it stands in none of the usual forms. */
export const placeOfHandler = ({ file, operationId }: LoadedHandler): string =>
  ['(', ':', ','].map((end) => positionIn({ file }, `${operationId}${end}`)).find(Boolean) ?? file;

/** Gives the last export of a name; the compiler has checked its type where it was declared. */
const exportedAs = <Value>(modules: readonly LoadedModule[], name: string): Value | undefined =>
  modules.map(({ exported }) => exported[name]).findLast((value) => value !== undefined) as
    | Value
    | undefined;

const isWritten = (file: string): boolean => !file.startsWith('types.');

/** Refuses handlers that are written and not compiled: they are not to be taken for missing ones. */
const requireCompiled = async (directory: string): Promise<void> => {
  const source = sourceOf(directory);
  if (source === resolve(directory) || !(await moduleFiles(source)).some(isWritten)) return;
  throw new Error(
    `${relative('', source)} cannot be loaded: it is not compiled; run npm run build`,
  );
};

/**
 * Loads the modules of one document.
 *
 * @param handlersDirectory the folder of all handlers
 * @param name the document's name
 * @throws Error naming the module without which none can be used, or the folder that is not compiled
 */
export type LoadHandlers = (handlersDirectory: string, name: string) => Promise<HandlerModules>;

/** Loads them as Node.js does, which keeps each module as it was when it was first loaded. */
export const loadHandlerModules: LoadHandlers = async (handlersDirectory, name) => {
  const directory = join(handlersDirectory, name);
  const files = await moduleFiles(directory);
  const exist = files.some(isWritten);
  if (!exist) await requireCompiled(directory);
  const { modules, failed } = loadModules(files.map((file) => resolve(directory, file)));
  const declaring = modules.filter(({ exported }) => 'collections' in exported);
  return {
    exist,
    failed,
    collections: exportedAs(modules, 'collections') ?? {},
    accounts: exportedAs(modules, 'accounts'),
    demo: exportedAs(modules, 'demo') ?? {},
    demoFile: modules.findLast(({ exported }) => exported['demo'] !== undefined)?.file,
    handlers(dependencies) {
      const made = allHandlers(modules, dependencies);
      return { ...made, failed: [...failed, ...made.failed] };
    },
    strayHandlers: modules.flatMap(strayHandlersOf),
    positionOf: (text) =>
      declaring.map((module) => positionIn(module, text)).find((found) => found !== undefined) ??
      directory,
  };
};

/** Stands for modules that cannot be loaded: there is nothing of them. */
export const noModules = (
  handlersDirectory: string,
  name: string,
  failure: string,
): HandlerModules => ({
  exist: true,
  failure,
  failed: [],
  collections: {},
  accounts: undefined,
  demo: {},
  handlers: () => ({ handlers: [], failed: [] }),
  strayHandlers: [],
  positionOf: () => join(handlersDirectory, name),
});
