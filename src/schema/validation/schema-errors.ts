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

/** Tells whether the branch was meant for another value: another type, or another tag. */
const isForeign = (found: readonly BranchError[], at: string): boolean =>
  found.some(
    ({ path, discriminates }) =>
      (discriminates !== undefined && path === at) ||
      (discriminates === 'tag' && isChild(path, at)),
  );

const summary = ({ keyword, params: { size, fitting } }: ErrorObject): string => {
  if (fitting > 1) return `must fit exactly one of ${size} alternatives, but fits several`;
  return `must fit ${keyword === 'fitsAny' ? 'at least' : 'exactly'} one of ${size} alternatives`;
};

/**
 * Makes the error of a union; more than one branch that holds is an error of oneOf alone.
 * @param branches the errors of each branch; empty where they were not kept
 */
const unionError = (
  union: ErrorObject,
  branches: readonly (readonly BranchError[])[],
): BranchError => {
  const path = union.instancePath;
  const errorOf = (message: string, given = ''): BranchError => ({
    path,
    message,
    given,
    discriminates: undefined,
  });
  if (union.params['fitting'] > 1 || branches.length === 0) return errorOf(summary(union));
  const [meant, ...others] = branches.filter((found) => !isForeign(found, path));
  if (meant?.[0] !== undefined && others.length === 0) return meant[0];
  const plain = branches.flatMap((found) => (found.length === 1 ? found : []));
  const isPlain = plain.length === branches.length && plain.every((one) => one.path === path);
  if (!isPlain || plain.length > LISTED) return errorOf(summary(union));
  const given = plain.every((one) => one.given !== '') ? plain[0]?.given : '';
  return errorOf([...new Set(plain.map(({ message }) => message))].join(', or '), given);
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

/** Returns the place of an error: some errors at an object concern one of its properties. */
const pathOf = ({ params, instancePath }: ErrorObject): string => {
  const name = params['missingProperty'] ?? params['name'];
  return name === undefined ? instancePath : pointerTo(instancePath, name);
};

const plainError = (error: ErrorObject): BranchError => ({
  path: pathOf(error),
  message: messages[error.keyword]?.(error.params) ?? 'must fit its schema',
  given: error.params['given'] ?? '',
  discriminates: error.params['discriminates'] || undefined,
});

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
