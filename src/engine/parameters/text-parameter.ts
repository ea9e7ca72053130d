/** The reader of one parameter's raw text, wherever a parameter is one text: path, header, cookie, and `content`. */

import type { Parameter } from '../document/model/operation';
import { codecFor } from '../media-types/codecs';
import type { Shape } from '../schema/shape';
import { type Layout, labelLayout, matrixLayout, simpleLayout } from './layout';
import { type Decode, formDecode, percentDecode } from './percent-decoding';
import { type Read, textReader } from './typed-value';

// Header values are not percent-encoded; blanks around commas are none of theirs (RFC 9110 section 5.6.1).
const trim: Decode = (raw) => raw.trim();

const decodeIn: Record<Parameter['in'], Decode> = {
  path: percentDecode,
  query: formDecode,
  header: trim,
  cookie: percentDecode,
};

const layoutOf = ({ name, in: location, style, explode }: Parameter): Layout => {
  if (style === 'label') return labelLayout(explode);
  if (style === 'matrix') return matrixLayout(name, explode);
  // An exploded cookie would be several cookies; it is read as one (OAS 3.0.4, Appendix D).
  return simpleLayout(explode && location !== 'cookie');
};

/** Reads the text by the parameter's style, or by its media type where it has `content` (OAS 3.0.3, Parameter Object). */
export const textParameterReader = (parameter: Parameter, shape: Shape): Read<string> => {
  const decode = decodeIn[parameter.in];
  if (parameter.mediaType === undefined) return textReader(shape, layoutOf(parameter), decode);
  const codec = codecFor(parameter.mediaType);
  if (codec === undefined) return decode;
  const read = codec.reader(shape, 'request');
  return (raw) => read(decode(raw));
};
