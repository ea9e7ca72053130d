/** Finds where values stand in a JSON text. */

import { pointerOf } from '../../lang/json-pointer';
import { lazy } from '../../lang/lazy';
import { textPositions } from '../../lang/text-position';
import type { ReadLimits } from '../../media-types/codec/codec';
import { parseJsonStrictly } from '../../media-types/json/json-parser';
import type { SourceText } from './source-text';

/**
 * Makes the finder of positions. The text is parsed again at the first question, which only a wrong document asks.
 * @param text known to be JSON within the limits
 */
export const jsonPositions = (text: string, limits: ReadLimits): SourceText['locate'] => {
  const positionOf = textPositions(text);
  const offsets = lazy(() => {
    const found = new Map<string, { readonly key: number; readonly value: number }>();
    parseJsonStrictly(text, limits, (path, key, value) => {
      found.set(pointerOf(path), { key, value });
    });
    return found;
  });
  return (pointer, ofKey = false) => {
    const exact = offsets().get(pointer);
    if (exact !== undefined) return positionOf(ofKey ? exact.key : exact.value);
    let nearest = pointer;
    while (nearest !== '' && !offsets().has(nearest)) {
      nearest = nearest.slice(0, nearest.lastIndexOf('/'));
    }
    return positionOf(offsets().get(nearest)?.value ?? 0);
  };
};
