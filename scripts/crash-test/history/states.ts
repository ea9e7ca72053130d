/** Things as canonical text, so that they can be compared however they were read. */

/** A JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

const sorted = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;

/** The same for objects that differ in the order of their properties alone. */
export const canonical = (value: unknown): string => JSON.stringify(value, sorted);

/** Where the server gives an uploaded file back: its id stands last. */
export const isFileUrl = (url: string): boolean => url.includes('/petstore/files/');

/** The id of the file that the server gives back at the address. */
export const fileIdOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

/** The addresses of a pet's photos; a pet without any has none. */
export const photoUrlsOf = ({ photoUrls }: Fields): string[] =>
  Array.isArray(photoUrls) ? photoUrls.map(String) : [];

/** A pet without its id, and without its uploaded photos, which are things of their own. */
export const petState = ({ id: _, ...pet }: Fields): string =>
  canonical({ ...pet, photoUrls: photoUrlsOf(pet).filter((url) => !isFileUrl(url)) });

/** An order without its id, or a user: ids of users are things of their own. */
export const stateWithoutId = ({ id: _, password: __, ...rest }: Fields): string => canonical(rest);

/** The names of the tags of a pet, or of a pet's state. */
export const tagsOf = ({ tags }: Fields): string[] =>
  Array.isArray(tags)
    ? tags.flatMap(({ name }: Fields) => (typeof name === 'string' ? [name] : []))
    : [];
