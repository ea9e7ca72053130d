/** Loaded in front of the product's built program: gives its modules to be changed, and tells when asked how often what replaces them ran. */

import { createRequire } from 'node:module';

const load = createRequire(process.argv[1] ?? '');

/** A module of the product, by its path below `src`: callers look its exports up at every call, so that assigning one replaces it. */
export const moduleOf = <Module extends object>(
  path: string,
): { -readonly [Name in keyof Module]: Module[Name] } => load(`./${path}.js`);

/** A package as the product has it. */
export const packageOf = <Package>(name: string): Package => load(name);

let runs = 0;

/** To be called whenever a replacement does what the technique would have done otherwise. */
export const countRun = (): void => {
  runs += 1;
};

process.on('message', (message) => {
  if (message === 'runs') process.send?.(runs);
});

// Listening for messages must not keep the program from ending.
process.channel?.unref();
