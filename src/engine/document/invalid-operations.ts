/** Finds operations that need a part of the document that cannot be used, so that they alone are out of service. */

import type { OpenAPIV3 } from 'openapi-types';
import { keywordProblem } from '../schema/validation/keyword-problem';
import type { Operation } from './model/operation';
import { referenceOf } from './references/reference-of';
import { type References, UnresolvableReference } from './references/references';
import { type FieldType, list, object } from './structure/field-type';
import { isReferable, objectNameOf, placesIn } from './structure/places';

/** A value and what it is. */
interface Part {
  readonly value: unknown;
  readonly kind: FieldType;
}

/** A value up to the references in it. */
interface Unit {
  /** Why it cannot be used, as far as is known. */
  cause: string | undefined;
  readonly references: readonly { readonly ref: string; readonly kind: FieldType }[];
  /** The units that need it. */
  readonly dependents: Unit[];
}

/** Says why a value cannot be used, all that it refers to included; undefined where it can. */
export type InvalidReason = (value: unknown, kind: FieldType) => string | undefined;

const referencesIn = ({ value, kind }: Part): Unit['references'] => {
  const ref = isReferable(kind) ? referenceOf(value) : undefined;
  return ref === undefined ? [] : [{ ref, kind }];
};

/** What cannot be used takes with it what needs it; each unit once. */
const blame = (unit: Unit, cause: string): void => {
  const blamed = [unit];
  for (const next of blamed) {
    if (next.cause !== undefined) continue;
    next.cause = cause;
    blamed.push(...next.dependents);
  }
};

/** Looks into each part of the document once, however many operations need it. */
export const invalidReasonFinder = (
  references: References,
  faults: ReadonlyMap<object, string>,
): InvalidReason => {
  const units = new Map<unknown, Map<FieldType, Unit>>();

  const ownFault = ({ value, kind }: Part): string | undefined => {
    if (typeof value !== 'object' || value === null) return undefined;
    const fault = faults.get(value);
    if (fault !== undefined || objectNameOf(value, kind) !== 'Schema') return fault;
    return keywordProblem(value);
  };

  /** Looks through a value; what its references need is looked for elsewhere. */
  const makeUnit = (start: Part): Unit => {
    const inner: Unit['references'][number][] = [];
    const parts: Part[] = [start];
    for (const part of parts) {
      const cause = ownFault(part);
      if (cause !== undefined) return { cause, references: [], dependents: [] };
      inner.push(...referencesIn(part));
      parts.push(...placesIn(part.value, part.kind).filter(({ idle }) => !idle));
    }
    return { cause: undefined, references: inner, dependents: [] };
  };

  /** The unit of a value; a new one is added to the list of those to look into. */
  const unitOf = (part: Part, added: Unit[]): Unit => {
    const byKind = units.get(part.value) ?? new Map<FieldType, Unit>();
    const known = byKind.get(part.kind);
    if (known !== undefined) return known;
    const unit = makeUnit(part);
    units.set(part.value, byKind.set(part.kind, unit));
    added.push(unit);
    return unit;
  };

  const need = (unit: Unit, ref: string, kind: FieldType, added: Unit[]): void => {
    try {
      const target = unitOf({ value: references.resolve(ref).schema, kind }, added);
      target.dependents.push(unit);
      if (target.cause !== undefined) blame(unit, target.cause);
    } catch (error) {
      if (!(error instanceof UnresolvableReference)) throw error;
      blame(unit, error.message);
    }
  };

  return (value, kind) => {
    const added: Unit[] = [];
    const start = unitOf({ value, kind }, added);
    for (const unit of added) {
      for (const { ref, kind: target } of unit.references) need(unit, ref, target, added);
    }
    return start.cause;
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
  readonly causeOf: InvalidReason;
}

/** Marks the operations that cannot be used. */
export const disableInvalidOperations = (
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
      (/[?#]/.test(path) ? 'A path holds neither ? nor #' : undefined) ??
      causeOf(own, operationKind) ??
      faults.get(pathItem) ??
      causeOf(pathItem.parameters, parametersKind) ??
      (own?.security === undefined ? faults.get(definition) : undefined) ??
      schemeCause(operation)
    );
  };

  // A fault of the form says more than what came of it.
  return operations.map((operation) => {
    return { ...operation, unusable: cause(operation) ?? operation.unusable };
  });
};
