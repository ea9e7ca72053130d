/** Edits members of maps in the text of a YAML or JSON file, and leaves every other character of it as it is. */

import {
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Pair,
  type YAMLMap,
} from 'yaml';
import { pointerSteps } from '../../base/json-pointer';
import { keyText } from '../source/yaml-values';

/** The change of a member of a map. */
export type MemberChange =
  | 'remove'
  | {
      readonly name?: string;
      /** Makes the new text of the value; a value that is no scalar stays as it is. */
      readonly value?: (text: string) => string;
      /** The new value in place of a scalar, a word in the quotes of the name. */
      readonly word?: string;
      /** True to make the value the only item of a list. */
      readonly isListed?: boolean;
      /** A member to be added behind this one. */
      readonly added?: readonly [name: string, value: string];
    };

/** Changes by the names of the members; the last one of a name counts. */
export type MapChanges = readonly (readonly [name: string, change: MemberChange | undefined])[];

/** A member and the range of its key and value. */
interface Member {
  readonly pair: Pair;
  readonly start: number;
  readonly end: number;
  readonly change: MemberChange | undefined;
}

const rangeOf = (node: unknown): readonly [start: number, end: number] => {
  const [start, end] = (isNode(node) && node.range) || [0, 0];
  return [start, end];
};

const likeName = (name: string, written: string): string => {
  const [quote = ''] = /^["']/.exec(written) ?? [];
  return `${quote}${name}${quote}`;
};

/** Edits of one text, given the tree of its values. */
export class SourceEdits {
  readonly #text: string;
  readonly #contents: unknown;
  readonly #targets: ReadonlyMap<unknown, unknown>;
  /** By place, so that what several aliases stand for is edited once. */
  readonly #edits = new Map<string, Readonly<{ start: number; end: number; text: string }>>();

  /** @param targets the node that each alias stands for */
  constructor(text: string, contents: unknown, targets: ReadonlyMap<unknown, unknown>) {
    this.#text = text;
    this.#contents = contents;
    this.#targets = targets;
  }

  /** Changes members of the map at a pointer; those that a merge key brings in are not its own. */
  change(pointer: string, changes: MapChanges): void {
    const map = this.#nodeAt(pointer);
    if (!isMap(map)) return;
    const byName = new Map(changes);
    const members = map.items.map((pair) => {
      const [start, end] = rangeOf(pair.key);
      // A value that is left out, as in `example:`, ends with its key.
      const change = byName.get(keyText(pair.key) ?? '');
      return { pair, start, end: Math.max(end, rangeOf(pair.value)[1]), change };
    });
    if (members.some(({ change }) => change === 'remove')) this.#removeFrom(map, members);
    for (const member of members) this.#changeMember(member, map.flow === true);
  }

  /** Returns the text with all edits. */
  get text(): string {
    const edits = [...this.#edits.values()].sort(
      (one, other) => one.start - other.start || one.end - other.end,
    );
    let end = 0;
    const parts = edits.map((edit) => {
      const before = this.#text.slice(end, edit.start);
      end = edit.end;
      return before + edit.text;
    });
    return parts.join('') + this.#text.slice(end);
  }

  #nodeAt(pointer: string): unknown {
    const behindAlias = (node: unknown) => (isAlias(node) ? this.#targets.get(node) : node);
    return pointerSteps(pointer).reduce<unknown>((node, step) => {
      if (isSeq(node)) return behindAlias(node.items[Number(step)]);
      const pair = isMap(node) ? node.items.find(({ key }) => keyText(key) === step) : undefined;
      return behindAlias(pair?.value);
    }, behindAlias(this.#contents));
  }

  #edit(start: number, end: number, text: string): void {
    this.#edits.set(`${start}:${end}`, { start, end, text });
  }

  /** Returns the text of the line before an offset. */
  #lineBefore(offset: number): string {
    return this.#text.slice(this.#text.lastIndexOf('\n', offset - 1) + 1, offset);
  }

  #removeFrom(map: YAMLMap, members: readonly Member[]): void {
    const [begin = 0] = members.map(({ start }) => start);
    const kept = members.findIndex(({ change }) => change !== 'remove');
    if (kept < 0) {
      // A block map without members would be null.
      this.#edit(begin, Math.max(...members.map(({ end }) => end)), map.flow ? '' : '{}');
      return;
    }
    // What precedes the first member on its line, a brace or the dash of a list, stays for the next one.
    const isBehind = map.flow || this.#lineBefore(begin).trim() !== '';
    const from = isBehind ? kept : 0;
    if (from > 0) this.#edit(begin, members[kept]?.start ?? begin, '');
    for (const [index, { change, start, end }] of members.entries()) {
      if (change !== 'remove' || index < from) continue;
      if (map.flow) this.#edit(members[index - 1]?.end ?? start, end, '');
      else this.#removeLine(start, end);
    }
  }

  #removeLine(start: number, end: number): void {
    const close = this.#text[end - 1] === '\n' ? end - 1 : this.#text.indexOf('\n', end);
    const from = start - this.#lineBefore(start).length;
    this.#edit(from, close < 0 ? this.#text.length : close + 1, '');
  }

  #changeMember(member: Member, isFlow: boolean): void {
    const { pair, change } = member;
    if (change === undefined || change === 'remove') return;
    const { name, added, isListed, word } = change;
    // An anchor would name the list.
    if (isListed && isNode(pair.value) && 'anchor' in pair.value && pair.value.anchor) return;
    if (name !== undefined) this.#replace(pair.key, (written) => likeName(name, written));
    const value = word === undefined ? change.value : () => this.#likeKey(member, word);
    if (isListed) this.#replace(pair.value, (written) => this.#listed(pair.value, written));
    else if (value !== undefined && isScalar(pair.value)) this.#replace(pair.value, value);
    if (added !== undefined) this.#addBehind(member, ...added, isFlow);
  }

  #replace(node: unknown, textOf: (written: string) => string): void {
    if (!isNode(node)) return;
    const [start, end] = rangeOf(node);
    this.#edit(start, end, textOf(this.#text.slice(start, end)));
  }

  /** Gives a word the quotes of a member's name. */
  #likeKey({ start }: Member, word: string): string {
    return likeName(word, this.#text.slice(start, start + 1));
  }

  #addBehind(member: Member, name: string, value: string, isFlow: boolean): void {
    const { start, end } = member;
    const before = this.#lineBefore(start);
    const gap = isFlow && before.trim() !== '' ? ' ' : `\n${before.replaceAll(/\S/g, ' ')}`;
    const text = `${this.#likeKey(member, name)}: ${this.#likeKey(member, value)}`;
    this.#edit(end, end, `${isFlow ? ',' : ''}${gap}${text}`);
  }

  /** Makes a list of one value; it stands where the value stood. */
  #listed(value: unknown, text: string): string {
    const isBlock = isCollection(value) && !value.flow;
    // A dash and a blank move every line of the value by two columns.
    if (isBlock) return `- ${text.replaceAll(/\n(?=[^\n])/g, '\n  ')}`;
    if (!isScalar(value) || /^["']/.test(text)) return `[${text}]`;
    // Within brackets a plain text ends at a comma or a bracket.
    const isPlain = value.type === 'PLAIN' && !/[,[\]{}\n]|:$/.test(text);
    if (typeof value.value === 'string' && !isPlain) {
      const content = value.value;
      const hasLines = content.includes('\n');
      const quoted = hasLines ? JSON.stringify(content) : `'${content.replaceAll("'", "''")}'`;
      return `[${quoted}]${text.endsWith('\n') ? '\n' : ''}`;
    }
    return text === '' ? ' [null]' : `[${text}]`;
  }
}
