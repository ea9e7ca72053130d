/** Parses urlencoded text: keys with brackets become a tree, values stay encoded until their schema is known. */

import { MalformedText } from '../../../base/malformed-text';
import { findForbiddenCharacter, type ReadLimits, tooManyNames } from '../../../base/read-limits';

/** The values sent under one key. */
export interface FormField {
  /** The values given for the key itself or for `key[]`, still encoded. */
  readonly raw: string[];
  /** The fields given for `key[inner]`. */
  readonly inner: FormFields;
  /** True once one was given for `key[]`: then they are a list, be it of one. */
  isList: boolean;
}

export type FormFields = Map<string, FormField>;

/** Makes a field that has one value, or none yet. */
export const newField = (...raw: string[]): FormField => ({ raw, inner: new Map(), isList: false });

const BRACKETED = /^([^[\]]+)((?:\[[^[\]]*\])+)$/;

/**
 * Reads `a=1&b[c]=2` into fields. A key for which `isWhole` is true is not split. Ill-formed encoding, forbidden characters
 * and texts beyond the limits throw MalformedText.
 */
export function parseFormFields(
  text: string,
  isWhole: (key: string) => boolean,
  limits: ReadLimits,
): FormFields {
  const fields: FormFields = new Map();
  let count = 0;
  for (const pair of splitPairs(text)) {
    const equals = pair.indexOf('=');
    const key = decodeFormText(equals < 0 ? pair : pair.slice(0, equals));
    const steps = isWhole(key) ? [key] : stepsOf(key);
    count += steps.length;
    if (steps.length > limits.depth) {
      throw new MalformedText('The form is malformed: nested too deeply');
    }
    if (count > limits.nodes) throw new MalformedText('The form is malformed: too many fields');
    addValue(fields, steps, equals < 0 ? '' : pair.slice(equals + 1));
    if (fields.size > limits.names) throw malformedNames(limits);
  }
  return fields;
}

/** Decodes a key or value: plus is a space, triples are UTF-8 (URL Standard, application/x-www-form-urlencoded). */
export function decodeFormText(raw: string, path = ''): string {
  // Of a million pluses `replaceAll` takes five times as long.
  const spaced = raw.includes('+') ? raw.split('+').join(' ') : raw;
  let text = spaced;
  try {
    if (spaced.includes('%')) text = decodeURIComponent(spaced);
  } catch {
    throw new MalformedText('The form is malformed: a percent sign without UTF-8 behind it', path);
  }
  const forbidden = findForbiddenCharacter(text);
  if (forbidden !== undefined) throw new MalformedText(`The form is malformed: ${forbidden}`, path);
  return text;
}

function* splitPairs(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf('&', start);
    const end = found < 0 ? text.length : found;
    if (end > start) yield text.slice(start, end);
    start = end + 1;
  }
}

const malformedNames = (limits: ReadLimits, path = ''): MalformedText =>
  new MalformedText(`The form is malformed: ${tooManyNames(limits)}`, path);

/** Returns the fields inside another one, if they are not items of a list. */
export function namedFields({ inner }: FormField, limits: ReadLimits, path: string): FormFields {
  if (inner.size > limits.names) throw malformedNames(limits, path);
  return inner;
}

/** Splits a key: `a[b][]` is `a`, `b` and the empty step. */
export function stepsOf(key: string): readonly string[] {
  if (!key.includes('[')) return [key];
  const [, name, brackets] = BRACKETED.exec(key) ?? [];
  if (name === undefined || brackets === undefined) return [key];
  return [name, ...brackets.slice(1, -1).split('][')];
}

function addValue(fields: FormFields, steps: readonly string[], raw: string): void {
  const [first = '', ...rest] = steps;
  let field = fieldOf(fields, first);
  for (const [index, step] of rest.entries()) {
    const isLast = index === rest.length - 1;
    if (step === '' && isLast) {
      field.isList = true;
      break;
    }
    // `a[][b]` begins a new item every time.
    field = fieldOf(field.inner, step === '' ? String(field.inner.size) : step);
  }
  field.raw.push(raw);
}

function fieldOf(fields: FormFields, key: string): FormField {
  const known = fields.get(key);
  if (known) return known;
  const field = newField();
  fields.set(key, field);
  return field;
}
