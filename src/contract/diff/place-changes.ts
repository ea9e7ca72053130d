/** Says where in the files a finding stands, and what it is, in a sentence. */

import { pointerSteps, valueAt } from '../../base/json-pointer';
import type { Change } from './change';
import { type Finding, type Spot, severityOf } from './rules/finding';
import { ruleOf } from './rules/rules';
import { type SourceObjects, subjectOf } from './values/source-objects';

/** The operation that a finding belongs to. */
export type Touched = Pick<Change, 'operation' | 'method' | 'path'>;

/** No operation: the whole document. */
export const wholeDocument: Touched = { operation: null, method: null, path: null };

/** Turns findings into changes. */
export interface ChangePlacer {
  place(finding: Finding, touched: Touched): Change;
}

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
const placesIn = ({ document }: SourceObjects): ((pointer: string) => Place) => {
  const known = new Map<string, Place>();
  return (given) => {
    const before = known.get(given);
    if (before !== undefined) return before;
    const { pointer, file, line, column } = document.locate({
      severity: 'warning',
      rule: 'reference',
      pointer: given,
      message: '',
      ofKey: pointerSteps(given).length > 0,
    });
    const place = { pointer, file, line, column };
    known.set(given, place);
    return place;
  };
};

const isThere = ({ document }: SourceObjects, { pointer }: Spot): boolean =>
  valueAt(document.definition, pointer) !== undefined;

/** The nearest place above a pointer that is there; the pointer itself where it leads somewhere. */
const nearestPlace = (source: SourceObjects, pointer: string): string =>
  pointer === '' || isThere(source, { pointer })
    ? pointer
    : nearestPlace(source, pointer.slice(0, pointer.lastIndexOf('/')));

const jsonOf = (spot: Spot | undefined): string | null =>
  spot?.json ?? (spot?.text === undefined ? null : JSON.stringify(spot.text));

/** Makes what turns findings into changes. */
export const changePlacer = (old: SourceObjects, now: SourceObjects): ChangePlacer => {
  const [oldPlaces, newPlaces] = [placesIn(old), placesIn(now)];
  return {
    place(finding, touched) {
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
    },
  };
};
