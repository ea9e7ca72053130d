/** Follows `$ref` within one document, and pointers that pass through references. */

import type { OpenAPIV3 } from 'openapi-types';
import { pointerOf, pointerOfFragment, pointerSteps, valueAt } from '../../../base/json-pointer';
import { isPlainObject } from '../../../base/plain-object';
import type { Schema, ShapeSource } from '../../schema/shape';

/** Returns the `$ref` of a Reference Object; undefined for anything else (OAS 3.0.3, Reference Object). */
export const referenceOf = (value: unknown): string | undefined =>
  typeof value === 'object' && value !== null && '$ref' in value && typeof value.$ref === 'string'
    ? value.$ref
    : undefined;

/** A pointer and the value that it is a pointer into. */
export interface ResolvedPointer {
  readonly root: unknown;
  readonly pointer: string;
}

/** More references in a row are taken for a circle. */
const longestChain = 100;

/** Finds the target of a reference within one tree; undefined where it leads out of it. */
type Follow = (ref: string, holder: object, root: unknown) => ResolvedPointer | undefined;

/** Follows references within the tree that they stand in. */
export const followLocally: Follow = (ref, _holder, root) => {
  const pointer = ref.startsWith('#') ? pointerOfFragment(ref.slice(1)) : undefined;
  return pointer === undefined ? undefined : { root, pointer };
};

/** Follows the references at a pointer until its value has the next step. */
const behindReferences = (
  start: ResolvedPointer,
  step: string,
  follow: Follow,
): ResolvedPointer => {
  let current = start;
  for (let hops = 0; hops < longestChain; hops += 1) {
    const value = valueAt(current.root, current.pointer);
    if (!isPlainObject(value) || Object.hasOwn(value, step)) return current;
    const ref = referenceOf(value);
    const target = ref === undefined ? undefined : follow(ref, value, current.root);
    if (target === undefined) return current;
    current = target;
  }
  return start;
};

/** Finds the pointer to the same value that passes no reference. */
export const resolvePointer = (
  start: ResolvedPointer,
  follow: Follow = followLocally,
): ResolvedPointer =>
  pointerSteps(start.pointer).reduce<ResolvedPointer>(
    (current, step) => {
      const { root, pointer } = behindReferences(current, step, follow);
      return { root, pointer: pointer + pointerOf([step]) };
    },
    { root: start.root, pointer: '' },
  );

/** Follows references of one document. */
export interface References {
  /**
   * Returns the object itself, or the target of its `$ref`, whose siblings are ignored (OAS 3.0.3, Reference Object).
   * @throws UnresolvableReference
   */
  follow<Target extends object>(target: Target | OpenAPIV3.ReferenceObject): Target;
  /** Returns the same; undefined where the target is missing, which a diagnostic reports. */
  find<Target extends object>(
    target: Target | OpenAPIV3.ReferenceObject | undefined,
  ): Target | undefined;
  /** For schemas, with the component's name. */
  readonly resolve: ShapeSource['resolve'];
}

/** A `$ref` that leads nowhere, in a circle, or out of the document. */
export class UnresolvableReference extends Error {
  constructor(ref: string, reason: string) {
    super(`The reference ${ref} cannot be resolved: ${reason}`);
    this.name = 'UnresolvableReference';
  }
}

const componentSchema = /^#\/components\/schemas\/([^/]+)$/;

/** Knowledge of references from bundling several files. */
interface ReferenceOptions {
  /** The original names of renamed components, by pointer; undefined for other parts. */
  readonly componentNames: ReadonlyMap<string, string | undefined>;
  /** The reasons why references that lead out of the definition cannot be followed. */
  readonly reasons: ReadonlyMap<string, string>;
}

const noOptions: ReferenceOptions = { componentNames: new Map(), reasons: new Map() };

const pointerIn = (ref: string, { reasons }: ReferenceOptions): string => {
  if (!ref.startsWith('#')) {
    throw new UnresolvableReference(ref, reasons.get(ref) ?? 'it leaves the document');
  }
  const pointer = pointerOfFragment(ref.slice(1));
  if (pointer !== undefined) return pointer;
  throw new UnresolvableReference(ref, 'its fragment is not a JSON Pointer such as #/a/b');
};

/** Returns the value under a pointer, which may pass through other references. */
const valueThrough = (definition: unknown, pointer: string): unknown => {
  const value = valueAt(definition, pointer);
  if (value !== undefined) return value;
  const resolved = resolvePointer({ root: definition, pointer });
  return valueAt(resolved.root, resolved.pointer);
};

/** Makes the follower of references for one document. */
export const referencesOf = (
  definition: unknown,
  options: ReferenceOptions = noOptions,
): References => {
  /** Follows a chain of references to its end: the last `$ref` and its target. */
  const endOf = (ref: string, seen: readonly string[] = []): { last: string; value: object } => {
    if (seen.includes(ref)) throw new UnresolvableReference(ref, 'it leads in a circle');
    const value = valueThrough(definition, pointerIn(ref, options));
    if (typeof value !== 'object' || value === null) {
      throw new UnresolvableReference(ref, 'the document has nothing there');
    }
    const next = referenceOf(value);
    return next === undefined ? { last: ref, value } : endOf(next, [...seen, ref]);
  };
  const follow = <Target extends object>(value: Target | OpenAPIV3.ReferenceObject): Target => {
    const ref = referenceOf(value);
    return (ref === undefined ? value : endOf(ref).value) as Target;
  };
  return {
    follow,
    find<Target extends object>(
      value: Target | OpenAPIV3.ReferenceObject | undefined,
    ): Target | undefined {
      try {
        return value && follow<Target>(value);
      } catch (error) {
        if (error instanceof UnresolvableReference) return undefined;
        throw error;
      }
    },
    resolve(ref) {
      const { last, value } = endOf(ref);
      const pointer = last.slice(1);
      const component = options.componentNames.has(pointer)
        ? options.componentNames.get(pointer)
        : componentSchema.exec(last)?.[1];
      return { schema: value as Schema, component };
    },
  };
};
