/** Finds the values that a JSONPath query selects (RFC 9535), within a bounded number of steps. */

import { isNumeric } from '../../base/exact-number';
import { drawFrom, type Fuel, spend, spendOn } from '../../base/fuel';
import { pointerOf } from '../../base/json-pointer';
import { lazy } from '../../base/memoize';
import type { Steps } from '../../base/run-in-steps';
import { matches } from '../../schema/validation/checks/pattern-check';

/** The keys that lead from the root to a value. */
export type Location = readonly (string | number)[];

/** A query, ready to be asked of a value. */
export type PathQuery = ReturnType<ReturnType<typeof queries>['environment']['compile']>;

/** Writes the dots of an I-Regexp as ECMA-262 has them (RFC 9485, section 5.3). */
const dotsWritten = (pattern: string): string =>
  pattern.replaceAll(/\\.|\[(?:\\.|[^\]\\])*\]|\./gs, (part) =>
    part === '.' ? '[^\\n\\r]' : part,
  );

/** Two milliseconds that most documents never need. */
const queries = lazy(() => {
  const { jsonpath } = require('json-p3') as typeof import('json-p3');
  const environment = new jsonpath.JSONPathEnvironment({ maxRecursionDepth: 1000 });
  const { LogicalType, ValueType } = jsonpath.functions.FunctionExpressionType;
  const functions = { match: (pattern: string) => `^(?:${pattern})$`, search: String };
  for (const [name, written] of Object.entries(functions)) {
    environment.functionRegister.set(name, {
      argTypes: [ValueType, ValueType],
      returnType: LogicalType,
      // The package's own would take exponential time for some patterns.
      call: (text: unknown, pattern: unknown) =>
        typeof text === 'string' &&
        typeof pattern === 'string' &&
        matches(written(dotsWritten(pattern)))(text),
    });
  }
  return { environment, JSONPathError: jsonpath.JSONPathError };
});

/** Reads a query. Gives an error as a clause, and its offset in the text. */
export const readQuery = (text: string): PathQuery | { clause: string; offset: number } => {
  const { environment, JSONPathError } = queries();
  try {
    return environment.compile(text);
  } catch (error) {
    if (error instanceof RangeError) return { clause: 'it is nested too deeply', offset: 0 };
    if (!(error instanceof JSONPathError)) throw error;
    const { token } = error;
    const clause =
      token.kind === 'TOKEN_ERROR' ? token.value : error.message.replace(/ \('.*$/s, '');
    return { clause, offset: token.index };
  }
};

/** Shows a value as JSON has it, with numbers as doubles; each look at a part of it takes a step. */
const viewOf = (value: object): object => {
  const views = new WeakMap<object, object>();
  const handler: ProxyHandler<object> = {
    get: (target, key) => view(Reflect.get(target, key)),
    ownKeys(target) {
      const keys = Reflect.ownKeys(target);
      spend(keys.length);
      return keys;
    },
  };
  const view = (part: unknown): unknown => {
    spendOn(part);
    if (isNumeric(part)) return Number(part);
    if (typeof part !== 'object' || part === null) return part;
    const known = views.get(part) ?? new Proxy(part, handler);
    views.set(part, known);
    return known;
  };
  return Object(view(value));
};

/**
 * Finds the places that a query selects, each once.
 * @throws FuelExhausted
 */
export function* selectedPlaces(
  query: PathQuery,
  root: object,
  fuel: Fuel,
): Steps<readonly Location[]> {
  const found = new Map<string, Location>();
  const nodes = drawFrom(fuel, () =>
    query.lazyQuery(viewOf(root) as Parameters<PathQuery['query']>[0]),
  );
  for (;;) {
    const node = drawFrom(fuel, () => nodes.next());
    if (node.done) return [...found.values()];
    found.set(pointerOf(node.value.location), node.value.location);
    yield;
  }
}
