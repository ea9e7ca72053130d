/** Reads the headers of one part (RFC 7578 section 4; RFC 2046 section 5.1). */

import { parse as parseDisposition } from 'content-disposition';
import { parseMediaType } from '../../http/media-type';
import { MalformedText } from '../../lang/malformed-text';
import { decodeStrictly, findForbiddenCharacter } from '../codec/text-decoding';
import type { PartHead } from './part';
import { mostHeaderBytes, mostHeaders } from './part';

const malformed = (reason: string): MalformedText =>
  new MalformedText(`The multipart body is malformed: ${reason}`);

// RFC 9110 section 5.6.2.
const token = /^[!#$%&'*+.^_`|~\da-z-]+$/;

// Colon and line end.
const bytesAround = 3;

// RFC 2045 section 6: these leave the bytes as they are; form-data has no use for others (RFC 7578 section 4.7).
const plainEncodings = new Set(['7bit', '8bit', 'binary']);

// A part that says one of these twice could be read in two ways.
const singular = new Set(['content-disposition', 'content-type', 'content-transfer-encoding']);

/** Header values as the parser gives them. It reads no further than a line that is no header, and does not tell of it. */
const textsOf = (values: unknown): string[] =>
  Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [];

const decodeValue = (raw: string): string => {
  const text = decodeStrictly(Buffer.from(raw, 'latin1'), 'utf-8');
  if (findForbiddenCharacter(text) !== undefined) throw malformed('a header holds U+0000');
  return text.trim();
};

const joinValues = (name: string, raws: readonly string[]): string => {
  if (!token.test(name)) throw malformed('a header has no legal name');
  if (raws.length > 1 && singular.has(name)) throw malformed(`${name} stands twice in one part`);
  return raws.map(decodeValue).join(', ');
};

const headersOf = (raw: object): Record<string, string> => {
  const entries = Object.entries(raw).map(([name, values]) => [name, textsOf(values)] as const);
  const lines = entries.flatMap(([name, values]) =>
    values.map((value) => name.length + value.length + bytesAround),
  );
  if (lines.length > mostHeaders) throw malformed('a part has too many headers');
  if (lines.reduce((sum, length) => sum + length, 0) > mostHeaderBytes) {
    throw malformed('the headers of a part are too large');
  }
  const headers: Record<string, string> = Object.create(null);
  for (const [name, values] of entries) headers[name] = joinValues(name, values);
  return headers;
};

const typeOf = (header: string | undefined): PartHead['type'] => {
  if (header === undefined || header === '') return undefined;
  const type = parseMediaType(header);
  if (type === undefined) throw malformed('the Content-Type of a part is none');
  return type;
};

/**
 * Reads a part's headers. Names and file names are UTF-8, escaped as browsers do it, or given by `filename*`.
 * @param raw lower-case names to lists of values, a character for each byte
 * @param isForm whether the body is form-data, whose parts all say so
 * @throws MalformedText
 */
export const readPartHead = (raw: object, isForm: boolean): PartHead => {
  const headers = headersOf(raw);
  const { type, parameters } = parseDisposition(headers['content-disposition'] ?? '', {
    multipart: true,
  });
  const name = parameters['name'];
  if (name === undefined || (isForm && type !== 'form-data')) {
    throw malformed('a part has no Content-Disposition with a name');
  }
  const encoding = headers['content-transfer-encoding']?.toLowerCase() ?? 'binary';
  if (!plainEncodings.has(encoding)) {
    throw malformed('a part has a Content-Transfer-Encoding that is not supported');
  }
  return { name, fileName: parameters['filename'], type: typeOf(headers['content-type']), headers };
};
