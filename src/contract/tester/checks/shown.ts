/** Values as sentences show them. */

const MOST_CHARACTERS = 80;

/** A value as a sentence shows it. */
export const shown = (value: unknown): string => {
  const text =
    JSON.stringify(value, (_key, one) => (typeof one === 'bigint' ? `${one}` : one)) ??
    'nothing there';
  const plain = typeof value === 'bigint' ? String(value) : text;
  return plain.length <= MOST_CHARACTERS
    ? plain
    : `${plain.slice(0, MOST_CHARACTERS).toWellFormed()}…`;
};
