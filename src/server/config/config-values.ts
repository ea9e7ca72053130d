/** Reads the values of environment variables, each by what it must be. */

/** A reader of one variable: its value, or a sentence saying what it must be. */
export type Parse<Value> = (
  text: string,
) => { readonly value: Value } | { readonly problem: string };

export const integer =
  (least: number, most: number): Parse<number> =>
  (text) => {
    const value = Number(text);
    return /^\d{1,15}$/.test(text) && value >= least && value <= most
      ? { value }
      : { problem: `must be a whole number from ${least} to ${most}` };
  };

export const oneOf =
  <const Word extends string>(...words: readonly Word[]): Parse<Word> =>
  (text) => {
    const value = words.find((word) => word === text);
    return value === undefined ? { problem: `must be one of ${words.join(', ')}` } : { value };
  };

export const boolean: Parse<boolean> = (text) =>
  text === 'true' || text === 'false'
    ? { value: text === 'true' }
    : { problem: 'must be true or false' };

export const nonEmpty: Parse<string> = (text) =>
  text.trim() === '' ? { problem: 'must not be empty' } : { value: text };

export const httpUrl: Parse<string> = (text) =>
  URL.canParse(text) && /^https?:/.test(text)
    ? { value: text }
    : { problem: 'must be an http or https URL' };

export const withoutSlash = (url: string): string => url.replace(/\/+$/, '');

export const baseUrl: Parse<string> = (text) => {
  const url = httpUrl(text);
  return 'value' in url ? { value: withoutSlash(url.value) } : url;
};

// RFC 8414 section 2
export const issuerUrl: Parse<string> = (text) =>
  URL.canParse(text) && /^https?:[^?#]*$/.test(text)
    ? { value: text }
    : { problem: 'must be an http or https URL without query and fragment' };

/** Tells whether others can neither read nor respond to requests to the URL. */
export const isTrustedWay = (url: string): boolean => {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
};

export const origins: Parse<readonly string[]> = (text) => {
  const value = text.split(',').map((origin) => origin.trim());
  // As browsers write it in the header Origin (RFC 6454 section 6.2).
  const isOrigin = (url: string): boolean =>
    /^https?:\/\/[^*]+$/.test(url) && URL.canParse(url) && new URL(url).origin === url;
  return text === '*' || value.every(isOrigin)
    ? { value: [...new Set(value)] }
    : { problem: 'must be *, or origins such as https://example.org, separated by commas' };
};

/** A path without a trailing slash; empty for the root. */
export const pathPrefix: Parse<string> = (text) =>
  /^\/[^\s?#]*$/.test(text)
    ? { value: withoutSlash(text) }
    : { problem: 'must be a path such as /shop' };

/** Paths by the names of documents: `shop=/shop,box=/v2/box`. */
export const pathsByName: Parse<Map<string, string>> = (text) => {
  const pairs = text.split(',').map((pair) => /^\s*([^=]+)=(\/[^\s?#]*?)\/*\s*$/.exec(pair));
  return pairs.every((pair) => pair !== null)
    ? { value: new Map(pairs.map(([, name = '', path = '']) => [name, withoutSlash(path)])) }
    : { problem: 'must be NAME=/PATH, separated by commas' };
};

export const databaseUrl: Parse<string> = (text) =>
  /^(sqlite:|postgres(ql)?:\/\/)./.test(text)
    ? { value: text }
    : { problem: 'must be sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE' };

const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;

/** The log levels of pino, quietest first. */
export type LogLevel = (typeof logLevels)[number];

export const logLevel = oneOf(...logLevels);
