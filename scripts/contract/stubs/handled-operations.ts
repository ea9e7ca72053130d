/** Which operations of a service have handlers, and in which modules. */

import { resolve } from 'node:path';
import { loadHandlerModules, standIn } from '../../../src/server/services/handler-modules';

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
    modules.handlers(standIn).map(({ operationId, file }) => [operationId, resolve(file)]),
  );
};
