/** How each style lays a value out in one piece of raw text (OAS 3.0.3, Style Values; RFC 6570). */

import { MalformedText } from '../../base/malformed-text';

/** A key and its value, still encoded. */
export type Entry = readonly [key: string, value: string];

/** Takes raw text apart before anything is decoded, so that an encoded delimiter stays data (OAS 3.0.4, Appendix C). */
export interface Layout {
  single(raw: string): string;
  list(raw: string): readonly string[];
  entries(raw: string): readonly Entry[];
}

/** `R,100,G,200` as entries. */
const alternating = (pieces: readonly string[]): Entry[] => {
  if (pieces.length % 2 !== 0) throw new MalformedText('must be a list of keys and values');
  const entries: Entry[] = [];
  for (let at = 0; at < pieces.length; at += 2) {
    entries.push([pieces[at] ?? '', pieces[at + 1] ?? '']);
  }
  return entries;
};

/** `R=100` as an entry; a key alone has the empty value. */
const assignment = (piece: string): Entry => {
  const equals = piece.indexOf('=');
  return equals < 0 ? [piece, ''] : [piece.slice(0, equals), piece.slice(equals + 1)];
};

const assignments = (pieces: readonly string[]): Entry[] => {
  if (!pieces.every((piece) => piece.includes('='))) {
    throw new MalformedText('must be a list of key=value pairs');
  }
  return pieces.map(assignment);
};

/** A list of pieces between delimiters; objects alternate keys and values. */
export const delimitedLayout = (delimiter: string | RegExp): Layout => ({
  single: (raw) => raw,
  list: (raw) => raw.split(delimiter),
  entries: (raw) => alternating(raw.split(delimiter)),
});

/** `blue,black`; objects `R,100,G,200`, exploded `R=100,G=200`. */
export const simpleLayout = (explode: boolean): Layout => {
  const commas = delimitedLayout(',');
  return explode ? { ...commas, entries: (raw) => assignments(raw.split(',')) } : commas;
};

/**
 * `.blue,black`, exploded `.blue.black`; objects `.R,100,G,200`, exploded `.R=100.G=200`. The table of OAS 3.0.3 shows
 * dots for both, so dots are taken where no comma stands.
 */
export const labelLayout = (explode: boolean): Layout => {
  const afterDot = (raw: string): string => {
    if (!raw.startsWith('.')) throw new MalformedText('must begin with a dot');
    return raw.slice(1);
  };
  const split = (raw: string): string[] => {
    const text = afterDot(raw);
    return text.split(explode || !text.includes(',') ? '.' : ',');
  };
  const pair = explode ? assignments : alternating;
  return { single: afterDot, list: split, entries: (raw) => pair(split(raw)) };
};

/** `;color=blue,black`, exploded `;color=blue;color=black`; objects `;color=R,100`, exploded `;R=100;G=200`. */
export const matrixLayout = (name: string, explode: boolean): Layout => {
  const parts = (raw: string): Entry[] => {
    if (!raw.startsWith(';')) throw new MalformedText('must begin with a semicolon');
    return raw.slice(1).split(';').map(assignment);
  };
  const own = (raw: string): string[] =>
    parts(raw).map(([key, value]) => {
      if (key !== name) throw new MalformedText('must consist of the parameter itself');
      return value;
    });
  const single = (raw: string): string => {
    const [value, ...more] = own(raw);
    if (value === undefined || more.length > 0)
      throw new MalformedText('must not be given more than once');
    return value;
  };
  if (explode) return { single, list: own, entries: parts };
  return {
    single,
    list: (raw) => single(raw).split(','),
    entries: (raw) => alternating(single(raw).split(',')),
  };
};
