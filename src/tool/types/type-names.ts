/** Gives each type of a generated file a name of its own. */

/** Names that a generated file cannot declare, or needs with their usual meaning. */
const RESERVED = `
  any as bigint boolean never null number object string symbol break case catch class const
  continue debugger default delete do else enum export extends finally for function if import
  in instanceof new return super switch this throw try typeof var while with await yield
  implements interface let package private protected public static abstract asserts infer
  keyof readonly unique true false undefined unknown void Array AsyncIterable Iterable
  ReadonlyArray Uint8Array Operations Schemas
`
  .trim()
  .split(/\s+/);

/** Chooses names; one that is taken, reserved or no identifier is changed as little as possible. */
export const typeNames = (): ((wanted: string) => string) => {
  const taken = new Set(RESERVED);
  return (wanted) => {
    let name = wanted.replace(/[^\p{ID_Continue}$]/gu, '_');
    if (!/^[\p{ID_Start}_$]/u.test(name)) name = `_${name}`;
    while (taken.has(name)) name += '_';
    taken.add(name);
    return name;
  };
};

/** `real estate` as `RealEstate`. */
export const pascalCase = (text: string): string =>
  text
    .split(/[^\p{ID_Continue}$]+/u)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
