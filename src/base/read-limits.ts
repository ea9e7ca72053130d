/** The bounds of what readers of messages take, and the characters that none takes. */

import { type ExactNumber, messageNumber } from './exact-number';

/** Bounds of what a reader takes, whatever the schema says. */
export interface ReadLimits {
  /** Reads a number; undefined where it is out of range. */
  readonly numberOf: (text: string) => ExactNumber | undefined;
  /** Levels of nesting. */
  readonly depth: number;
  /** Elements, members or fields in one text. */
  readonly nodes: number;
  /** Different names in one object, element or form; items of a list have none. */
  readonly names: number;
}

/** The default bounds of every reader: far above what forms and resources need. */
export const readLimits: ReadLimits = {
  numberOf: messageNumber,
  depth: 100,
  nodes: 100_000,
  names: 1000,
};

/** Returns the reason for which a text with too many names is refused. */
export const tooManyNames = (limits: ReadLimits): string =>
  `too many names, more than ${limits.names}`;

/** Returns the reason for which a text can be neither stored nor compared safely; undefined for every other text. */
export function findForbiddenCharacter(text: string): string | undefined {
  if (text.includes('\0')) return 'U+0000 is not allowed';
  return text.isWellFormed() ? undefined : 'half of a surrogate pair is not allowed';
}
