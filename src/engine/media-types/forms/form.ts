/** Urlencoded forms as the engine reads and writes them; with Encoding Objects use formReader itself. */

import type { Codec } from '../codec/codec';
import { formReader } from './form-reader';
import { formWriter } from './form-writer';

/** The codec of application/x-www-form-urlencoded. */
export const formCodec: Codec = {
  name: 'form',
  reader: (shape, direction) => formReader(shape, {}, direction),
  writer: formWriter,
};
