/** Remembers where the parts of a bundled definition came from, so that reports name the true file, line and column. */

import { pointerOf, pointerSteps } from '../../lang/json-pointer';
import type { SourceFile } from '../source/source-files';

/** A part of a file. */
export interface SourceLocation {
  readonly file: SourceFile;
  readonly pointer: string;
}

/** From pointers into the definition to the files. */
export interface SourceMap {
  /** From here down, the definition holds what stands there in the file. */
  add(pointer: string, origin: SourceLocation): void;
  of(pointer: string): SourceLocation;
}

/** Begins with everything coming from the root file. */
export const sourceMapFrom = (root: SourceFile): SourceMap => {
  const known = new Map<string, SourceLocation>([['', { file: root, pointer: '' }]]);
  return {
    add: (pointer, origin) => void known.set(pointer, origin),
    of(pointer) {
      const steps = pointerSteps(pointer);
      for (let length = steps.length; length >= 0; length -= 1) {
        const origin = known.get(pointerOf(steps.slice(0, length)));
        if (origin === undefined) continue;
        return { file: origin.file, pointer: origin.pointer + pointerOf(steps.slice(length)) };
      }
      return { file: root, pointer };
    },
  };
};
