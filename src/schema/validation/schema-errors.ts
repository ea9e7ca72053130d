/** Turns Ajv's errors into ours: a JSON Pointer and a sentence; of a refused value at most a short scalar, and no secret. */

import type { ErrorObject } from 'ajv';
import { pointerTo } from '../../base/json-pointer';

/** One error of a value. */
export interface SchemaError {
  /** JSON Pointer (RFC 6901) into the value; for a missing property the pointer it would have. */
  readonly path: string;
  /** A fragment beginning with "must". */
  readonly message: string;
}

/** An error and its meaning for the branch of a union in which it was found. */
interface BranchError extends SchemaError {
  /** The given value in words; empty where it is not repeated. */
  readonly given: string;
  /** See Check. */
  readonly discriminates: 'type' | 'tag' | undefined;
}

/** The number of short alternatives that are listed side by side. */
const LISTED = 4;

const isChild = (path: string, parent: string): boolean =>
  path.startsWith(`${parent}/`) && !path.includes('/', parent.length + 1);

/** The errors of a branch that count, and how far the value is from it. */
interface Branch {
  /** 0: of its type; 1: a property has the tag of another branch; 2: of another type, or not its one value. */
  readonly distance: number;
  readonly errors: readonly BranchError[];
}

const branchAt = (at: string, errors: readonly BranchError[]): Branch => {
  // The last one is of an enum, which says more than the type.
  const own = errors.findLast(({ path, discriminates }) => path === at && discriminates);
  if (own !== undefined) return { distance: 2, errors: [own] };
  const tag = errors.find(
    ({ path, discriminates }) => discriminates === 'tag' && isChild(path, at),
  );
  return tag === undefined ? { distance: 0, errors } : { distance: 1, errors: [tag] };
};

const OR_NULL = ', or null';

const isOfNull = ({ distance, errors: [error] }: Branch): boolean =>
  distance === 2 && error?.message === 'must be null';

const allowsNull = (branch: Branch): boolean =>
  isOfNull(branch) || branch.errors[0]?.message.endsWith(OR_NULL) === true;

/** Lists the branches that are nearest to a value; one of null alone only where there is no other. */
const nearestOf = (branches: readonly Branch[]): readonly Branch[] => {
  const others = branches.filter((branch) => !isOfNull(branch));
  const candidates = others.length > 0 ? others : branches;
  const least = Math.min(...candidates.map(({ distance }) => distance));
  return candidates.filter(({ distance }) => distance === least);
};

const summary = ({ keyword, params: { size, fitting } }: ErrorObject): string => {
  if (fitting > 1) return `must fit exactly one of ${size} alternatives, but fits several`;
  return `must fit ${keyword === 'fitsAny' ? 'at least' : 'exactly'} one of ${size} alternatives`;
};

/**
 * Makes the error of a union: what the branches nearest to the value ask for, and at last whether it may be null, which is never
 * nearest. More than one branch that holds is an error of oneOf alone.
 * @param branches the errors of each branch; empty where they were not kept
 */
const unionError = (
  union: ErrorObject,
  branches: readonly (readonly BranchError[])[],
): BranchError => {
  const path = union.instancePath;
  const all = union.params['fitting'] > 1 ? [] : branches.map((found) => branchAt(path, found));
  const nearest = nearestOf(all);
  const told = nearest.flatMap(({ errors }) =>
    nearest.length === 1 ? errors.slice(0, 1) : errors,
  );
  const [first] = told;
  if (nearest.length === 1 && first !== undefined && first.path !== path) return first;
  const messages = new Set(told.map(({ message }) => message.replace(OR_NULL, '')));
  const isPlain = told.length === nearest.length && told.every((one) => one.path === path);
  if (first === undefined || !isPlain || messages.size > LISTED) {
    return { path, message: summary(union), given: '', discriminates: undefined };
  }
  const mayBeNull = !nearest.some(isOfNull) && all.some(allowsNull);
  return {
    path,
    message: [...messages].join(', or ') + (mayBeNull ? OR_NULL : ''),
    given: told.every(({ given }) => given !== '') ? first.given : '',
    discriminates: nearest[0]?.distance === 2 ? 'type' : undefined,
  };
};

/** Names in a pointer may come from the caller; a longer pointer ends at the deepest place that fits. */
const LONGEST_PATH = 500;

const shorten = (path: string): string =>
  path.length <= LONGEST_PATH ? path : path.slice(0, path.lastIndexOf('/', LONGEST_PATH));

const amount = (count: unknown, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`;

const messages: Readonly<Record<string, (params: ErrorObject['params']) => string>> = {
  checks: (params) => String(params['message']),
  required: (params) => `must have the property "${params['missingProperty']}"`,
  dependentRequired: ({ missingProperty, property }) =>
    `must have the property "${missingProperty}", since it has "${property}"`,
  holds: ({ message }) => message,
  fitsNames: ({ errors }) =>
    `must not be present, since its name ${branchErrorsOf(errors ?? [])[0]?.message ?? 'does not fit'}`,
  minItems: (params) => `must have at least ${amount(params['limit'], 'item', 'items')}`,
  maxItems: (params) => `must have at most ${amount(params['limit'], 'item', 'items')}`,
  minProperties: (params) =>
    `must have at least ${amount(params['limit'], 'property', 'properties')}`,
  maxProperties: (params) =>
    `must have at most ${amount(params['limit'], 'property', 'properties')}`,
  not: () => 'must not be of the form that the document excludes',
};

const plainError = ({ keyword, params, instancePath }: ErrorObject): BranchError => {
  // Some errors at an object concern one of its properties.
  const name = params['missingProperty'] ?? params['name'];
  return {
    path: name === undefined ? instancePath : pointerTo(instancePath, name),
    message: messages[keyword]?.(params) ?? 'must fit its schema',
    given: params['given'] ?? '',
    discriminates: params['discriminates'] || undefined,
  };
};

/** Returns the ends of the errors of each branch of a union, counted from the first; undefined for other errors. */
const marksOf = ({ keyword, params }: ErrorObject): readonly number[] | undefined =>
  keyword === 'fitsAny' || keyword === 'fitsOne' ? params['marks'] : undefined;

/** Reads errors from the back, since those of a union's branches stand before its own (ajv-keywords.ts). */
const branchErrorsOf = (errors: readonly ErrorObject[]): readonly BranchError[] => {
  const found: BranchError[] = [];
  let end = errors.length;
  for (let error = errors[end - 1]; error !== undefined; error = errors[end - 1]) {
    const marks = marksOf(error);
    const start = end - 1 - (marks?.at(-1) ?? 0);
    const inner = errors.slice(start, end - 1);
    const branches = marks?.map((mark, index) =>
      branchErrorsOf(inner.slice(marks[index - 1] ?? 0, mark)),
    );
    found.push(branches === undefined ? plainError(error) : unionError(error, branches));
    end = start;
  }
  return found.reverse();
};

/** Converts Ajv's errors: the first at each place, at most as many as asked for. */
export const schemaErrors = (
  errors: readonly ErrorObject[],
  most: number,
): readonly SchemaError[] => {
  const byPath = new Map<string, SchemaError>();
  for (const { path, message: fragment, given } of branchErrorsOf(errors)) {
    const short = shorten(path);
    const message = given === '' ? fragment : `${fragment}, not ${given}`;
    if (byPath.size < most && !byPath.has(short)) byPath.set(short, { path: short, message });
  }
  return [...byPath.values()];
};
