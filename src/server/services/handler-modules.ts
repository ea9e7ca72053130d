/** Finds a document's handlers: every maker that `handlers/NAME/*` exports is called with the service's resources. */

import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { UntypedHandler } from '../../engine';

type Maker = (resources: object) => object;

const isMaker = (value: unknown): value is Maker => typeof value === 'function';
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

/** What one module handles: the entries of all its makers. */
const handlersOf = (exported: object, resources: object): [string, UntypedHandler][] =>
  Object.values(exported)
    .filter(isMaker)
    .flatMap((make) => Object.entries(make(resources)))
    .filter((entry): entry is [string, UntypedHandler] => isHandler(entry[1]));

/**
 * Loads the handlers of one document, by operationId.
 * @param handlersDirectory the folder of all handlers
 * @param name the document's name
 * @param resources what the makers may ask for
 * @throws Error where two modules handle the same operation
 */
export const loadHandlers = async (
  handlersDirectory: string,
  name: string,
  resources: object,
): Promise<ReadonlyMap<string, UntypedHandler>> => {
  const directory = join(handlersDirectory, name);
  const handlers = new Map<string, UntypedHandler>();
  for (const file of await moduleFiles(directory)) {
    const exported: object = require(resolve(directory, file));
    for (const [operationId, handler] of handlersOf(exported, resources)) {
      if (handlers.has(operationId)) {
        throw new Error(`handlers/${name}/${file}: ${operationId} is handled twice`);
      }
      handlers.set(operationId, handler);
    }
  }
  return handlers;
};
