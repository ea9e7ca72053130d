/** Values of a document as its author spells them. */

import type { LoadedDocument } from '../../../document/document';
import type { Spot } from '../rules/finding';

/** Longer texts are cut. */
const LONGEST = 200;

/** Gives a value as a place; its text is cut where it is long. Values may be large, and are written when they are read. */
export const valueSpot = (document: LoadedDocument, pointer: string): Spot => ({
  pointer,
  get json() {
    return document.spelledAt(pointer)?.text;
  },
  get text() {
    const json = document.spelledAt(pointer)?.text;
    return json !== undefined && json.length > LONGEST ? `${json.slice(0, LONGEST)}…` : json;
  },
});
