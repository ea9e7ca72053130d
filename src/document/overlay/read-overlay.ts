/** Reads an overlay (Overlay Specification 1.0 and 1.1): its actions, or the first fault in it with its place. */

import { pointerTo } from '../../base/json-pointer';
import { isPlainObject, type PlainObject } from '../../base/plain-object';
import { cutText } from '../../base/text/printable';
import { definitionJson } from '../bundle/write-definition';
import type { SourceFile } from '../source/source-files';
import { unreadable } from '../source/source-text';
import { type PathQuery, readQuery } from './json-path';

/** One change of an overlay. */
export interface OverlayAction {
  /** Its pointer in the overlay. */
  readonly pointer: string;
  readonly target: PathQuery;
  /** The change of the targets, with the fields that a removal makes idle; undefined where it says nothing of that. */
  readonly change:
    | { readonly kind: 'remove'; readonly idle: readonly string[] }
    | { readonly kind: 'update'; readonly value: unknown }
    | { readonly kind: 'copy'; readonly source: PathQuery }
    | undefined;
}

/** A file of changes to another document. */
export interface Overlay {
  readonly file: SourceFile;
  /** True from version 1.1 on. */
  readonly isNewer: boolean;
  /** Names the document that it is meant for. */
  readonly extends: string | undefined;
  readonly actions: readonly OverlayAction[];
}

/** Makes the error of an overlay that cannot be applied. */
export const overlayError = (file: SourceFile, pointer: string, message: string, ofKey = false) =>
  unreadable(file.name, 'overlay', message, file.locate(pointer, ofKey), pointer);

const isText = (value: unknown): value is string => typeof value === 'string';

const kinds = {
  'a text': isText,
  'an object': isPlainObject,
  'a list': Array.isArray,
  'true or false': (value: unknown) => typeof value === 'boolean',
  'any value': () => true,
} as const;

/** The kind of a field, and a note where it must be there, or is not known to version 1.0. */
type Form = readonly [kind: keyof typeof kinds, note?: 'required' | 'since 1.1'];

type Fields = ReadonlyMap<string, Form>;

const overlayFields: Fields = new Map([
  ['overlay', ['a text', 'required']],
  ['info', ['an object', 'required']],
  ['extends', ['a text']],
  ['actions', ['a list', 'required']],
]);
const infoFields: Fields = new Map([
  ['title', ['a text', 'required']],
  ['version', ['a text', 'required']],
  ['description', ['a text', 'since 1.1']],
]);
const actionFields: Fields = new Map([
  ['target', ['a text', 'required']],
  ['description', ['a text']],
  ['update', ['any value']],
  ['remove', ['true or false']],
  ['copy', ['a text', 'since 1.1']],
]);

/**
 * Reads an overlay.
 * @throws UnreadableDocument with the first fault
 */
export const readOverlay = (file: SourceFile): Overlay => {
  const refuse = (pointer: string, message: string, ofKey = false): never => {
    throw overlayError(file, pointer, message, ofKey);
  };
  let isNewer = true;

  const checkField = (value: unknown, pointer: string, field: string, [kind, note]: Form): void => {
    const at = pointerTo(pointer, field);
    if (!kinds[kind](value)) refuse(at, `The field ${field} must be ${kind}. Correct it.`);
    if (note !== 'since 1.1' || isNewer) return;
    refuse(at, `The field ${field} came with version 1.1. Write overlay: 1.1.0.`, true);
  };

  const checked = (value: unknown, pointer: string, name: string, fields: Fields): PlainObject => {
    if (!isPlainObject(value)) return refuse(pointer, `${name} must be an object. Correct it.`);
    for (const [field, form] of fields) {
      if (Object.hasOwn(value, field)) checkField(value[field], pointer, field, form);
      else if (form[1] === 'required') refuse(pointer, `${name} needs the field ${field}. Add it.`);
    }
    const unknown = Object.keys(value).find((key) => !fields.has(key) && !key.startsWith('x-'));
    if (unknown === undefined) return value;
    const message = `${name} has no field ${unknown}. It has ${[...fields.keys()].join(', ')}, and others that begin with x-.`;
    return refuse(pointerTo(pointer, unknown), message, true);
  };

  const queryAt = (text: unknown, pointer: string): PathQuery => {
    const query = readQuery(String(text));
    if (!('clause' in query)) return query;
    const message = `This is no JSONPath query (RFC 9535): ${query.clause}, at character ${query.offset + 1} of ${cutText(String(text))}. Correct it.`;
    return refuse(pointer, message);
  };

  const changeOf = (action: PlainObject, pointer: string): OverlayAction['change'] => {
    const { remove, update: value, copy } = action;
    const source = copy === undefined ? undefined : queryAt(copy, `${pointer}/copy`);
    // Whatever else it has, it then has no impact (4.4.3.1).
    if (remove === true) {
      const idle = ['update', 'copy'].filter((field) => Object.hasOwn(action, field));
      return { kind: 'remove', idle };
    }
    if (source === undefined)
      return Object.hasOwn(action, 'update') ? { kind: 'update', value } : undefined;
    if (!Object.hasOwn(action, 'update')) return { kind: 'copy', source };
    const message = 'An action has either update or copy. Make two actions of it.';
    return refuse(`${pointer}/copy`, message, true);
  };

  const { value } = file;
  if (!isPlainObject(value) || !Object.hasOwn(value, 'overlay')) {
    return refuse('', 'This is no overlay, which is a map that begins with overlay: 1.1.0.');
  }
  const version = String(value['overlay']);
  if (isText(value['overlay']) && !/^1\.[01]\.\d+$/.test(version)) {
    refuse('/overlay', `Overlays of version ${version} are not known here. Write 1.0.0 or 1.1.0.`);
  }
  isNewer = !version.startsWith('1.0.');
  const { info, extends: extended, actions } = checked(value, '', 'An overlay', overlayFields);
  checked(info, '/info', 'The info of an overlay', infoFields);
  const list: readonly unknown[] = Array.isArray(actions) ? actions : [];
  if (list.length === 0) refuse('/actions', 'An overlay has one action at least. Add one.');
  const known = new Set<string>();
  return {
    file,
    isNewer,
    extends: isText(extended) ? extended : undefined,
    actions: list.map((given, index): OverlayAction => {
      const pointer = `/actions/${index}`;
      const action = checked(given, pointer, 'An action', actionFields);
      const text = definitionJson(action);
      if (known.has(text)) refuse(pointer, 'The same action stands here again. Remove it.');
      known.add(text);
      const target = queryAt(action['target'], `${pointer}/target`);
      return { pointer, target, change: changeOf(action, pointer) };
    }),
  };
};
