/** Finds operations that need a part of the document that cannot be used, so that they alone are out of service, and reports them. */

import type { OpenAPIV3 } from 'openapi-types';
import { groupBy } from '../base/group-by';
import { pointerTo } from '../base/json-pointer';
import { memoize } from '../base/memoize';
import { freezeAll, isPlainObject } from '../base/plain-object';
import { mapSteps, type Steps } from '../base/run-in-steps';
import type { Operation } from '../model/operation';
import { UnresolvableReference } from '../model/schema';
import { keywordError } from '../schema/validation/checks-of';
import type { Diagnostic, UnplacedDiagnostic } from './diagnostics/diagnostic';
import { operationIn, pathItemFields } from './read/read-operations';
import type { ReadSchema } from './read/read-schema';
import { type References, referenceOf } from './references/references';
import { exclusionError } from './rules/schema-rules';
import { type FieldType, list, object } from './structure/field-type';
import { type DocumentPart, objectNameOf, type Structure } from './structure/positions';

interface Reference {
  readonly ref: string;
  readonly holder: object;
  readonly key: '$ref' | '$dynamicRef';
  readonly kind: FieldType;
}

/** A value up to the references in it. */
interface Unit {
  /** The reason why it cannot be used, as far as is known. */
  reason: string | undefined;
  /** The references that have not been followed yet. */
  readonly references: Reference[];
  /** The units that need it. */
  readonly dependents: Unit[];
}

/** Says why a value cannot be used, all that it refers to included; undefined where it can. */
export type InvalidReason = (
  value: unknown,
  kind: FieldType,
  pointer: string,
) => string | undefined;

/** Marks a unit and all that depend on it, each once. */
const markInvalid = (unit: Unit, reason: string): void => {
  const pending = [unit];
  for (const next of pending) {
    if (next.reason !== undefined) continue;
    next.reason = reason;
    pending.push(...next.dependents);
  }
};

/** Looks into each part of the document once, however many operations need it. */
export const invalidReasonFinder = (
  references: References,
  readSchema: ReadSchema,
  invalidObjects: ReadonlyMap<object, string>,
  structure: Structure,
): InvalidReason => {
  const { orFlag = false } = structure.types.Schema;
  const referencesIn = (part: DocumentPart): Reference[] => {
    const { value, kind } = part;
    if (!isPlainObject(value)) return [];
    const ref = structure.referenceKind(kind) === 'none' ? undefined : referenceOf(value);
    const dynamicRef = objectNameOf(part) === 'Schema' && orFlag && value['$dynamicRef'];
    const found = [['$ref', ref] as const, ['$dynamicRef', dynamicRef] as const];
    return found.flatMap(([key, text]) =>
      typeof text === 'string' ? [{ ref: text, kind, holder: value, key }] : [],
    );
  };

  const ownReason = (part: DocumentPart): string | undefined => {
    const { value, kind, pointer } = part;
    if (typeof value !== 'object' || value === null) return undefined;
    const reason = invalidObjects.get(value);
    if (reason !== undefined || objectNameOf(part) !== 'Schema') return reason;
    if (referenceOf(value) !== undefined && structure.referenceKind(kind) === 'instead')
      return undefined;
    const schema = readSchema(value, pointer);
    return keywordError(schema)?.message ?? exclusionError(schema);
  };

  /** Searches a value, but not the targets of its references. */
  const newUnit = (start: DocumentPart): Unit => {
    const references: Reference[] = [];
    const parts: DocumentPart[] = [start];
    for (const part of parts) {
      const reason = ownReason(part);
      if (reason !== undefined) return { reason, references: [], dependents: [] };
      references.push(...referencesIn(part));
      parts.push(...structure.positionsIn(part).filter(({ isolated }) => !isolated));
    }
    return { reason: undefined, references, dependents: [] };
  };
  const all = { max: Number.POSITIVE_INFINITY };
  const unitsOf = memoize(
    (value: unknown) =>
      memoize((kind: FieldType, pointer: string) => newUnit({ value, kind, pointer }), all),
    all,
  );

  /** Returns the unit that a reference leads to; none where it leads nowhere. */
  const follow = (unit: Unit, { ref, kind, holder, key }: Reference): readonly Unit[] => {
    try {
      const { value, pointer } = references.resolve(ref, { holder, key, orFlag });
      const target = unitsOf(value)(kind, pointer);
      target.dependents.push(unit);
      if (target.reason !== undefined) markInvalid(unit, target.reason);
      return [target];
    } catch (error) {
      if (!(error instanceof UnresolvableReference)) throw error;
      markInvalid(unit, error.message);
      return [];
    }
  };

  return (value, kind, pointer) => {
    const start = unitsOf(value)(kind, pointer);
    const pending = [start];
    for (const unit of pending) {
      pending.push(...unit.references.splice(0).flatMap((reference) => follow(unit, reference)));
    }
    return start.reason;
  };
};

/** Marks the operations that cannot be used. */
export function* disableInvalidOperations(
  operations: readonly Operation[],
  document: {
    readonly definition: OpenAPIV3.Document;
    readonly references: References;
    /** Objects that cannot be used, and why. */
    readonly invalidObjects: ReadonlyMap<object, string>;
    readonly reasonOf: InvalidReason;
    /** Says why no success of an operation can be written; undefined where one can. */
    writingReasonOf(operation: Operation): string | undefined;
  },
): Steps<readonly Operation[]> {
  const { definition, references, invalidObjects, reasonOf, writingReasonOf } = document;
  const parametersKind = list(object('Parameter'));
  const schemes = definition.components?.securitySchemes ?? {};

  const schemeReason = ({ security }: Operation): string | undefined =>
    security
      .flatMap((requirement) => Object.keys(requirement))
      .filter((name) => Object.hasOwn(schemes, name))
      .map((name) => [schemes[name], pointerTo('/components/securitySchemes', name)] as const)
      .map(([scheme, pointer]) => reasonOf(scheme, object('SecurityScheme'), pointer))
      .find((reason) => reason !== undefined);

  const reasonOfOperation = (operation: Operation): string | undefined => {
    const { path, method } = operation;
    const pathItem = definition.paths[path] ?? {};
    const fields = pathItemFields(pathItem, pointerTo('/paths', path), references);
    const [own, parameters] = [operationIn(fields, method), fields.get('parameters')];
    return (
      (/[?#]/.test(path) ? 'A path cannot contain ? or #' : undefined) ??
      reasonOf(own?.value, object('Operation'), operation.pointer) ??
      invalidObjects.get(pathItem) ??
      invalidObjects.get(references.follow(pathItem)) ??
      reasonOf(parameters?.value, parametersKind, parameters?.pointer ?? '') ??
      (Object(own?.value).security === undefined ? invalidObjects.get(definition) : undefined) ??
      schemeReason(operation)
    );
  };

  const ids = new Set<string>();
  const checked = yield* mapSteps(operations, (operation) => {
    const { operationId } = operation;
    const isDuplicate = ids.size === ids.add(operationId).size;
    // An error of the form says more than its consequences.
    const invalidReason = isDuplicate
      ? `Duplicate operationId ${operationId}`
      : (reasonOfOperation(operation) ?? operation.invalidReason ?? writingReasonOf(operation));
    return { ...operation, invalidReason };
  });
  return freezeAll(checked);
}

const withoutStop = (sentence: string): string => sentence.replace(/\.$/, '');

/** Reports operations at the cause of their failure; at the operation where that is the only one, or the cause is unknown. */
const consequence = (
  reason: string,
  [first, ...others]: readonly Operation[],
  cause: Diagnostic | undefined,
  locate: (diagnostic: UnplacedDiagnostic) => Diagnostic,
): Diagnostic => {
  const { operationId = '', pointer = '' } = first ?? {};
  const diagnostic = { severity: 'error', rule: 'unserved-operation' } as const;
  if (cause !== undefined && others.length > 0) {
    const ids = [operationId, ...others.map((operation) => operation.operationId)];
    const message = `${ids.length} operations are not served until this is corrected: ${ids.join(', ')}.`;
    return { ...cause, ...diagnostic, message, follows: true };
  }
  const subject =
    others.length > 0
      ? `${operationId} and ${others.length} other operations are`
      : `The operation ${operationId} is`;
  const message = `${subject} not served until this is corrected: ${withoutStop(reason)}.`;
  return { ...locate({ ...diagnostic, pointer, message }), follows: cause !== undefined };
};

/** Adds to each cause the operations that it takes out of service. */
export const withUnservedOperations = (
  diagnostics: readonly Diagnostic[],
  operations: readonly Operation[],
  locate: (diagnostic: UnplacedDiagnostic) => Diagnostic,
): readonly Diagnostic[] => {
  const all = [...diagnostics];
  for (const [reason, unserved] of groupBy(operations, ({ invalidReason }) => invalidReason)) {
    if (reason === undefined) continue;
    const at = all.findIndex(({ message }) => message.startsWith(withoutStop(reason)));
    const added = consequence(reason, unserved, all[at], locate);
    all.splice(at < 0 ? all.length : at + 1, 0, added);
  }
  return all;
};
