/** Loads the modules of a service's handlers, `handlers/NAME/*`: what they declare, and the factories of their handlers. */

import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { UntypedHandler } from '../../engine';
import type { CollectionDeclaration } from '../storage/collections/register-collections';

/** Makes handlers by operationId from what it is given. */
type HandlerFactory = (dependencies: object) => object;

/** What the modules of one service export. */
export interface HandlerModules {
  readonly collections: Readonly<Record<string, CollectionDeclaration>>;
  /** The schema of the service's users; undefined where it declares none. */
  readonly accounts: CollectionDeclaration | undefined;
  /** Demo data, by collection; `users` are the users. */
  readonly demo: Readonly<Record<string, readonly object[]>>;
  /** Calls every factory; throws where two modules handle the same operation. */
  handlers(dependencies: object): ReadonlyMap<string, UntypedHandler>;
}

/** A module, and where it is. */
interface LoadedModule {
  readonly file: string;
  readonly exported: Readonly<Record<string, unknown>>;
}

const isFactory = (value: unknown): value is HandlerFactory => typeof value === 'function';
const isHandler = (value: unknown): value is UntypedHandler => typeof value === 'function';

/** Modules in source or compiled form, no declarations and no maps. */
const isModule = (name: string): boolean => /(?<!\.d)\.(ts|js)$/.test(name);

const moduleFiles = async (directory: string): Promise<string[]> => {
  try {
    return (await readdir(directory)).filter(isModule).sort();
  } catch (error) {
    // A document may be served before its first handler is written.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
};

/** What one module handles: the entries of all its factories. */
const handlersOf = ({ exported }: LoadedModule, dependencies: object) =>
  Object.values(exported)
    .filter(isFactory)
    .flatMap((make) => Object.entries(make(dependencies)))
    .filter((entry): entry is [string, UntypedHandler] => isHandler(entry[1]));

const handlersByOperation = (
  modules: readonly LoadedModule[],
  dependencies: object,
): ReadonlyMap<string, UntypedHandler> => {
  const handlers = new Map<string, UntypedHandler>();
  for (const module of modules) {
    for (const [operationId, handler] of handlersOf(module, dependencies)) {
      if (handlers.has(operationId)) {
        throw new Error(`${module.file}: ${operationId} is handled twice`);
      }
      handlers.set(operationId, handler);
    }
  }
  return handlers;
};

/** The last export of a name; the compiler has checked its type where it was declared. */
const exportedAs = <Value>(modules: readonly LoadedModule[], name: string): Value | undefined =>
  modules.map(({ exported }) => exported[name]).findLast((value) => value !== undefined) as
    | Value
    | undefined;

/**
 * Loads the modules of one document.
 *
 * @param handlersDirectory the folder of all handlers
 * @param name the document's name
 */
export const loadHandlerModules = async (
  handlersDirectory: string,
  name: string,
): Promise<HandlerModules> => {
  const directory = join(handlersDirectory, name);
  const modules = (await moduleFiles(directory)).map(
    (file): LoadedModule => ({
      file: `handlers/${name}/${file}`,
      exported: require(resolve(directory, file)),
    }),
  );
  return {
    collections: exportedAs(modules, 'collections') ?? {},
    accounts: exportedAs(modules, 'accounts'),
    demo: exportedAs(modules, 'demo') ?? {},
    handlers: (dependencies) => handlersByOperation(modules, dependencies),
  };
};
