/** A package that is not installed is named, with what to do; any other failure stays as it is. */

import { expect, test } from '@jest/globals';
import { withOptionalPackage } from '../../../src/base/optional-package';

const failing = (code: string, message: string) => () =>
  Promise.reject<never>(Object.assign(new Error(message), { code }));

const sentence = 'The package box, which the test needs, is not installed. Run npm install box.';

test.each<[code: string, message: string, said: string]>([
  ['MODULE_NOT_FOUND', "Cannot find module 'box'", sentence],
  ['MODULE_NOT_FOUND', "Cannot find module 'box/lid'", sentence],
  ['ERR_MODULE_NOT_FOUND', "Cannot find package 'box' imported from /a.js", sentence],
  ['MODULE_NOT_FOUND', "Cannot find module './box'", "Cannot find module './box'"],
  ['MODULE_NOT_FOUND', "Cannot find module 'boxes'", "Cannot find module 'boxes'"],
  ['EACCES', "'box' cannot be read", "'box' cannot be read"],
])('%s: %s', async (code, message, said) => {
  await expect(withOptionalPackage('box', 'the test', failing(code, message))).rejects.toThrow(
    new Error(said),
  );
});

test('a module that loads is given back', async () => {
  expect(await withOptionalPackage('box', 'the test', async () => 'lid')).toBe('lid');
});
