/** Equality of JSON values as equality of strings: equal values, and no others, have the same key. */

// Numbers are equal by mathematical value, so 1, 1.0 and 1n share a key (JSON Schema, instance equality).
const numberKey = (value: number): string =>
  Number.isInteger(value) && !Number.isSafeInteger(value)
    ? BigInt(value).toString()
    : String(value === 0 ? 0 : value);

const byName = ([one]: [string, unknown], [other]: [string, unknown]): number =>
  one < other ? -1 : 1;

const objectKey = (value: object): string =>
  `{${Object.entries(value)
    .sort(byName)
    .map(([name, member]) => `${JSON.stringify(name)}:${valueKey(member)}`)
    .join(',')}}`;

const compositeKey = (value: object): string => {
  if (value instanceof Uint8Array) return `<${Buffer.from(value).toString('base64')}>`;
  return Array.isArray(value) ? `[${value.map(valueKey).join(',')}]` : objectKey(value);
};

/** The key of a typed value. Takes time in proportion to its size. */
export const valueKey = (value: unknown): string => {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'number':
      return numberKey(value);
    case 'object':
      return value === null ? 'null' : compositeKey(value);
    default:
      return String(value);
  }
};
