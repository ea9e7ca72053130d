/** Runs the bundling of a document: of its root file alone, or with the files that it refers to. */

import type { PlainObject } from '../../lang/plain-object';
import type { OpenFile, SourceFile } from '../source/source-files';
import { MissingFile } from '../source/source-text';
import type { Bundle } from './bundle';
import { bundling } from './bundling';

/** Takes no other file; whatever leads to one cannot be followed. */
export const bundleAlone = (root: SourceFile, definition: PlainObject): Bundle => {
  const work = bundling(root, definition);
  let step = work.next();
  while (!step.done) step = work.throw(new MissingFile('it leaves the document'));
  return step.value;
};

/** Opens every file that is reachable. */
export const bundleFiles = async (
  root: SourceFile,
  definition: PlainObject,
  open: OpenFile,
): Promise<Bundle> => {
  const work = bundling(root, definition);
  let step = work.next();
  while (!step.done) {
    const { uri, from } = step.value;
    const opened = await open(uri, from).then(
      (file) => ({ file }),
      (error: unknown) => ({ error }),
    );
    step = 'file' in opened ? work.next(opened.file) : work.throw(opened.error);
  }
  return step.value;
};
