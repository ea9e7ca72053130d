/** Lays examples out for readers: JSON and XML indented, texts quoted for a shell. */

type Entries = readonly (readonly [string, unknown])[];

const block = (open: string, lines: readonly string[], close: string, indent: string): string =>
  lines.length === 0
    ? open + close
    : `${open}\n${lines.map((line) => `${indent}  ${line}`).join(',\n')}\n${indent}${close}`;

/** A value as indented JSON; a bigint keeps its digits. */
export const prettyJson = (value: unknown, indent = ''): string => {
  const inner = `${indent}  `;
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) {
    return block(
      '[',
      value.map((item) => prettyJson(item, inner)),
      ']',
      indent,
    );
  }
  if (typeof value === 'object' && value !== null) {
    const entries: Entries = Object.entries(value).filter(([, item]) => item !== undefined);
    const lines = entries.map(
      ([key, item]) => `${JSON.stringify(key)}: ${prettyJson(item, inner)}`,
    );
    return block('{', lines, '}', indent);
  }
  return JSON.stringify(value) ?? 'null';
};

/** XML as our writer makes it, an element a line; its texts hold no bare `<`. */
export const prettyXml = (text: string): string => {
  let depth = 0;
  return text
    .replaceAll(/>\s*</g, '>\n<')
    .split('\n')
    .map((line) => {
      if (line.startsWith('</')) depth -= 1;
      const indented = '  '.repeat(Math.max(0, depth)) + line;
      if (/^<[^?!/][^>]*[^/]>$|^<[^?!/]>$/.test(line)) depth += 1;
      return indented;
    })
    .join('\n');
};

/** One word of a POSIX shell. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
