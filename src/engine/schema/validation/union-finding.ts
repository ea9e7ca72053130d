/** Of all that the branches of a failed anyOf or oneOf found, the one thing worth telling. */

/** A fault with what it says about the branch that it was found in. */
export interface Finding {
  readonly path: string;
  readonly message: string;
  /** See Check. */
  readonly decides: 'type' | 'tag' | undefined;
}

/** A union that did not hold. */
export interface FailedUnion {
  readonly path: string;
  readonly kind: 'fitsAny' | 'fitsOne';
  readonly size: number;
  /** How many branches held; more than one is a fault of oneOf alone. */
  readonly fitting: number;
  /** What each branch found; empty where that was not kept. */
  readonly branches: readonly (readonly Finding[])[];
}

/** How many short alternatives are told one beside the other. */
const LISTED = 4;

const isChild = (path: string, parent: string): boolean =>
  path.startsWith(`${parent}/`) && !path.includes('/', parent.length + 1);

/** Whether the branch was meant for another value: another type, or another tag. */
const isForeign = (findings: readonly Finding[], at: string): boolean =>
  findings.some(
    ({ path, decides }) =>
      (decides !== undefined && path === at) || (decides === 'tag' && isChild(path, at)),
  );

const summary = ({ kind, size, fitting }: FailedUnion): string => {
  if (fitting > 1) return `must fit exactly one of ${size} alternatives, but fits several`;
  return `must fit ${kind === 'fitsAny' ? 'at least' : 'exactly'} one of ${size} alternatives`;
};

/** The finding that stands for the whole union. */
export const unionFinding = (union: FailedUnion): Finding => {
  const { path, fitting, branches } = union;
  const told = (message: string): Finding => ({ path, message, decides: undefined });
  if (fitting > 1 || branches.length === 0) return told(summary(union));
  const [meant, ...others] = branches.filter((findings) => !isForeign(findings, path));
  if (meant?.[0] !== undefined && others.length === 0) return meant[0];
  const plain = branches.flatMap((findings) => (findings.length === 1 ? findings : []));
  const isPlain = plain.length === branches.length && plain.every((one) => one.path === path);
  if (!isPlain || plain.length > LISTED) return told(summary(union));
  return told([...new Set(plain.map(({ message }) => message))].join(', or '));
};
