/** Media types and ranges as they are compared: the keys of contents, and those of parts. */

import { mediaTypeMatcher, parseMediaType } from '../../../base/media-type';

/** Writes a media type as it is compared: case and an encoding of UTF-8 make no difference. */
export const normalised = (key: string): string => {
  const parsed = parseMediaType(key);
  if (parsed === undefined) return key.toLowerCase();
  const parameters = Object.entries(parsed.parameters)
    .filter(([name, value]) => name !== 'charset' || !/^utf-?8$/i.test(value))
    .map(([name, value]) => `;${name}=${value.toLowerCase()}`)
    .sort();
  return parsed.essence + parameters.join('');
};

/** Finds the entry that describes a media type, or all of a range: its own, or that of the narrowest range. */
export const entryFor = <Entry extends { readonly key: string }>(
  key: string,
  entries: ReadonlyMap<string, Entry>,
): Entry | undefined => {
  const type = parseMediaType(key);
  return entries.get(key) ?? (type && mediaTypeMatcher([...entries.values()])(type));
};
