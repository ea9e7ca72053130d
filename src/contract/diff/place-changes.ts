/** Turns findings into changes: where in the files each stands, and what it is, in a sentence. */

import { pointerOf, pointerSteps } from '../../base/json-pointer';
import { memoize } from '../../base/memoize';
import { warningOf } from '../../document/diagnostics/diagnostic';
import type { LoadedDocument } from '../../document/document';
import type { Finding, Spot } from './rules/finding';
import { type DiffRuleId, diffRule, type Severity, type Side } from './rules/rules';

/** One change. A change of a shared part is listed once for each operation and side that it touches. */
export interface Change {
  readonly rule: DiffRuleId;
  readonly severity: Severity;
  readonly side: Side;
  /** The operationId; null where the operation has none, or the change is the whole document's. */
  readonly operation: string | null;
  /** In lower case; null where the change is the whole document's. */
  readonly method: string | null;
  /** The path template; null where the change is the whole document's. */
  readonly path: string | null;
  /** JSON Pointer (RFC 6901) into the file: the new one, or the old one for what is gone. */
  readonly pointer: string;
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1, in UTF-16 units. */
  readonly column: number;
  /** JSON text: the old value as it stands in the document, with all its digits, or words; null where there was none. */
  readonly was: string | null;
  /** JSON text of the new value likewise; null where it is missing. */
  readonly now: string | null;
  readonly message: string;
}

/** The operation that a finding belongs to; nulls for the whole document. */
export type Touched = Pick<Change, 'operation' | 'method' | 'path'>;

const detail = (old: string | undefined, now: string | undefined): string => {
  if (old !== undefined && now !== undefined) return ` (was ${old}, now ${now})`;
  const text = now ?? old;
  return text === undefined ? '' : ` (${text})`;
};

/** Capitalizes a text that begins with a plain word: keywords such as `maxLength` stay as they are. */
export const capitalized = (text: string): string =>
  /^[a-z]+ /.test(text) ? text.slice(0, 1).toUpperCase() + text.slice(1) : text;

/** Looks each pointer up once: many operations may share it. */
const placesIn = (document: LoadedDocument) =>
  memoize(
    (given: string) => {
      const ofKey = pointerSteps(given).length > 0;
      const place = document.locate(warningOf('reference')(given, '', ofKey));
      const { pointer, file, line, column } = place;
      return { pointer, file, line, column };
    },
    { max: Number.POSITIVE_INFINITY },
  );

const isThere = (document: LoadedDocument, { pointer }: Spot): boolean =>
  document.spelledAt(pointer) !== undefined;

/** The nearest place above a pointer that is there; the pointer itself where it leads somewhere. */
const nearestPlace = (document: LoadedDocument, pointer: string): string =>
  pointer === '' || isThere(document, { pointer })
    ? pointer
    : nearestPlace(document, pointer.slice(0, pointer.lastIndexOf('/')));

/** The steps within a schema as a path such as `.owner[].name`. */
const pathWithin = (steps: readonly string[]): string => {
  // Keywords whose entries have names of the author.
  const maps = ['properties', 'patternProperties', 'prefixItems'];
  let path = '';
  for (let at = 0; at < steps.length; at += 1) {
    const step = steps[at] ?? '';
    if (maps.includes(step)) at += 1;
    if (step === 'properties') path += `.${steps[at] ?? ''}`;
    else if (step === 'prefixItems') path += `[${steps[at] ?? ''}]`;
    else if (/^(?:pattern|additional|unevaluated)Properties$/.test(step)) path += '.*';
    else if (/^(?:items|unevaluatedItems)$/.test(step)) path += '[]';
  }
  return path;
};

/** Names the object at a pointer for readers: `Thing.name`, `the parameter limit`, `the body`; empty where it has no name. */
const subjectAt = (document: LoadedDocument, pointer: string): string => {
  const steps = [...pointerSteps(pointer)];
  const entered = steps.at(-2) === 'required' ? document.spelledAt(pointer)?.text : undefined;
  const required: unknown = entered === undefined ? undefined : JSON.parse(entered);
  // An entry of `required` stands for the property that it names.
  if (typeof required === 'string') steps.splice(-2, 2, 'properties', required);
  const [first, section, component = '', ...inner] = steps;
  if (first === 'components' && section === 'schemas') return component + pathWithin(inner);
  const schemaAt = steps.indexOf('schema');
  const path = schemaAt < 0 ? '' : pathWithin(steps.slice(schemaAt + 1)).replace(/^\./, '');
  if (path !== '') return path;
  const entry = steps.slice(0, steps.lastIndexOf('parameters') + 2);
  const name = document.spelledAt(pointerOf([...entry, 'name']));
  if (steps.includes('parameters') && name) return `the parameter ${JSON.parse(name.text)}`;
  const nameAfter = (step: string) => steps[steps.lastIndexOf(step) + 1 || steps.length];
  const [header, response] = [nameAfter('headers'), nameAfter('responses')];
  if (header !== undefined) return `the header ${header}`;
  if (schemaAt >= 0) return 'the body';
  return response === undefined ? '' : `the response ${response}`;
};

/** Makes what turns findings into changes. */
export const changePlacer = (old: LoadedDocument, now: LoadedDocument) => {
  const [oldPlaces, newPlaces] = [placesIn(old), placesIn(now)];
  return (finding: Finding, touched: Touched): Change => {
    // A keyword that is gone is shown where it stood.
    const wasThere = finding.old !== undefined && isThere(old, finding.old);
    const isGone = finding.new === undefined || (wasThere && !isThere(now, finding.new));
    const [source, spot] = isGone ? [old, finding.old] : [now, finding.new];
    const pointer = nearestPlace(source, spot?.pointer ?? '');
    const place = isGone ? oldPlaces(pointer) : newPlaces(pointer);
    const subject = subjectAt(source, pointer);
    const rule = diffRule(finding.rule);
    const sentence = rule.sentence + detail(finding.old?.text, finding.new?.text);
    // Names of the document stay as they are.
    const named = subject.startsWith('the ') ? capitalized(subject) : subject;
    const jsonOf = (value: Spot | undefined): string | null =>
      value?.json ?? (value?.text === undefined ? null : JSON.stringify(value.text));
    return {
      rule: finding.rule,
      severity: finding.side === 'response' ? rule.response : rule.request,
      side: finding.side,
      ...touched,
      ...place,
      was: jsonOf(finding.old),
      now: jsonOf(finding.new),
      message: `${subject === '' ? capitalized(sentence) : `${named}: ${sentence}`}.`,
    };
  };
};
