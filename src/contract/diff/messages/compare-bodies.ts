/** Compares request bodies. */

import type { SourceObject } from '../values/source-objects';
import { compareContent } from './compare-content';
import {
  compareFlag,
  fieldSpot,
  isSet,
  type MessageComparison,
  spotOf,
} from './message-comparison';

/** The property that names the resource (`x-identifier`), which is required. */
const compareIdentifiers = (
  { report, sent }: MessageComparison,
  old: SourceObject,
  now: SourceObject,
): void => {
  const field = 'x-identifier';
  const [was, is] = [old.value[field], now.value[field]];
  if (was === is) return;
  if (is !== undefined)
    report('identifier-added', sent, undefined, fieldSpot(now, field, String(is)));
  else report('identifier-removed', sent, fieldSpot(old, field, String(was)), undefined);
};

/** Compares the request bodies of two operations. */
export const compareBodies = (
  comparison: MessageComparison,
  oldOperation: SourceObject,
  newOperation: SourceObject,
): void => {
  const { report, sent } = comparison;
  const old = comparison.old.find(oldOperation.value['requestBody']);
  const now = comparison.new.find(newOperation.value['requestBody']);
  if (old === undefined && now !== undefined) {
    const rule = isSet(now, 'required') ? 'required-body-added' : 'body-added';
    report(rule, sent, undefined, spotOf(now));
  }
  if (old !== undefined && now === undefined) report('body-removed', sent, spotOf(old), undefined);
  if (old === undefined || now === undefined) return;
  compareFlag(comparison, [old, now], 'required', sent, {
    set: 'body-became-required',
    unset: 'body-became-optional',
  });
  compareIdentifiers(comparison, old, now);
  compareContent(comparison, [old, now], sent);
};
