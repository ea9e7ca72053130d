/** Scopes as a column keeps them: in one text, apart by spaces (RFC 6749 section 3.3). */

export const writeScopes = (scopes: readonly string[]): string => scopes.join(' ');

export const readScopes = (text: string): string[] => (text === '' ? [] : text.split(' '));
