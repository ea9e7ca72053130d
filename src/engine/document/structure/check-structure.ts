/** Holds a document against the table of objects: what is missing, of the wrong kind, misnamed or unknown. */

import { pointerTo } from '../../lang/text-place';
import type { UnplacedDiagnostic } from '../diagnostics/diagnostic';
import type { RuleName } from '../diagnostics/rule-names';
import { referenceOf } from '../references/reference-of';
import type { FieldType, ObjectName } from './field-type';
import { kindProblem, standIn, standInFor } from './field-type-diagnostic';
import { objectKinds } from './object-types';
import { objectNameOf, type Place, placesIn } from './places';
import { unknownField } from './unknown-field';

/** What the check has found, and what it means for those who use the objects. */
export interface StructureReport {
  readonly findings: readonly UnplacedDiagnostic[];
  /** Objects that cannot be served, and why. */
  readonly faults: ReadonlyMap<object, string>;
}

/** Where the walk is: the nearest object around the value, and whether anything that is served depends on it. */
interface Surroundings {
  readonly owner: object;
  readonly idle: boolean;
}

interface MissingField {
  readonly message: string;
  readonly idle: boolean;
}

const missingFields = (value: object, name: ObjectName): readonly MissingField[] => {
  const { title, fields, requiredByType = {} } = objectKinds[name];
  const type: unknown = Reflect.get(value, 'type');
  const byType = typeof type === 'string' ? (requiredByType[type] ?? []) : [];
  return Object.entries(fields)
    .filter(([key, { required }]) => required || byType.includes(key))
    .filter(([key]) => !Object.hasOwn(value, key))
    .map(([key, { idle, kind }]) => {
      const message = `Add the required field \`${key}\` to this ${title}.`;
      return { message, idle: idle || standInFor(kind) !== undefined };
    });
};

/**
 * Checks the whole document and repairs it in place: what is of the wrong kind is taken out of it (or replaced by what is
 * meant, where that is clear), so that whoever reads the document afterwards may trust the table.
 */
export const checkStructure = (definition: object): StructureReport => {
  const findings: UnplacedDiagnostic[] = [];
  const faults = new Map<object, string>();
  /** What is wrong with each list, map and object as a whole; the same one may stand in several places. */
  const results = new Map<object, Map<FieldType, string | undefined>>();

  const report = (rule: RuleName, pointer: string, message: string): void => {
    findings.push({ severity: 'error', rule, pointer, message });
  };

  const blame = ({ owner, idle }: Surroundings, message: string): void => {
    if (!idle && !faults.has(owner)) faults.set(owner, message);
  };

  const checkObject = (value: object, name: ObjectName, pointer: string): void => {
    for (const { message, idle } of missingFields(value, name)) {
      report('required-field', pointer, message);
      blame({ owner: value, idle }, message);
    }
    for (const key of Object.keys(value)) {
      const message = unknownField(name, key);
      if (message === undefined) continue;
      const at = pointerTo(pointer, key);
      findings.push({
        severity: 'warning',
        rule: 'unknown-field',
        pointer: at,
        message,
        ofKey: true,
      });
    }
  };

  /** A reference that leads somewhere has been followed where none may stand; `bundle.ts` has reported the others. */
  const checkReference = (value: object, name: ObjectName, pointer: string): void => {
    const ref = referenceOf(value);
    const { referable, title } = objectKinds[name];
    if (ref !== undefined) {
      const message = `Write out what ${ref} stands for; OpenAPI 3.0 allows no reference in the place of this ${title}.`;
      if (!referable) blame({ owner: value, idle: false }, message);
      return;
    }
    checkObject(value, name, pointer);
    if (!referable || !Object.hasOwn(value, '$ref')) return;
    const message = 'Write `$ref` as text, such as #/components/schemas/Name.';
    report('field-kind', `${pointer}/$ref`, message);
    blame({ owner: value, idle: false }, message);
  };

  const checkKeys = (value: object, kind: FieldType, pointer: string): void => {
    if (kind.is !== 'map' || kind.keys === undefined) return;
    for (const { key } of placesIn(value, kind)) {
      if (kind.keys.pattern.test(key)) continue;
      const { severity } = kind.keys;
      const message = kind.keys.sentence(key);
      const at = pointerTo(pointer, key);
      findings.push({ severity, rule: 'key-pattern', pointer: at, message, ofKey: true });
    }
  };

  /** What is wrong with the place even after a repair. */
  const checkPlace = (place: Place, pointer: string, around: Surroundings): string | undefined => {
    const message = kindProblem(place);
    if (message === undefined) return walk(place.value, place.kind, pointer, around);
    report('field-kind', pointer, message);
    const repaired = standIn(place);
    if (repaired === undefined) return message;
    if (repaired.value === undefined) Reflect.deleteProperty(place.holder, place.key);
    else Reflect.set(place.holder, place.key, repaired.value);
    return undefined;
  };

  const wrongParts = (
    value: object,
    kind: FieldType,
    pointer: string,
    around: Surroundings,
  ): readonly (readonly [key: string, message: string])[] => {
    const isObject = objectNameOf(value, kind) !== undefined;
    return placesIn(value, kind).flatMap((place) => {
      const inner = isObject ? { owner: value, idle: place.idle } : around;
      const message = checkPlace(place, pointerTo(pointer, place.key), inner);
      if (message === undefined) return [];
      blame(inner, message);
      return [[place.key, message] as const];
    });
  };

  /** Takes out the parts that are wrong; a list of which an item is wrong is wrong as a whole. */
  const takeOut = (
    value: object,
    parts: readonly (readonly [key: string, message: string])[],
  ): string | undefined => {
    if (Array.isArray(value)) return parts[0]?.[1];
    for (const [key] of parts) Reflect.deleteProperty(value, key);
    return undefined;
  };

  function walk(
    value: unknown,
    kind: FieldType,
    pointer: string,
    around: Surroundings,
  ): string | undefined {
    if (typeof value !== 'object' || value === null) return undefined;
    const known = results.get(value) ?? new Map<FieldType, string | undefined>();
    if (known.has(kind)) return known.get(kind);
    results.set(value, known.set(kind, undefined));
    const name = objectNameOf(value, kind);
    if (name !== undefined) checkReference(value, name, pointer);
    checkKeys(value, kind, pointer);
    const message = takeOut(value, wrongParts(value, kind, pointer, around));
    known.set(kind, message);
    return message;
  }

  const top: FieldType = { is: 'object', name: 'OpenAPI' };
  walk(definition, top, '', { owner: definition, idle: false });
  return { findings, faults };
};
