/** Writes a document with its overlays: what they do not change keeps its comments, its order and its spelling. */

import { isMap, isScalar, isSeq, type Node, parseDocument, type ScalarTag, type Tags } from 'yaml';
import { pointerSteps } from '../../base/json-pointer';
import { attempt } from '../../base/recover';
import { resultOf } from '../../base/run-in-steps';
import { definitionJson, numberTag } from '../bundle/write-definition';
import { readSource } from '../source/read-source';
import type { SourceFile } from '../source/source-files';
import { loadLimits } from '../source/source-text';
import { keyText } from '../source/yaml-values';
import { writeLike } from '../upgrade/upgrade';
import { applyOverlays } from './apply-overlay';
import type { ChangeableTree, Holder } from './changeable-tree';

/** Writes numbers and null as they were written. */
const asWritten = (tag: Tags[number]): Tags[number] =>
  typeof tag === 'object' && 'stringify' in tag && /:(?:int|float|null)$/.test(tag.tag)
    ? {
        ...(tag as ScalarTag),
        stringify: (item, ...given) =>
          item.source ?? (tag as ScalarTag).stringify?.(item, ...given) ?? '',
      }
    : tag;

const edited = (text: string, root: SourceFile, tree: ChangeableTree): string => {
  const document = parseDocument(text, {
    ...{ version: '1.2', schema: 'core', intAsBigInt: true, uniqueKeys: false },
    customTags: (tags) => [...tags.map(asWritten), numberTag],
  });
  const made = (value: unknown, old?: unknown): Node => {
    const node = document.createNode(value, { aliasDuplicateObjects: false }) as Node;
    if (!isScalar(old) || !isScalar(node)) return node;
    const { comment, commentBefore, spaceBefore, type } = old;
    const isText = typeof value === 'string' && typeof old.value === 'string';
    return Object.assign(node, { comment, commentBefore, spaceBefore }, isText && { type });
  };
  const isOwn = (holder: Holder, key: string): boolean => tree.originOf(holder, key).file === root;

  /** @param old the node of the same place */
  const nodeOf = (value: unknown, old: unknown): unknown => {
    if (!tree.isChanged(value)) return old;
    if (isMap(old)) {
      const pairs = new Map(old.items.map((pair) => [keyText(pair.key), pair]));
      old.items = Object.keys(value).map((key) => {
        const pair = pairs.get(key) ?? document.createPair(key, null);
        const isKept = pairs.has(key) && isOwn(value, key);
        pair.value = isKept ? nodeOf(value[key], pair.value) : made(value[key], pair.value);
        return pair;
      });
      return old;
    }
    if (!isSeq(old)) return made(value);
    const items = [...old.items];
    old.items = Object.keys(value).map((key) => {
      const index = Number(pointerSteps(tree.originOf(value, key).pointer).at(-1));
      return isOwn(value, key) ? nodeOf(value[key], items[index]) : made(value[key]);
    });
    return old;
  };

  document.contents = nodeOf(tree.value, document.contents) as typeof document.contents;
  return document.toString({
    ...{ lineWidth: 0, singleQuote: text.includes('"') ? null : true },
    indentSeq: !/^( *)[^\s#-][^\n]*:\n\1- /m.test(text),
    flowCollectionPadding: !/\{[\w'"$]/.test(text),
  });
};

/**
 * Applies overlays to the text of a file, YAML or JSON.
 * @throws UnreadableDocument where an overlay cannot be applied
 */
export const overlaidText = (root: SourceFile, text: string, overlays: readonly SourceFile[]) => {
  const { tree, warnings } = resultOf(applyOverlays(root, overlays, loadLimits));
  const { name } = root;
  const wanted = definitionJson(tree.value);
  const edit = /^\s*\{/.test(text) ? undefined : attempt(() => edited(text, root, tree));
  // Where aliases stand for what is changed, or for what holds it, they are written out.
  const isRight =
    edit !== undefined && attempt(() => definitionJson(readSource(name, edit).value)) === wanted;
  return { text: isRight ? edit : writeLike(text, tree.value), warnings };
};
