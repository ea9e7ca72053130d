/** What a reference names: a file, by a URI relative to the file that holds it, and a pointer into it (RFC 3986). */

import { pointerOfFragment } from '../../lang/json-pointer';
import type { SourceFile } from '../source/source-files';
import { MissingFile, UnreadableDocument } from '../source/source-text';
import type { Target } from './component-placement';

/** The clause that says why a file is unavailable. */
export const reasonOf = (error: unknown): string => {
  if (error instanceof MissingFile) return error.message;
  if (error instanceof UnreadableDocument) return `${error.diagnostic.file} cannot be read`;
  throw error;
};

/**
 * What a reference in a file names.
 * @throws MissingFile where it names nothing that could be there
 */
export const targetFrom = (file: SourceFile, ref: string): Target => {
  const mark = ref.indexOf('#');
  const path = mark < 0 ? ref : ref.slice(0, mark);
  const pointer = mark < 0 ? '' : pointerOfFragment(ref.slice(mark + 1));
  if (pointer === undefined) throw new MissingFile('its fragment is no JSON Pointer such as #/a/b');
  if (!URL.canParse(path, file.uri)) throw new MissingFile('it is no URI');
  return { uri: path === '' ? file.uri : new URL(path, file.uri).href, pointer };
};

/** The target of a reference in the root file that leads out of it. */
export const outsideTarget = (root: SourceFile, ref: string): Target | undefined => {
  try {
    const target = targetFrom(root, ref);
    return target.uri === root.uri ? undefined : target;
  } catch {
    return undefined;
  }
};
