/** The errors of a value: a JSON Pointer and a sentence each; of a refused value at most a short scalar, and no secret. */

import { pointerSteps, pointerTo } from '../../base/json-pointer';
import { suggestion } from '../../base/text/nearest-name';

/** One error of a value. */
export interface SchemaError {
  /** JSON Pointer (RFC 6901) into the value; for a missing property the pointer it would have. */
  readonly path: string;
  /** A fragment beginning with "must". */
  readonly message: string;
  /** The keyword of JSON Schema that asks for it. */
  readonly rule: string;
  /** The value of the keyword; left out where it is no plain one. */
  readonly allowed?: unknown;
  /** The number or the length of the value, or its type, or a short scalar of the wrong type; left out of secrets. */
  readonly got?: unknown;
}

/** An error as it is found, by its place in the value that is being looked at. */
interface FoundError {
  path: string;
  readonly message: string;
  /** See SchemaError. */
  readonly rule: string;
  readonly allowed?: unknown;
  got?: unknown;
  /** The given value in words; left out, or empty, where it is not repeated. */
  given?: string;
  /** See Check. */
  readonly names?: readonly string[] | undefined;
  /** The meaning of the error for the branch of a union: see Check. */
  readonly discriminates?: 'type' | 'tag' | undefined;
}

/** The errors of a value in the order in which they are found. */
export class ErrorReport {
  readonly errors: FoundError[] = [];
  /** True where all errors are wanted, else the first one. */
  readonly isThorough: boolean;

  constructor(isThorough: boolean) {
    this.isThorough = isThorough;
  }

  /** Moves the errors from an index on into the part of the value that has the name or index. */
  placeFrom(first: number, key: string | number): void {
    for (const error of this.errors.slice(first)) error.path = pointerTo('', key) + error.path;
  }

  /** Removes from the errors from an index on what they repeat of the value. */
  hideFrom(first: number): void {
    for (const error of this.errors.slice(first))
      Object.assign(error, { given: '', got: undefined });
  }
}

/** The number of short alternatives that are listed side by side. */
const LISTED = 4;

/** The errors of a branch that count, and how far the value is from it. */
interface Branch {
  /** 0: of its type; 1: a property has the tag of another branch; 2: of another type, or not its one value. */
  readonly distance: number;
  readonly errors: readonly FoundError[];
}

const branchOf = (errors: readonly FoundError[]): Branch => {
  // The last one is of an enum, which says more than the type.
  const own = errors.findLast(({ path, discriminates }) => path === '' && discriminates);
  if (own !== undefined) return { distance: 2, errors: [own] };
  const tag = errors.find(
    ({ path, discriminates }) => discriminates === 'tag' && path.lastIndexOf('/') === 0,
  );
  return tag === undefined ? { distance: 0, errors } : { distance: 1, errors: [tag] };
};

const OR_NULL = ', or null';

const isOfNull = ({ distance, errors: [error] }: Branch): boolean =>
  distance === 2 && error?.message === 'must be null';

/** Lists the branches that are nearest to a value; one of null alone only where there is no other. */
const nearestOf = (branches: readonly Branch[]): readonly Branch[] => {
  const others = branches.filter((branch) => !isOfNull(branch));
  const candidates = others.length > 0 ? others : branches;
  const least = Math.min(...candidates.map(({ distance }) => distance));
  return candidates.filter(({ distance }) => distance === least);
};

/** A union that a value does not fit. */
interface FailedUnion {
  /** The number of alternatives, and of those that the value fits. */
  readonly size: number;
  readonly fitting: number;
  /** True where one alone may fit. */
  readonly isExclusive: boolean;
}

const summary = ({ size, fitting, isExclusive }: FailedUnion): string => {
  if (fitting > 1) return `must fit exactly one of ${size} alternatives, but fits several`;
  return `must fit ${isExclusive ? 'exactly' : 'at least'} one of ${size} alternatives`;
};

/**
 * Makes the errors of a union: all of the only branch that is near, where they are inside of the value; else what the nearest ask
 * for, and at last whether it may be null, which is never nearest. More than one branch that holds is an error of oneOf alone.
 * @param branches the errors of each branch; empty where they were not kept
 */
export const unionErrors = (
  union: FailedUnion,
  branches: readonly (readonly FoundError[])[],
): readonly FoundError[] => {
  const all = union.fitting > 1 ? [] : branches.map(branchOf);
  const nearest = nearestOf(all);
  const only = nearest.length === 1 ? nearest[0]?.errors : undefined;
  const told = only?.slice(0, 1) ?? nearest.flatMap(({ errors }) => errors);
  const [first] = told;
  if (only !== undefined && first !== undefined && first.path !== '') return only;
  const rule = union.isExclusive ? 'oneOf' : 'anyOf';
  const messages = new Set(told.map(({ message }) => message.replace(OR_NULL, '')));
  const isPlain = told.length === nearest.length && told.every(({ path }) => path === '');
  if (first === undefined || !isPlain || messages.size > LISTED) {
    return [{ path: '', message: summary(union), rule }];
  }
  const allowsNull = (branch: Branch) =>
    isOfNull(branch) || branch.errors[0]?.message.endsWith(OR_NULL);
  const mayBeNull = !nearest.some(isOfNull) && all.some(allowsNull);
  const { allowed, got } = first;
  return [
    {
      path: '',
      message: [...messages].join(', or ') + (mayBeNull ? OR_NULL : ''),
      ...(messages.size === 1 ? { rule: first.rule, allowed, got } : { rule }),
      given: told.every(({ given }) => given) ? (first.given ?? '') : '',
      discriminates: nearest[0]?.distance === 2 ? 'type' : undefined,
    },
  ];
};

/** Names in a pointer may come from the caller; a longer pointer ends at the deepest place that fits. */
const LONGEST_PATH = 500;

/** Lists the first error at each place, at most as many as asked for. */
export const schemaErrors = ({ errors }: ErrorReport, most: number): readonly SchemaError[] => {
  const byPath = new Map<string, SchemaError>();
  for (const { path, message, rule, allowed, got, given, names = [] } of errors) {
    const end = path.length > LONGEST_PATH ? path.lastIndexOf('/', LONGEST_PATH) : path.length;
    const short = path.slice(0, end);
    if (byPath.size >= most || byPath.has(short)) continue;
    const fragment = message + suggestion(pointerSteps(path).at(-1) ?? '', names);
    byPath.set(short, {
      path: short,
      message: given ? `${fragment}, not ${given}` : fragment,
      rule,
      ...(allowed !== undefined && { allowed }),
      ...(got !== undefined && { got }),
    });
  }
  return [...byPath.values()];
};
