/** Compiles one function per shape, where shapes may contain themselves and unions have branches. */

import { spend } from '../base/fuel';
import { tryRead } from '../base/malformed-text';
import { lazy, memoize } from '../base/memoize';
import type { Shape } from './shape';

type Compiled<Args extends unknown[], Result> = (...args: Args) => Result;
type Compile<Args extends unknown[], Result> = (shape: Shape) => Compiled<Args, Result>;
type Build<Args extends unknown[], Result> = (
  shape: Shape,
  compile: Compile<Args, Result>,
) => Compiled<Args, Result>;

/** Shapes with parts that are compiled at once: enough for small documents, and some milliseconds' work. */
const MOST_AT_ONCE = 30;

/**
 * Gives the compiler that `build` describes. `build` may ask for the functions of inner shapes; a shape that is met
 * again inside itself gets a function that looks up the finished one when it is called. Behind many others a shape is
 * compiled when a value first comes there, so that one that leads to a whole large document delays no other request.
 */
export function compilePerShape<Args extends unknown[], Result>(
  build: Build<Args, Result>,
): Compile<Args, Result> {
  const compiled = new WeakMap<Shape, Compiled<Args, Result>>();
  let isRunning = false;
  let left = 0;
  const compileNow = (shape: Shape): Compiled<Args, Result> => {
    let finished: Compiled<Args, Result> | undefined;
    compiled.set(shape, (...args) => {
      if (finished) return finished(...args);
      throw new Error('A compiled function was called before its compilation ended');
    });
    finished = build(shape, compile);
    compiled.set(shape, finished);
    return finished;
  };
  const compileAll = (shape: Shape): Compiled<Args, Result> => {
    isRunning = true;
    left = MOST_AT_ONCE;
    try {
      return compileNow(shape);
    } finally {
      isRunning = false;
    }
  };
  const compile = (shape: Shape): Compiled<Args, Result> => {
    const known = compiled.get(shape);
    if (known) return known;
    if (!isRunning) return compileAll(shape);
    const { type, alternatives } = shape;
    const hasParts = type === 'object' || type === 'array' || alternatives.length > 0;
    if (hasParts) left -= 1;
    if (!hasParts || left > 0) return compileNow(shape);
    const finished = lazy(() => compile(shape));
    return (...args) => finished()(...args);
  };
  return compile;
}

/**
 * Compiles the functions of a list's items, by their index.
 * @param free the function of items that no schema describes
 */
export function compileItems<Function>(
  { prefixItems, items }: Shape,
  compile: (shape: Shape) => Function,
  free: Function,
): (index: number) => Function {
  const rest = items ? compile(items) : free;
  if (prefixItems.length === 0) return () => rest;
  const first = prefixItems.map(compile);
  return (index) => first[index] ?? rest;
}

/**
 * Compiles the functions of an object's undeclared properties, by their names.
 * @param free the function of properties that no schema describes
 */
export function compileUndeclared<Function>(
  { patterned, additional }: Shape,
  compile: (shape: Shape) => Function,
  free: Function,
): (name: string) => Function {
  const others = typeof additional === 'object' ? compile(additional) : free;
  if (patterned === undefined) return () => others;
  return (name) => {
    const shape = patterned.find(name);
    return shape ? compile(shape) : others;
  };
}

/** To read and hold against a schema in vain takes longer than most steps. */
const STEPS_A_TRY = 8;

/** Reads by the first branch of a union whose value validates, else by the shape itself, for validation to refuse. */
export function readAlternatives<Source, Rest extends unknown[]>(
  { alternatives }: Shape,
  compile: Compile<[Source, ...Rest], unknown>,
  readPlain: Compiled<[Source, ...Rest], unknown>,
): Compiled<[Source, ...Rest], unknown> {
  const compiled = () =>
    alternatives.map(({ shape, accepts }) => ({ read: compile(shape), accepts }));
  const isAlike = (branches: ReturnType<typeof compiled>) =>
    branches.every(({ read }) => read === readPlain);
  // Where all read alike, none has to be chosen; of those that were postponed it turns out at the first value.
  if (isAlike(compiled())) return readPlain;
  const branches = lazy(compiled);
  const hasChoice = lazy(() => !isAlike(branches()));
  const choose = memoize((source: Source, ...rest: Rest) => {
    for (const { read, accepts } of branches()) {
      spend(STEPS_A_TRY);
      const value = tryRead(() => read(source, ...rest));
      if (value !== undefined && accepts(value)) return value;
    }
    return readPlain(source, ...rest);
  });
  return (...args) => (hasChoice() ? choose(...args) : readPlain(...args));
}

/** Compiles readers of shapes; `build` makes those of shapes without their unions. */
export const compileReader = <Source, Rest extends unknown[] = []>(
  build: Build<[Source, ...Rest], unknown>,
): Compile<[Source, ...Rest], unknown> =>
  compilePerShape((shape, compile) => readAlternatives(shape, compile, build(shape, compile)));

/** Writes by the first branch of a union that the value fits, else by the shape itself. */
export function writeAlternatives<Rest extends unknown[]>(
  { alternatives }: Shape,
  compile: Compile<[unknown, ...Rest], string>,
  writePlain: Compiled<[unknown, ...Rest], string>,
): Compiled<[unknown, ...Rest], string> {
  const branches = alternatives.map(({ shape, accepts }) => ({ write: compile(shape), accepts }));
  // Where all write alike, none has to be chosen.
  if (branches.every(({ write }) => write === writePlain)) return writePlain;
  return (value, ...rest) =>
    (branches.find(({ accepts }) => accepts(value))?.write ?? writePlain)(value, ...rest);
}
