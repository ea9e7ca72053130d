/** The entry points of the package, and where each is in `src`. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { rootFolder } from '../root-folder';

export const packageName = 'spec-first';

const sources: Readonly<Record<string, string>> = {
  '.': 'engine/index',
  './fetch': 'engine/fetch',
  './fastify': 'engine/fastify',
  './test': 'contract/test-contract',
};

const isThere = (module: string): boolean => existsSync(join(rootFolder, 'src', `${module}.ts`));

/** The module of each entry that programs import, by what follows the package's name. */
export const modulesOfEntries = new Map(
  Object.entries(sources).filter(([, module]) => isThere(module)),
);

/** The modules that run as a program, by the program's name. */
export const modulesOfPrograms = new Map(
  Object.entries({ 'spec-first': 'tool/main' }).filter(([, module]) => isThere(module)),
);

/** All modules that are reached from outside. */
export const entryModules = [...modulesOfEntries.values(), ...modulesOfPrograms.values()];
