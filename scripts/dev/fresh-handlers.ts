/** Loads handlers again while the program runs; where a module cannot be loaded, the earlier ones stay. */

import { existsSync, realpathSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import {
  type HandlerModules,
  type LoadHandlers,
  loadHandlerModules,
} from '../../src/server/services/handler-modules';

/** The absolute path of a folder, links in it followed. */
export const realFolder = (folder: string): string =>
  existsSync(folder) ? realpathSync(folder) : resolve(folder);

/** Handlers that can be loaded more than once. */
export interface FreshHandlers {
  readonly load: LoadHandlers;
  /** Has the modules loaded again at the next `load`. */
  forget(): void;
  /** Tells whether earlier handlers stand in for some that could not be loaded. */
  isBehind(): boolean;
}

/**
 * Forgets the modules below a folder. Modules that loaded them list them as children; these entries have to go, too, or each
 * version of a module would stay in memory.
 */
const forgetModules = (folder: string): void => {
  const start = realFolder(folder) + sep;
  const isForgotten = (path: string): boolean => path.startsWith(start);
  for (const [path, loaded] of Object.entries(require.cache)) {
    if (loaded === undefined) continue;
    if (isForgotten(path)) delete require.cache[path];
    else loaded.children = loaded.children.filter(({ filename }) => !isForgotten(filename));
  }
};

/**
 * Makes the loader.
 *
 * @param folder - of all handlers
 * @param report - takes the error for which earlier handlers stay
 */
export const freshHandlers = (folder: string, report: (error: unknown) => void): FreshHandlers => {
  const good = new Map<string, HandlerModules>();
  const behind = new Set<string>();
  return {
    async load(directory, name) {
      try {
        const modules = await loadHandlerModules(directory, name);
        good.set(name, modules);
        behind.delete(name);
        return modules;
      } catch (error) {
        const before = good.get(name);
        if (before === undefined) throw error;
        behind.add(name);
        report(error);
        return before;
      }
    },
    forget: () => forgetModules(folder),
    isBehind: () => behind.size > 0,
  };
};
