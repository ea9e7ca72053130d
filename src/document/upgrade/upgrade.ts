/** Writes a document of OpenAPI as one of a newer version that means the same; comments stay, and the order of everything. */

import { pointerTo } from '../../base/json-pointer';
import type { TextPosition } from '../../base/text/text-position';
import { referenceOf } from '../references/references';
import { readTree } from '../source/read-source';
import { requireOpenApi } from '../source/require-openapi';
import type { ObjectTypes } from '../structure/field-type';
import { type DocumentObject, structureOf, typesOfVersions } from '../structure/positions';
import { ignoresBody, openApi31Version, type Version } from '../versions/versions';
import { type MapChanges, type MemberChange, SourceEdits } from './source-edits';

/** A document as one of a newer version. */
export interface UpgradedDocument {
  readonly text: string;
  /** Its version. */
  readonly openapi: string;
  /** The members that the old version ignores and the new one would not, with their places: they were removed. */
  readonly dropped: readonly (TextPosition & { readonly name: string })[];
}

const remove: MemberChange = 'remove';

/** Turns a flag and its limit into one limit. */
const limitChanges = (
  { value }: DocumentObject,
  flag: 'exclusiveMinimum' | 'exclusiveMaximum',
  limit: 'minimum' | 'maximum',
): MapChanges => [
  [flag, typeof value[flag] === 'boolean' ? remove : undefined],
  [limit, value[flag] === true ? { name: flag } : undefined],
];

/** Adds null to the types of a schema, in the quotes of its type. */
const withNull = (type: string): string =>
  `[${type}, ${type.startsWith('"') ? '"null"' : "'null'"}]`;

/** Lists the changes of keywords that the dialects spell differently. */
const schemaChanges = (schema: DocumentObject): MapChanges => {
  const { nullable, type, format, required } = schema.value;
  const isNullable = nullable === true && typeof type === 'string';
  return [
    ['nullable', typeof nullable === 'boolean' ? remove : undefined],
    ['type', isNullable ? { value: withNull } : undefined],
    ...limitChanges(schema, 'exclusiveMinimum', 'minimum'),
    ...limitChanges(schema, 'exclusiveMaximum', 'maximum'),
    ['example', { name: 'examples', isListed: true }],
    ['format', format === 'byte' ? { added: ['contentEncoding', 'base64'] } : undefined],
    // As a flag it says nothing.
    ['required', typeof required === 'boolean' ? remove : undefined],
  ];
};

/** Says by `nodeType` what `attribute` and `wrapped` say, unless both do (OAS 3.2.0, XML Object). */
const xmlChanges = ({ value: { attribute, wrapped } }: DocumentObject): MapChanges => {
  if (attribute === true && wrapped === true) return [];
  const changeTo = (isSet: unknown, word: string): MemberChange =>
    isSet === true ? { name: 'nodeType', word } : remove;
  return [
    ['attribute', changeTo(attribute, 'attribute')],
    ['wrapped', changeTo(wrapped, 'element')],
  ];
};

const openApiChanges = (to: Version): MapChanges => [
  ['openapi', { value: (given) => given.replace(/[\d.]+/, to.newest) }],
];

const changesOf = (object: DocumentObject, from: Version, to: Version): MapChanges => {
  const { name, value } = object;
  if (name === 'OpenAPI') return openApiChanges(to);
  if (name === 'XML') return to.name < '3.2' ? [] : xmlChanges(object);
  if (from.name > '3.0') return [];
  if (name === 'Schema') return schemaChanges(object);
  const isEmpty = Array.isArray(value['enum']) && value['enum'].length === 0;
  return name === 'ServerVariable' && isEmpty ? [['enum', remove]] : [];
};

/** Tells of a Reference Object, all of whose other members its version ignores. */
const isReference = ({ name, value }: DocumentObject, types: ObjectTypes): boolean =>
  types[name].reference === 'instead' && referenceOf(value) !== undefined;

/** Places where parameters may allow reserved characters from OpenAPI 3.2 on. */
const newlyReserved: readonly unknown[] = ['path', 'cookie'];

/** Lists the members that the old version ignores and the new one would not. */
const ignoredMembers = (object: DocumentObject, from: Version, to: Version): readonly string[] => {
  const { name, value, pointer } = object;
  const oldTypes = typesOfVersions[from.name];
  if (isReference(object, oldTypes)) {
    // Beside other references than those to schemas these two only describe.
    const kept = ['$ref', ...(name === 'Schema' ? [] : ['summary', 'description'])];
    return Object.keys(value).filter((key) => !kept.includes(key));
  }
  const isKnown = (types: ObjectTypes, key: string) => types[name].fields[key] !== undefined;
  const isNew = (key: string): boolean =>
    !isKnown(oldTypes, key) && isKnown(typesOfVersions[to.name], key);
  const gainsMeaning = (key: string): boolean =>
    (key === 'allowReserved' && to.name >= '3.2' && newlyReserved.includes(value['in'])) ||
    (key === 'requestBody' && name === 'Operation' && ignoresBody(from, pointer));
  return Object.keys(value).filter((key) => isNew(key) || gainsMeaning(key));
};

/**
 * Upgrades the text of one file, YAML or JSON.
 * @param file names it in errors
 * @param to a document of this version or a newer one is left as it is
 * @throws UnreadableDocument where it is no OpenAPI document
 */
export const upgradeText = (
  file: string,
  text: string,
  to: Version = openApi31Version,
): UpgradedDocument => {
  const { tree, targets, ...source } = readTree(file, text);
  const { definition, version } = requireOpenApi(file, source);
  if (version.name >= to.name) return { text, openapi: String(definition['openapi']), dropped: [] };
  const edits = new SourceEdits(text, tree, targets);
  const { types, objectsIn } = structureOf(version);
  const dropped = [...objectsIn(definition)].flatMap((object) => {
    const ignored = ignoredMembers(object, version, to);
    edits.change(object.pointer, [
      ...(isReference(object, types) ? [] : changesOf(object, version, to)),
      ...ignored.map((name) => [name, remove] as const),
    ]);
    return ignored.map((name) => {
      return { name, ...source.locate(pointerTo(object.pointer, name), true) };
    });
  });
  return { text: edits.text, openapi: to.newest, dropped };
};
