/** Plain text as the engine reads and writes it: one scalar, converted by the schema. */

import { MalformedText } from '../lang/malformed-text';
import { scalarReader, writeScalar } from '../schema/scalars';
import type { Codec } from './codec/codec';
import { findForbiddenCharacter } from './codec/text-decoding';

/** The codec of text/plain. Objects and arrays have no plain text: reading leaves the text, which then does not fit. */
export const textCodec: Codec = {
  name: 'text',
  reader: (shape) => {
    const read = scalarReader(shape);
    return (text) => {
      const forbidden = findForbiddenCharacter(text);
      if (forbidden !== undefined) throw new MalformedText(`The text is malformed: ${forbidden}`);
      return read(text);
    };
  },
  writer: () => writeScalar,
};
