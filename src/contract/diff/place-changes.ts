/** Says where in the files a finding stands, and what it is, in a sentence. */

import { pointerOf, pointerSteps } from '../../base/json-pointer';
import { memoize } from '../../base/memoize';
import type { LoadedDocument } from '../../document/document';
import type { Change } from './change';
import { type Finding, type Spot, severityOf } from './rules/finding';
import { ruleOf } from './rules/rules';

/** The operation that a finding belongs to. */
export type Touched = Pick<Change, 'operation' | 'method' | 'path'>;

/** No operation: the whole document. */
export const wholeDocument: Touched = { operation: null, method: null, path: null };

/** Turns a finding into a change. */
export type PlaceFinding = (finding: Finding, touched: Touched) => Change;

const detail = (old: Spot | undefined, now: Spot | undefined): string => {
  if (old?.text !== undefined && now?.text !== undefined) {
    return ` (was ${old.text}, now ${now.text})`;
  }
  const text = now?.text ?? old?.text;
  return text === undefined ? '' : ` (${text})`;
};

/** Capitalizes a text that begins with a plain word: keywords such as `maxLength` stay as they are. */
export const capitalized = (text: string): string =>
  /^[a-z]+ /.test(text) ? text.slice(0, 1).toUpperCase() + text.slice(1) : text;

/** Names of the document stay as they are. */
const named = (subject: string): string =>
  subject.startsWith('the ') ? capitalized(subject) : subject;

type Place = Pick<Change, 'pointer' | 'file' | 'line' | 'column'>;

/** Looks each pointer up once: many operations may share it. */
const placesIn = (document: LoadedDocument): ((pointer: string) => Place) =>
  memoize(
    (given: string): Place => {
      const { pointer, file, line, column } = document.locate({
        severity: 'warning',
        rule: 'reference',
        pointer: given,
        message: '',
        ofKey: pointerSteps(given).length > 0,
      });
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

const jsonOf = (spot: Spot | undefined): string | null =>
  spot?.json ?? (spot?.text === undefined ? null : JSON.stringify(spot.text));

/** The name of a parameter that a pointer leads to or into. */
const parameterName = (document: LoadedDocument, steps: readonly string[]): string | undefined => {
  const at = steps.lastIndexOf('parameters');
  const named = document.spelledAt(pointerOf([...steps.slice(0, at + 2), 'name']));
  return at < 0 || named === undefined ? undefined : String(JSON.parse(named.text));
};

const namedBy: Readonly<Record<string, (name: string) => string>> = {
  properties: (name) => `.${name}`,
  patternProperties: () => '.*',
  additionalProperties: () => '.*',
  unevaluatedProperties: () => '.*',
  prefixItems: (index) => `[${index}]`,
  items: () => '[]',
  unevaluatedItems: () => '[]',
};

/** Keywords whose entries have names of the author. */
const maps = new Set(['properties', 'patternProperties', 'prefixItems']);

/** The steps within a schema as a path such as `.owner[].name`. */
const pathWithin = (steps: readonly string[]): string => {
  let path = '';
  for (let at = 0; at < steps.length; at += 1) {
    const step = steps[at] ?? '';
    if (maps.has(step)) at += 1;
    path += namedBy[step]?.(steps[at] ?? '') ?? '';
  }
  return path;
};

/** The step after the last one of that name: the member of a map that the pointer leads to or into. */
const memberOf = (steps: readonly string[], map: string): string | undefined =>
  steps.includes(map) ? steps[steps.lastIndexOf(map) + 1] : undefined;

/** The steps to the object at a pointer: an entry of `required` stands for the property that it names. */
const subjectSteps = (document: LoadedDocument, pointer: string): readonly string[] => {
  const steps = pointerSteps(pointer);
  const entry = steps.at(-2) === 'required' ? document.spelledAt(pointer)?.text : undefined;
  const name: unknown = entry === undefined ? undefined : JSON.parse(entry);
  return typeof name === 'string' ? [...steps.slice(0, -2), 'properties', name] : steps;
};

/** Names the object at a pointer for readers: `Thing.name`, `the parameter limit`, `the body`. */
const subjectOf = (document: LoadedDocument, pointer: string): string => {
  const steps = subjectSteps(document, pointer);
  const [first, section, name = ''] = steps;
  if (first === 'components' && section === 'schemas')
    return `${name}${pathWithin(steps.slice(3))}`;
  const schema = steps.indexOf('schema');
  const path = schema < 0 ? '' : pathWithin(steps.slice(schema + 1)).replace(/^\./, '');
  if (path !== '') return path;
  const parameter = parameterName(document, steps);
  if (parameter !== undefined) return `the parameter ${parameter}`;
  const header = memberOf(steps, 'headers');
  if (header !== undefined) return `the header ${header}`;
  if (schema >= 0) return 'the body';
  const response = memberOf(steps, 'responses');
  return response === undefined ? '' : `the response ${response}`;
};

/** Makes what turns findings into changes. */
export const changePlacer = (old: LoadedDocument, now: LoadedDocument): PlaceFinding => {
  const [oldPlaces, newPlaces] = [placesIn(old), placesIn(now)];
  return (finding, touched) => {
    // A keyword that is gone is shown where it stood.
    const wasThere = finding.old !== undefined && isThere(old, finding.old);
    const isGone = finding.new === undefined || (wasThere && !isThere(now, finding.new));
    const [source, spot] = isGone ? [old, finding.old] : [now, finding.new];
    const pointer = nearestPlace(source, spot?.pointer ?? '');
    const place = isGone ? oldPlaces(pointer) : newPlaces(pointer);
    const subject = subjectOf(source, pointer);
    const { sentence } = ruleOf(finding.rule);
    const said = sentence + detail(finding.old, finding.new);
    return {
      rule: finding.rule,
      severity: severityOf(finding),
      side: finding.side,
      ...touched,
      ...place,
      was: jsonOf(finding.old),
      now: jsonOf(finding.new),
      message: `${subject === '' ? capitalized(said) : `${named(subject)}: ${said}`}.`,
    };
  };
};
