/** Preloaded by Node.js (`--import`): gives generators the compiler's API, which TypeScript 7 does not have. */

import { register } from 'node:module';

const hook = `export const resolve = (name, context, next) =>
  next(name === 'typescript' ? 'typescript-5' : name, context);`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
