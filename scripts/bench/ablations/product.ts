/** The modules of the built program, to be changed by a script that is loaded in front of it. */

import { createRequire } from 'node:module';

const load = createRequire(process.argv[1] ?? '');

/** Returns a module of the program by its path below `src`. Callers look exports up at every call, so that assigning one replaces it. */
export const moduleOf = <Module extends object>(
  path: string,
): { -readonly [Name in keyof Module]: Module[Name] } => load(`./${path}.js`);

/** Returns a package of the program. */
export const packageOf = <Package>(name: string): Package => load(name);
