/** Finds operations that need a part of the document that cannot be used, so that they alone are out of service. */

import type { OpenAPIV3 } from 'openapi-types';
import type { Operation } from './operation';
import { type References, referenceOf, UnresolvableReference } from './references';
import { type Kind, list, object } from './structure/kind';
import { isReferable, objectNameOf, placesIn } from './structure/places';
import { keywordProblem } from './validation/keyword-problem';

/** A value and what it is. */
interface Part {
  readonly value: unknown;
  readonly kind: Kind;
}

/** A value up to the references in it. */
interface Unit {
  /** Why it cannot be used. */
  readonly fault: string | undefined;
  readonly references: readonly { readonly ref: string; readonly kind: Kind }[];
}

/** Says why a value cannot be used, all that it refers to included; undefined where it can. */
export type CauseOf = (value: unknown, kind: Kind) => string | undefined;

const referencesIn = ({ value, kind }: Part): Unit['references'] => {
  const ref = isReferable(kind) ? referenceOf(value) : undefined;
  return ref === undefined ? [] : [{ ref, kind }];
};

/** Looks into each part of the document once. */
export const causeFinder = (
  references: References,
  faults: ReadonlyMap<object, string>,
): CauseOf => {
  const units = new Map<unknown, Map<Kind, Unit>>();

  const ownFault = ({ value, kind }: Part): string | undefined => {
    if (typeof value !== 'object' || value === null) return undefined;
    const fault = faults.get(value);
    if (fault !== undefined || objectNameOf(value, kind) !== 'Schema') return fault;
    return keywordProblem(value);
  };

  /** Looks through a value; what its references need is looked for elsewhere. */
  const makeUnit = (value: unknown, kind: Kind): Unit => {
    const inner: Unit['references'][number][] = [];
    const parts: Part[] = [{ value, kind }];
    for (const part of parts) {
      const fault = ownFault(part);
      if (fault !== undefined) return { fault, references: [] };
      inner.push(...referencesIn(part));
      parts.push(...placesIn(part.value, part.kind).filter(({ idle }) => !idle));
    }
    return { fault: undefined, references: inner };
  };

  const unitOf = (value: unknown, kind: Kind): Unit => {
    const byKind = units.get(value) ?? new Map<Kind, Unit>();
    const unit = byKind.get(kind) ?? makeUnit(value, kind);
    units.set(value, byKind.set(kind, unit));
    return unit;
  };

  const unitsNeededBy = (unit: Unit, seen: Set<string>): readonly Unit[] =>
    unit.references
      .filter(({ ref }) => !seen.has(ref) && seen.add(ref).size > 0)
      .map(({ ref, kind }) => unitOf(references.resolve(ref).schema, kind));

  return (value, kind) => {
    const needed: Unit[] = [unitOf(value, kind)];
    const seen = new Set<string>();
    try {
      for (const unit of needed) {
        if (unit.fault !== undefined) return unit.fault;
        needed.push(...unitsNeededBy(unit, seen));
      }
      return undefined;
    } catch (error) {
      if (error instanceof UnresolvableReference) return error.message;
      throw error;
    }
  };
};

const operationKind = object('Operation');
const parametersKind = list(object('Parameter'));
const schemeKind = object('SecurityScheme');

/** A document and what is known to be wrong with its parts. */
export interface CheckedDocument {
  readonly definition: OpenAPIV3.Document;
  readonly references: References;
  /** Objects that cannot be used, and why. */
  readonly faults: ReadonlyMap<object, string>;
  readonly causeOf: CauseOf;
}

/** Marks the operations that cannot be used. */
export const isolateBrokenOperations = (
  operations: readonly Operation[],
  { definition, references, faults, causeOf }: CheckedDocument,
): readonly Operation[] => {
  const schemes = definition.components?.securitySchemes ?? {};

  const schemeCause = (operation: Operation): string | undefined =>
    operation.security
      .flatMap((requirement) => Object.keys(requirement))
      .filter((name) => Object.hasOwn(schemes, name))
      .map((name) => causeOf(schemes[name], schemeKind))
      .find((cause) => cause !== undefined);

  const cause = (operation: Operation): string | undefined => {
    const { path, method } = operation;
    const pathItem = references.follow<OpenAPIV3.PathItemObject>(definition.paths[path] ?? {});
    const own = pathItem[method as OpenAPIV3.HttpMethods];
    return (
      causeOf(own, operationKind) ??
      faults.get(pathItem) ??
      causeOf(pathItem.parameters, parametersKind) ??
      (own?.security === undefined ? faults.get(definition) : undefined) ??
      schemeCause(operation)
    );
  };

  return operations.map((operation) =>
    operation.unusable === undefined ? { ...operation, unusable: cause(operation) } : operation,
  );
};
