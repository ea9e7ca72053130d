/** Follows `$ref` within one document, and pointers that pass through references. */

import type { OpenAPIV3 } from 'openapi-types';
import {
  pointerOf,
  pointerOfFragment,
  pointerSteps,
  pointerTo,
  valueAt,
} from '../../base/json-pointer';
import { isPlainObject } from '../../base/plain-object';
import { recover } from '../../base/recover';
import { UnresolvableReference } from '../../model/schema';
import type { Anchor } from './schema-resources';

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
const behindReferences = (start: ResolvedPointer, step: string, follow: Follow) => {
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

/** A value of the document and its place. */
export interface Placed<Value> {
  readonly value: Value;
  /** The pointer that passes no reference. */
  readonly pointer: string;
}

/** Pointers into the definition by objects that hold references, and their keys. */
export type ResolvedReferences = ReadonlyMap<object, ReadonlyMap<string, string>>;

/** The references of a definition that was made of several files, as far as they are not pointers into it. */
export interface BundledReferences {
  /** The original names of components that had to be renamed, by pointer; undefined for other parts. */
  readonly componentNames: ReadonlyMap<string, string | undefined>;
  /** The reasons why references that still lead out of the definition cannot be followed. */
  readonly reasons: ReadonlyMap<string, string>;
  /** The targets of references that are no pointers into the definition. */
  readonly resolved: ResolvedReferences;
}

type Referable<Target> = Target | OpenAPIV3.ReferenceObject;

/** The references of one document, to be followed. */
export class References {
  readonly #definition: unknown;
  readonly #bundle: BundledReferences;
  readonly #hasTexts: boolean;

  /** @param hasTexts true where `summary` and `description` beside a reference replace those of its target (OAS 3.1.2, section 4.8.23) */
  constructor(definition: unknown, bundle: BundledReferences, hasTexts = false) {
    this.#definition = definition;
    this.#bundle = bundle;
    this.#hasTexts = hasTexts;
  }

  /**
   * Returns the object itself, or the target of its `$ref`, whose siblings are ignored (OAS 3.0.3, Reference Object).
   * @throws UnresolvableReference
   */
  follow<Target extends object>(target: Referable<Target>): Target {
    return this.at(target, '').value;
  }

  /** Returns the same with its place, given that of the object; with the texts beside the reference, where these replace the target's. */
  at<Target extends object>(value: Referable<Target>, pointer: string): Placed<Target> {
    const ref = referenceOf(value);
    const found = ref === undefined ? { value, pointer } : this.resolve(ref, { holder: value });
    const beside = ref !== undefined && this.#hasTexts ? Object.entries(value) : [];
    const texts = beside.filter(
      ([key, text]) => ['summary', 'description'].includes(key) && typeof text === 'string',
    );
    const described = { ...Object(found.value), ...Object.fromEntries(texts) };
    return (texts.length === 0 ? found : { ...found, value: described }) as Placed<Target>;
  }

  /** Returns the same as `follow`; undefined where the target is missing, which a diagnostic reports. */
  find<Target extends object>(value: Referable<Target> | undefined): Target | undefined {
    return recover(
      () => value && this.follow<Target>(value),
      UnresolvableReference,
      () => undefined,
    );
  }

  /**
   * Follows a reference to its end.
   * @param asked.holder the object that has the reference, with its key there: `$ref` by default
   * @param asked.isOneStep true where it leads to the first target, even if that is a reference again
   * @param asked.orFlag true where the target may be a boolean schema
   * @throws UnresolvableReference
   */
  resolve(
    ref: string,
    asked: { holder?: object; key?: string; isOneStep?: boolean; orFlag?: boolean },
  ): Placed<unknown> {
    const { holder, key = '$ref', isOneStep = false, orFlag = false } = asked;
    const knownAt = (at: unknown, name: string) => this.#bundle.resolved.get(Object(at))?.get(name);
    const nextOf = ({ value }: Placed<unknown>) => (isOneStep ? undefined : referenceOf(value));
    const seen = new Set<unknown>();
    let target = this.#targetOf(ref, knownAt(holder, key), orFlag);
    for (let next = nextOf(target); next !== undefined; next = nextOf(target)) {
      if (seen.has(target.value)) throw new UnresolvableReference(ref, 'it leads in a circle');
      seen.add(target.value);
      target = this.#targetOf(next, knownAt(target.value, '$ref'), orFlag);
    }
    return target;
  }

  /** Returns the component schema of a name; undefined where there is none. */
  component(name: string): Placed<unknown> | undefined {
    const pointer = pointerTo('/components/schemas', name);
    const value = valueAt(this.#definition, pointer);
    return value === undefined ? undefined : { value, pointer };
  }

  /** Returns the schema of a dynamic anchor with its place. */
  atAnchor({ value, pointer }: Anchor): Placed<object> {
    const known = this.#bundle.resolved.get(value)?.get('$dynamicAnchor');
    return { value, pointer: known ?? pointer };
  }

  /** Gives the name under components/schemas, as the author has written it, of what stands at a pointer. */
  componentAt(pointer: string): string | undefined {
    const { componentNames } = this.#bundle;
    return componentNames.has(pointer)
      ? componentNames.get(pointer)
      : /^\/components\/schemas\/([^/]+)$/.exec(pointer)?.[1];
  }

  #targetOf(ref: string, known: string | undefined, orFlag: boolean): Placed<unknown> {
    let pointer = known ?? this.#pointerIn(ref);
    let value = valueAt(this.#definition, pointer);
    if (value === undefined) {
      // The pointer may pass through other references.
      const resolved = resolvePointer({ root: this.#definition, pointer });
      ({ pointer } = resolved);
      value = valueAt(resolved.root, pointer);
    }
    const isTarget =
      typeof value === 'object' ? value !== null : orFlag && typeof value === 'boolean';
    if (isTarget) return { value, pointer };
    throw new UnresolvableReference(ref, 'the document has nothing there');
  }

  #pointerIn(ref: string): string {
    const reason = this.#bundle.reasons.get(ref);
    if (reason !== undefined || !ref.startsWith('#')) {
      throw new UnresolvableReference(ref, reason ?? 'it leaves the document');
    }
    const pointer = pointerOfFragment(ref.slice(1));
    if (pointer !== undefined) return pointer;
    throw new UnresolvableReference(ref, 'its fragment is not a JSON Pointer such as #/a/b');
  }
}
