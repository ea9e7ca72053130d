/** The operations of a service that have handlers, and the modules that hold them. */

import { resolve } from 'node:path';
import { loadHandlerModules } from '../../../src/server/services/handler-modules';

/** Stands for every collection and function that factories are given: they are called only to see what they return. */
const anything: object = new Proxy(() => anything, {
  // What is awaited or turned into a text is not to be taken for a promise or an iterator.
  get: (_, key) => (typeof key === 'symbol' || key === 'then' ? undefined : anything),
});

/**
 * The module of each handler, by operationId; absolute paths.
 * @param handlersDirectory the folder of all handlers
 * @throws Error naming the module that cannot be loaded, or has no factories
 */
export const handledOperations = async (
  handlersDirectory: string,
  service: string,
): Promise<ReadonlyMap<string, string>> => {
  const modules = await loadHandlerModules(handlersDirectory, service);
  return new Map(
    modules.handlers(anything).map(({ operationId, file }) => [operationId, resolve(file)]),
  );
};
