/** Finds what two documents say in the same words: most of what two versions have, and nothing to be compared. */

import { memoize, memoizePairs } from '../../../base/memoize';
import type { LoadedDocument } from '../../../document/document';
import { anySchema, type Schema } from '../../../model/schema';
import { valueKey } from '../../../schema/validation/checks/equality-checks';

/** Fields that make no difference, and those that other fields say. */
const ignored: ReadonlySet<string> = new Set<keyof Schema>([
  'pointer',
  'title',
  'description',
  'examples',
  'extensions',
]);

const keywords = (Object.keys(anySchema) as (keyof Schema)[]).filter((name) => !ignored.has(name));

/** Keywords whose values are compared as they are spelled, with all digits of their numbers. */
const spelled: ReadonlySet<string> = new Set<keyof Schema>([
  'enum',
  'default',
  'discriminator',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
]);

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && 'unevaluatedItems' in value;

/** Takes the schemas out of a value, and leaves their number. */
const withoutSchemas = (value: unknown, inner: Schema[]): unknown => {
  if (isSchema(value)) return inner.push(value);
  if (value instanceof Error) return value.message;
  if (value instanceof Map) return withoutSchemas([...value], inner);
  return Array.isArray(value) ? value.map((item) => withoutSchemas(item, inner)) : value;
};

/** Reads the text of a schema without the schemas in it, and these, in an order that the text decides. */
const contentReader = (document: LoadedDocument) =>
  memoize((schema: Schema) => {
    const inner: Schema[] = [];
    const textOf = (keyword: keyof Schema): unknown => {
      const value = schema[keyword];
      if (value === undefined || !spelled.has(keyword)) return withoutSchemas(value, inner);
      return document.spelledAt(document.fieldOf(schema, keyword))?.text ?? valueKey(value);
    };
    return { text: JSON.stringify(keywords.map(textOf)), inner };
  });

/** Two schemas, held to be the same until they or what they lead to prove otherwise. */
interface Pair {
  readonly old: Schema;
  readonly now: Schema;
  isSame: boolean;
  readonly usedBy: Pair[];
}

/** Marks a pair and all that lead to it. */
const markDifferent = (pair: Pair): void => {
  const different = new Set([pair]);
  // A set that grows while it is walked is walked to its end.
  for (const changed of different) {
    if (changed.isSame) for (const user of changed.usedBy) different.add(user);
    changed.isSame = false;
  }
};

/** Makes the test of two documents whether two schemas say the same, with all that they lead to. */
export const sameSchemas = (oldDocument: LoadedDocument, newDocument: LoadedDocument) => {
  const [oldContent, newContent] = [contentReader(oldDocument), contentReader(newDocument)];
  const pending: Pair[] = [];
  const pairOf = memoizePairs((old: Schema, now: Schema): Pair => {
    const pair = { old, now, isSame: true, usedBy: [] };
    pending.push(pair);
    return pair;
  });

  const compareInner = (pair: Pair, olds: readonly Schema[], news: readonly Schema[]): void => {
    for (const [at, old] of olds.entries()) {
      const inner = pairOf(old, news[at] ?? anySchema);
      inner.usedBy.push(pair);
      if (!inner.isSame) markDifferent(pair);
    }
  };

  return (old: Schema, now: Schema): boolean => {
    const root = pairOf(old, now);
    for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
      const [before, after] = [oldContent(pair.old), newContent(pair.now)];
      if (before.text === after.text) compareInner(pair, before.inner, after.inner);
      else markDifferent(pair);
    }
    return root.isSame;
  };
};
