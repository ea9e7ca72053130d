/**
 * Takes modules of handlers apart. A function named like an operation is its handler, and an object holds handlers; any other function
 * is a factory, which is called with what handlers need and returns such an object. Beside them a module may declare what the service
 * stores (`collections`, `accounts`, `demo`), and verify credentials (`securityHandlers`).
 */

import { type Dirent, readFileSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { errorMessage } from '../base/error-message';
import { attempt, recoverFromCode } from '../base/recover';
import { nearestName } from '../base/text/nearest-name';
import { textPositions } from '../base/text/text-position';
import type { SecurityHandlers, UntypedHandler } from '../engine';
import type { Operation } from '../model/operation';
import type { CollectionDeclaration } from '../storage/collections/register-collections';
import type { OwnMigration } from '../storage/tables/own-migrations';

type Identified = Pick<Operation, 'operationId'>;

/** A handler, and the module that it is from. */
export interface LoadedHandler {
  readonly operationId: string;
  readonly handler: UntypedHandler;
  readonly file: string;
}

/** A module that cannot be loaded, or of which a handler cannot be made. */
export interface FailedModule {
  readonly file: string;
  /** A sentence that names the file. */
  readonly reason: string;
  readonly cause: unknown;
  /** True where a factory of the module has failed, which may succeed at the next start. */
  readonly isUnmade?: boolean;
}

/** The arguments of a factory, and what is done where it fails. */
export interface FactoryCall {
  readonly given: readonly unknown[];
  failed(): Promise<void>;
}

/** The handlers of a service, and the modules that lack some. */
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
  /** Those that cannot be loaded as they are now: their last good versions are used. */
  readonly behind: readonly FailedModule[];
  readonly collections: Readonly<Record<string, CollectionDeclaration>>;
  /** The schema of the service's users; undefined where it declares none, and false where it is to have no users. */
  readonly accounts: CollectionDeclaration | false | undefined;
  /** Demo data, by collection; `users` are the users. */
  readonly demo: Readonly<Record<string, readonly object[]>>;
  /** The module that exports it. */
  readonly demoFile?: string | undefined;
  /**
   * Makes the handlers; what handles no operation is among them. A module fails that cannot be loaded, or has a factory that throws, or
   * handles what another one does.
   */
  handlers(call: () => FactoryCall, operations: readonly Identified[]): Promise<MadeHandlers>;
  /**
   * Makes what verifies credentials in place of the service's own.
   * @throws Error in one sentence where that fails: then no handler may run
   */
  securityHandlers(): Promise<SecurityHandlers>;
  /** The migrations of its tables, in no order. */
  readonly migrations: readonly OwnMigration[];
  /** Finds the place of a text in the declarations: `handlers/NAME/FILE:LINE:COLUMN`; the folder where none has it. */
  positionOf(text: string): string;
}

/** A module, and the file that its author knows. */
export interface LoadedModule {
  readonly file: string;
  readonly exported: Readonly<Record<string, unknown>>;
}

type Exports = LoadedModule['exported'];

const isFunction = (value: unknown): value is UntypedHandler => typeof value === 'function';
const isObject = (value: unknown): value is Exports => typeof value === 'object' && value !== null;

/** Lists a folder; one that is missing is empty, since a document may be served before its first handler is written. */
export const readFolder = (directory: string, recursive = false): Promise<readonly Dirent[]> =>
  readdir(directory, { withFileTypes: true, recursive }).catch(recoverFromCode('ENOENT', []));

/** Tells whether a path leads to a regular file; others might never end. */
export const isFile = (path: string): boolean => attempt(() => statSync(path).isFile()) ?? false;

/** Returns the text of a module; none where it is no file. */
export const moduleText = ({ file }: Pick<FailedModule, 'file'>): string =>
  isFile(file) ? readFileSync(file, 'utf8') : '';

/** Tells whether a module declares an export of a name, as far as its text says. */
export const declares = (module: Pick<FailedModule, 'file'>, name: string): boolean =>
  new RegExp(`\\b(?:export\\s+(?:const|let)\\s+|exports\\.)${name}\\b`).test(moduleText(module));

/** Lists exports, those in the default export among them: for CommonJS it holds all others. */
const exportsOf = (exported: Exports, depth = 0): readonly (readonly [string, unknown])[] =>
  Object.entries(exported).flatMap(([name, value]) => {
    if (name !== 'default' && name !== 'module.exports') return [[name, value] as const];
    return isObject(value) && depth < 3 ? exportsOf(value, depth + 1) : [];
  });

/** Exports that are no handlers. */
const declarations = ['collections', 'accounts', 'demo', 'securityHandlers'];

/**
 * Makes the handlers of one export. A function that makes no handlers is taken for one, under a name that no operation has.
 * @throws Error in one sentence where a factory fails
 */
const handlersOf = async (
  file: string,
  name: string,
  value: unknown,
  call: () => FactoryCall,
  operationIds: ReadonlySet<string>,
): Promise<readonly LoadedHandler[]> => {
  let made = value;
  if (isFunction(value)) {
    const handler = { operationId: name, handler: value, file };
    if (operationIds.has(name)) return [handler];
    const { given, failed } = call();
    try {
      made = await Reflect.apply(value, undefined, [...given]);
    } catch (error) {
      await failed();
      // A handler whose name has a slip lacks its request.
      if (nearestName(name, [...operationIds]) !== undefined) return [handler];
      const advice = 'Helpers belong into a folder of their own.';
      const message = `${file}: ${name} is no factory of handlers: ${errorMessage(error)}. ${advice}`;
      throw new Error(message, { cause: error });
    }
    const makesHandlers = isObject(made) && Object.values(made).some(isFunction);
    if (!makesHandlers) return [handler];
  }
  return Object.entries(isObject(made) ? made : {}).flatMap(([operationId, handler]) =>
    isFunction(handler) ? [{ operationId, handler, file }] : [],
  );
};

/** Makes the handlers of all modules; where several handle an operation, the first one does. */
const allHandlers = async (
  modules: readonly LoadedModule[],
  call: () => FactoryCall,
  operations: readonly Identified[],
): Promise<MadeHandlers> => {
  const handlers = new Map<string, LoadedHandler>();
  const failed: FailedModule[] = [];
  const operationIds = new Set(operations.map(({ operationId }) => operationId));
  const add = (loaded: LoadedHandler): void => {
    const { operationId, handler, file } = loaded;
    const other = handlers.get(operationId);
    if (other === undefined) handlers.set(operationId, loaded);
    if (other === undefined || other.handler === handler) return;
    const how = other.file === file ? 'twice' : `by ${other.file} already. Remove one.`;
    throw new Error(`${file}: ${operationId} is handled ${how}`);
  };
  for (const { file, exported } of modules) {
    const own = new Map(exportsOf(exported).filter(([name]) => !declarations.includes(name)));
    for (const [name, value] of own) {
      try {
        (await handlersOf(file, name, value, call, operationIds)).forEach(add);
      } catch (error) {
        const isUnmade = isFunction(value);
        failed.push({ file, reason: errorMessage(error), cause: error, isUnmade });
      }
    }
  }
  return { handlers: [...handlers.values()], failed };
};

const positionIn = (module: Pick<LoadedModule, 'file'>, text: string): string | undefined => {
  const source = moduleText(module);
  const offset = source.indexOf(text);
  if (offset < 0) return undefined;
  const { line, column } = textPositions(source)(offset);
  return `${module.file}:${line}:${column}`;
};

/** Finds where a handler begins: `handlers/NAME/FILE:LINE:COLUMN`; the file where it stands in none of the usual forms. */
export const placeOfHandler = ({ file, operationId }: LoadedHandler): string =>
  ['(', ':', ',', ' ='].map((end) => positionIn({ file }, `${operationId}${end}`)).find(Boolean) ??
  file;

/** Gives the last export of a name; the compiler has checked its type where it was declared. */
const exportedAs = <Value>(modules: readonly LoadedModule[], name: string): Value | undefined =>
  modules
    .flatMap(({ exported }) => exportsOf(exported))
    .findLast(([own, value]) => own === name && value !== undefined)?.[1] as Value | undefined;

/** Joins what the security handlers of modules verify; a module exports them, or the function that makes them. */
const joinSecurityHandlers = async (
  modules: readonly LoadedModule[],
): Promise<SecurityHandlers> => {
  const joined: SecurityHandlers = {};
  for (const module of modules) {
    const own: unknown = exportedAs([module], 'securityHandlers');
    try {
      Object.assign(joined, isFunction(own) ? await Reflect.apply(own, undefined, []) : own);
    } catch (error) {
      const message = `${module.file}: securityHandlers cannot be made: ${errorMessage(error)}`;
      throw new Error(message, { cause: error });
    }
  }
  return joined;
};

/** Modules as they were loaded, and those that were not. */
export interface LoadedModules
  extends Pick<HandlerModules, 'exist' | 'failed' | 'behind' | 'migrations'> {
  readonly modules: readonly LoadedModule[];
}

/** Says what modules are together, and where a text stands in them; the folder where it stands in none. */
export const joinModules = (
  { modules, exist, failed, behind, migrations }: LoadedModules,
  folder: string,
): HandlerModules => {
  const declaring = modules.filter(({ exported }) => 'collections' in exported);
  return {
    ...{ exist, failed, behind, migrations },
    collections: exportedAs(modules, 'collections') ?? {},
    accounts: exportedAs(modules, 'accounts'),
    demo: exportedAs(modules, 'demo') ?? {},
    demoFile: modules.findLast(({ exported }) => exported['demo'] !== undefined)?.file,
    async handlers(call, operations) {
      const made = await allHandlers(modules, call, operations);
      return { ...made, failed: [...failed, ...made.failed] };
    },
    securityHandlers: () => joinSecurityHandlers(modules),
    positionOf: (text) =>
      declaring.map((module) => positionIn(module, text)).find((found) => found !== undefined) ??
      folder,
  };
};

/**
 * Loads the modules of a document, by its name.
 * @throws Error naming the module without which none can be used, or the folder that is not compiled
 */
export type LoadHandlers = (name: string) => Promise<HandlerModules>;

/** Stands for modules that cannot be loaded: there is nothing of them. */
export const noModules = (folder: string, failure?: string): HandlerModules => {
  const none = { modules: [], failed: [], behind: [], migrations: [] };
  const modules = joinModules({ ...none, exist: failure !== undefined }, folder);
  return failure === undefined ? modules : { ...modules, failure };
};
