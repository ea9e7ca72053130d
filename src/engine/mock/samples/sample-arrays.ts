/** Candidates for arrays: one item where nothing else is said, as many as required otherwise. */

import { countLimits } from './sample-limits';
import { keywordOf } from './sample-plan';
import type { Composite, Replay } from './sampling';

/** Longer arrays are not made, whatever a schema requires. */
const MOST_ITEMS = 1_000;

/** As many items as asked for, from an index on; the last one is repeated where items need not differ. */
const itemsFrom = (items: Replay, from: number, count: number, areUnique: boolean): unknown[] =>
  Array.from({ length: count }, (_, index) => index + from)
    .filter((index) => !areUnique || items.reaches(index))
    .flatMap((index) => items.at(index) ?? [])
    .map(({ value }) => value);

const itemsOf = ({ plan, sampleParts }: Composite, least: number): Replay =>
  sampleParts({
    schemas: keywordOf(plan, 'items'),
    need: least > 0 ? 'required' : 'optional',
    step: '0',
    siblings: 1,
    preferred: [],
  });

/** Arrays of one length, which begin with ever later items. */
function* arraysOf(items: Replay, count: number, areUnique: boolean): Iterable<unknown[]> {
  yield itemsFrom(items, 0, count, areUnique);
  for (let from = 1; count > 0 && items.reaches(from); from += 1) {
    yield itemsFrom(items, from, count, areUnique);
  }
}

/** Arrays, the most telling first. Where no item can be made they are empty, if they may be. */
export function* sampleArrays(composite: Composite): Iterable<unknown[]> {
  const { plan, lean } = composite;
  const { least, most } = countLimits(plan, 'Items');
  if (least > MOST_ITEMS || least > most) return;
  const areUnique = keywordOf(plan, 'uniqueItems').includes(true);
  const count = Math.min(most, Math.max(least, lean ? 0 : 1));
  for (const array of arraysOf(itemsOf(composite, least), count, areUnique)) {
    if (array.length >= least) yield array;
    if (least === 0 && array.length > 0) yield [];
  }
}
