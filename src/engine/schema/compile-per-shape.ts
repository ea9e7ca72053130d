/** Compiles one function per shape, where shapes may contain themselves. */

import type { Shape } from './shape';

type Compiled<Args extends unknown[], Result> = (...args: Args) => Result;

/**
 * Gives the compiler that `build` describes. `build` may ask for the functions of inner shapes; a shape that is met
 * again inside itself gets a function that looks up the finished one when it is called.
 */
export function compilePerShape<Args extends unknown[], Result>(
  build: (
    shape: Shape,
    compile: (inner: Shape) => Compiled<Args, Result>,
  ) => Compiled<Args, Result>,
): (shape: Shape) => Compiled<Args, Result> {
  const compiled = new Map<Shape, Compiled<Args, Result>>();
  const compile = (shape: Shape): Compiled<Args, Result> => {
    const known = compiled.get(shape);
    if (known) return known;
    let finished: Compiled<Args, Result> | undefined;
    compiled.set(shape, (...args) => (finished ?? unfinished())(...args));
    finished = build(shape, compile);
    compiled.set(shape, finished);
    return finished;
  };
  return compile;
}

function unfinished(): never {
  throw new Error('A compiled function was called before its compilation ended');
}
