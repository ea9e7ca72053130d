/** Checks a document against the table of objects: for fields that are missing, of the wrong kind, misnamed or unknown. */

import { pointerTo } from '../../base/json-pointer';
import { memoize } from '../../base/memoize';
import type { Steps } from '../../base/run-in-steps';
import {
  diagnosticsOf,
  errorOf,
  type UnplacedDiagnostic,
  warningOf,
} from '../diagnostics/diagnostic';
import { referenceOf } from '../references/references';
import type { FieldType, ObjectName, ObjectType } from './field-type';
import { kindError, meantField, standIn, standInFor, unknownField } from './field-type-diagnostic';
import {
  type DocumentPart,
  objectNameOf,
  type Position,
  type Structure,
  wholeDocument,
} from './positions';

export interface StructureReport {
  readonly diagnostics: readonly UnplacedDiagnostic[];
  /** Objects that cannot be served, and why. */
  readonly invalidObjects: ReadonlyMap<object, string>;
}

/** The nearest object around a value, and whether anything that is served depends on it. */
type Surroundings = Pick<Position, 'isolated'> & { readonly owner: object };

const fieldsOf = memoize(({ fields }: ObjectType) => Object.entries(fields));

const missingFields = (value: object, type: ObjectType) => {
  const { title, requiredByType = {} } = type;
  const typeName: unknown = Reflect.get(value, 'type');
  const byType = typeof typeName === 'string' ? (requiredByType[typeName] ?? []) : [];
  return fieldsOf(type)
    .filter(([key, { required }]) => required || byType.includes(key))
    .filter(([key]) => !Object.hasOwn(value, key))
    .map(([key, { isolated, kind }]) => {
      const misspelt = Object.keys(value).find((other) => meantField(type, other) === key);
      const question = misspelt === undefined ? '' : ` (misspelt as \`${misspelt}\`?)`;
      const message = `Add the required field \`${key}\` to this ${title}${question}.`;
      return { message, isolated: isolated || standInFor(kind) !== undefined, misspelt };
    });
};

/**
 * Checks the whole document and repairs it in place: values of the wrong kind are removed (or replaced, where their
 * meaning is clear), so that all later steps may trust the table.
 * @param mayShow whether a sentence may show the value under a pointer, and not only its kind
 */
export function* checkStructure(
  definition: object,
  structure: Structure,
  mayShow: (pointer: string) => boolean,
): Steps<StructureReport> {
  const { types } = structure;
  const diagnostics: UnplacedDiagnostic[] = [];
  const invalidObjects = new Map<object, string>();
  /** The errors of lists, maps and objects as wholes; the same one may stand in several places. */
  const results = new Map<object, Map<FieldType, string | undefined>>();

  const markInvalid = ({ owner, isolated }: Surroundings, message: string): void => {
    if (!isolated && !invalidObjects.has(owner)) invalidObjects.set(owner, message);
  };

  const checkObject = (value: object, name: ObjectName, pointer: string): void => {
    const { title, requiredTogether } = types[name];
    const missing = missingFields(value, types[name]);
    const error = errorOf('required-field');
    if (requiredTogether?.every((key) => !Object.hasOwn(value, key))) {
      const fields = requiredTogether.map((key) => `\`${key}\``).join(', ');
      diagnostics.push(error(pointer, `Add one of the fields ${fields} to this ${title}.`));
    }
    for (const { message, isolated, misspelt } of missing) {
      const at = misspelt === undefined ? pointer : pointerTo(pointer, misspelt);
      diagnostics.push(error(at, message, misspelt !== undefined));
      markInvalid({ owner: value, isolated }, message);
    }
    for (const key of Object.keys(value)) {
      const isMeant = missing.some(({ misspelt }) => misspelt === key);
      const message = isMeant ? undefined : unknownField(name, key, structure);
      if (message === undefined) continue;
      diagnostics.push(warningOf('unknown-field')(pointerTo(pointer, key), message, true));
    }
  };

  /** Checks an object or its reference. Misplaced references that can be resolved were replaced by the bundler, which reported the others. */
  const checkReference = (value: object, name: ObjectName, pointer: string): void => {
    const ref = referenceOf(value);
    const { reference, title } = types[name];
    if (ref !== undefined && reference !== 'beside') {
      const message = `Write out the target of ${ref}; OpenAPI allows no reference in place of this ${title}.`;
      if (reference === 'none') markInvalid({ owner: value, isolated: false }, message);
      return;
    }
    checkObject(value, name, pointer);
    if (reference !== 'instead' || !Object.hasOwn(value, '$ref')) return;
    const message = 'Write `$ref` as text, such as #/components/schemas/Name.';
    diagnostics.push(errorOf('field-kind')(`${pointer}/$ref`, message));
    markInvalid({ owner: value, isolated: false }, message);
  };

  const checkKeys = (part: DocumentPart): void => {
    const { kind } = part;
    if (kind.is !== 'map' || kind.keys === undefined) return;
    for (const { key, pointer } of structure.positionsIn(part)) {
      if (kind.keys.pattern.test(key)) continue;
      const report = diagnosticsOf(kind.keys.severity)('key-pattern');
      diagnostics.push(report(pointer, kind.keys.sentence(key), true));
    }
  };

  /** Reports and repairs a value of the wrong kind; returns the error that remains. */
  const repair = (position: Position, message: string): string | undefined => {
    diagnostics.push(errorOf('field-kind')(position.pointer, message));
    const repaired = standIn(position, types);
    if (repaired === undefined) return message;
    if (repaired.value === undefined) Reflect.deleteProperty(position.holder, position.key);
    else Reflect.set(position.holder, position.key, repaired.value);
    return undefined;
  };

  /** Checks the parts, and removes those that are wrong; a list with a wrong item is wrong as a whole, and its error is returned. */
  function* walkParts(part: DocumentPart, around: Surroundings): Steps<string | undefined> {
    const isOwner = objectNameOf(part) !== undefined;
    const wrong: Position[] = [];
    let error: string | undefined;
    for (const position of structure.positionsIn(part)) {
      const { holder, isolated } = position;
      const inner = isOwner ? { owner: holder, isolated } : around;
      const own = kindError(position, types, () => mayShow(position.pointer));
      const left = own === undefined ? yield* walk(position, inner) : repair(position, own);
      if (left === undefined) continue;
      markInvalid(inner, left);
      wrong.push(position);
      error ??= left;
    }
    if (Array.isArray(part.value)) return error;
    for (const { holder, key } of wrong) Reflect.deleteProperty(holder, key);
    return undefined;
  }

  function* walk(part: DocumentPart, around: Surroundings): Steps<string | undefined> {
    const { value, kind, pointer } = part;
    if (typeof value !== 'object' || value === null) return undefined;
    const known = results.get(value) ?? new Map<FieldType, string | undefined>();
    if (known.has(kind)) return known.get(kind);
    results.set(value, known.set(kind, undefined));
    const name = objectNameOf(part);
    if (name !== undefined) checkReference(value, name, pointer);
    checkKeys(part);
    yield;
    const message = yield* walkParts(part, around);
    known.set(kind, message);
    return message;
  }

  yield* walk(wholeDocument(definition), { owner: definition, isolated: false });
  return { diagnostics, invalidObjects };
}
