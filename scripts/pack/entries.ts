/** The entry points of the package, and where each is in `src`. */

export const packageName = 'spec-first';

/** The module that programs import by the package's name alone. */
export const mainModule = 'package/index';

/** The modules that programs import, by what follows the package's name. */
export const modulesOfEntries: Readonly<Record<string, string>> = {
  '.': mainModule,
  './fetch': 'package/fetch',
  './fastify': 'package/fastify',
  './mcp': 'mcp/index',
  './test': 'contract/test-contract',
};

/** The module of the package's own program. */
export const programModule = 'tool/main';

/** All modules that are reached from outside. */
export const entryModules = [...Object.values(modulesOfEntries), programModule];
