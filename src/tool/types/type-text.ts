/** The grammar of TypeScript types as text: literals, unions, members, comments. */

const IDENTIFIER = /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u;
const INLINE_WIDTH = 80;

const isShort = (type: string): boolean => type.length <= INLINE_WIDTH && !type.includes('\n');

/** A string literal in single quotes. */
export const quoteText = (text: string): string => {
  const escaped = JSON.stringify(text).slice(1, -1);
  return `'${escaped.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
};

/** A property's name, quoted where it is no identifier. */
export const propertyKey = (name: string): string =>
  IDENTIFIER.test(name) ? name : quoteText(name);

/** Tells whether a type says nothing; a union with it says nothing either. */
export const saysNothing = (type: string): boolean => /^unknown\b/.test(type);

/** The alternatives, each once. One that says nothing swallows the others, and `never` is none. */
export const union = (alternatives: readonly string[]): string => {
  const distinct = [...new Set(alternatives)].filter((one) => one !== 'never');
  return distinct.find(saysNothing) ?? (distinct.join(' | ') || 'never');
};

/** All of the parts at once; a part is the list of its alternatives. */
export const intersection = (parts: readonly (readonly string[])[]): string =>
  parts.map((part) => (part.length > 1 ? `(${union(part)})` : union(part))).join(' & ');

/** An array that its holder leaves as it is; the long form wherever the item is more than a name. */
export const arrayOf = (item: string): string =>
  IDENTIFIER.test(item) ? `readonly ${item}[]` : `ReadonlyArray<${item}>`;

/** A list whose first values have types of their own; undefined for `rest` where no others follow. */
export const tupleOf = (
  positions: readonly string[],
  required: number,
  rest: string | undefined,
): string => {
  const members = positions.map((type, index) => (index < required ? type : `(${type})?`));
  return `readonly [${[...members, ...(rest === undefined ? [] : [`...Array<${rest}>`])].join(', ')}]`;
};

/** Every line but empty ones moved in by one step. */
export const indent = (text: string): string => text.replace(/^(?=.)/gm, '  ');

/** Members (without semicolons) one to a line. */
export const block = (members: readonly string[]): string =>
  members.length === 0 ? '{}' : `{\n${members.map((member) => `${indent(member)};\n`).join('')}}`;

/** An object type: on one line where that is short and nothing in it needs more. */
export const objectType = (members: readonly string[]): string => {
  const line = `{ ${members.join('; ')} }`;
  return members.length > 0 && isShort(line) ? line : block(members);
};

/** One member; an optional one may also be given as undefined, so that handlers can spread freely. */
export const member = (name: string, type: string, required: boolean): string => {
  if (required) return `${propertyKey(name)}: ${type}`;
  return `${propertyKey(name)}?: ${saysNothing(type) ? type : union([type, 'undefined'])}`;
};

/** A member that its holder leaves as it is. */
export const readonlyMember = (name: string, type: string, required: boolean): string =>
  `readonly ${member(name, type, required)}`;

/** A union behind the colon of a member: on its line where that is short, else an alternative to a line. */
export const unionOnLines = (alternatives: readonly string[]): string => {
  const line = union(alternatives);
  if (alternatives.length < 2 || isShort(line)) return ` ${line}`;
  return alternatives
    .map((alternative) => `\n  | ${alternative.replaceAll('\n', '\n    ')}`)
    .join('');
};

/** Text that may stand inside a comment. */
export const commentText = (text: string): string => text.replaceAll('*/', '*\\/');

/** A doc comment and its line break, of paragraphs; nothing where there are none. */
export const docComment = (paragraphs: readonly (string | undefined)[]): string => {
  const lines = paragraphs
    .map((paragraph) => commentText(paragraph?.trim() ?? ''))
    .filter((paragraph) => paragraph !== '')
    .join('\n\n')
    .split('\n');
  if (lines.length === 1) return lines[0] === '' ? '' : `/** ${lines[0]} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
};
