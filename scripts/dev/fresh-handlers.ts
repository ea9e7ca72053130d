/** Loads handlers again while the program runs; where a module cannot be loaded, the earlier ones stay. */

import {
  type HandlerModules,
  type LoadHandlers,
  loadHandlerModules,
} from '../../src/host/handler-modules';
import { forgetModules } from '../../src/host/module-loader';

/** Handlers that can be loaded more than once. */
export interface FreshHandlers {
  readonly load: LoadHandlers;
  /** Has the modules loaded again at the next `load`. */
  forget(): void;
  /** Tells whether earlier handlers stand in for some that could not be loaded. */
  isBehind(): boolean;
}

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
      const before = good.get(name);
      try {
        const modules = await loadHandlerModules(directory, name);
        const [broken] = modules.failed;
        if (broken !== undefined && before !== undefined) {
          throw new Error(broken.reason, { cause: broken.cause });
        }
        if (broken === undefined) good.set(name, modules);
        behind.delete(name);
        return modules;
      } catch (error) {
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
