/**
 * Writes a document of OpenAPI as one of a newer version that means the same; comments stay, and the order of everything. Reads
 * documents of Swagger 2.0 for a converter, and writes what it makes of them.
 */

import { writeJsonLines } from '../../base/json/write-json';
import { pointerOfFragment, pointerTo, valueAt } from '../../base/json-pointer';
import { memoize } from '../../base/memoize';
import { copyOf, isPlainObject, type PlainObject } from '../../base/plain-object';
import type { TextPosition } from '../../base/text/text-position';
import { definitionYamlParts } from '../bundle/write-definition';
import type { Diagnostic, UnplacedDiagnostic } from '../diagnostics/diagnostic';
import { referenceOf } from '../references/references';
import { readSource, readTree, requireOpenApi } from '../source/read-source';
import type { ObjectTypes } from '../structure/field-type';
import {
  type DocumentObject,
  structureOf,
  typesOfVersions,
  wholeDocument,
} from '../structure/positions';
import { ignoresBody, openApi31Version, type Version, versionOf } from '../versions/versions';
import { type MapChanges, type MemberChange, SourceEdits } from './source-edits';

type Dropped = TextPosition & { readonly name: string };

interface UpgradedDocument {
  readonly text: string;
  /** Its version. */
  readonly openapi: string;
  /** The members that the old version ignores and the new one would not, with their places: they were removed. */
  readonly dropped: readonly Dropped[];
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

const schemaChanges = (schema: DocumentObject): MapChanges => {
  const { nullable, type, format, required } = schema.value;
  const isNullable = nullable === true && typeof type === 'string';
  const withNull = (text: string) => `[${text}, ${text.startsWith('"') ? '"null"' : "'null'"}]`;
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

const changesOf = (object: DocumentObject, from: Version, to: Version): MapChanges => {
  const { name, value } = object;
  if (name === 'OpenAPI') {
    return [['openapi', { value: (text) => text.replace(/[\d.]+/, to.newest) }]];
  }
  if (name === 'XML') return to.name < '3.2' ? [] : xmlChanges(object);
  if (from.name > '3.0') return [];
  if (name === 'Schema') return schemaChanges(object);
  const isEmpty = Array.isArray(value['enum']) && value['enum'].length === 0;
  return name === 'ServerVariable' && isEmpty ? [['enum', remove]] : [];
};

const isReference = ({ name, value }: DocumentObject, types: ObjectTypes): boolean =>
  types[name].reference === 'instead' && referenceOf(value) !== undefined;

/** Lists the members that the old version ignores and the new one would not. */
const ignoredMembers = (object: DocumentObject, from: Version, to: Version): readonly string[] => {
  const { name, value, pointer } = object;
  const oldTypes = typesOfVersions[from.name];
  if (isReference(object, oldTypes)) {
    // Beside other references than those to schemas these two only describe.
    const kept = ['$ref', ...(name === 'Schema' ? [] : ['summary', 'description'])];
    return Object.keys(value).filter((key) => !kept.includes(key));
  }
  const [before, after] = [oldTypes[name].fields, typesOfVersions[to.name][name].fields];
  const gaining = [
    ...(to.name >= '3.2' && /^(?:path|cookie)$/.test(String(value['in'])) ? ['allowReserved'] : []),
    ...(name === 'Operation' && ignoresBody(from, pointer) ? ['requestBody'] : []),
  ];
  const isNew = (key: string) => before[key] === undefined && after[key] !== undefined;
  return Object.keys(value).filter((key) => isNew(key) || gaining.includes(key));
};

/** Lists the changes of the objects of a definition, and the members that they remove since the old version ignores them. */
const upgradesOf = (definition: PlainObject, from: Version, to: Version) => {
  const structure = structureOf(from);
  return [...structure.objectsIn(wholeDocument(definition))].map((object) => {
    const ignored = ignoredMembers(object, from, to);
    const own = isReference(object, structure.types) ? [] : changesOf(object, from, to);
    const changes: MapChanges = [...own, ...ignored.map((name) => [name, remove] as const)];
    return { pointer: object.pointer, changes, ignored };
  });
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
  const dropped = upgradesOf(definition, version, to).flatMap(({ pointer, changes, ignored }) => {
    edits.change(pointer, changes);
    return ignored.map((name) => ({ name, ...source.locate(pointerTo(pointer, name), true) }));
  });
  return { text: edits.text, openapi: to.newest, dropped };
};

/** A document that was loaded of several files: the name of its own, all in one, and the finder of places in each. */
interface SplitDocument {
  readonly file: string;
  readonly definition: { readonly openapi: string };
  locate(diagnostic: UnplacedDiagnostic): Diagnostic;
}

/**
 * Upgrades the files of a document, each in its place. What the document does not refer to stays as it is.
 * @param readText reads a file by the name that its diagnostics have
 * @returns the upgrades by the names of the files, the document's own first
 * @throws Error in one sentence where another file is a document, which is of a version by itself
 */
export const upgradeFiles = (
  { file, definition, locate }: SplitDocument,
  readText: (name: string) => string,
  to: Version = openApi31Version,
): ReadonlyMap<string, UpgradedDocument> => {
  const version = versionOf(definition.openapi);
  const isOlder = version !== undefined && version.name < to.name;
  const openapi = isOlder ? to.newest : definition.openapi;
  const placeOf = (pointer: string, ofKey = false) =>
    locate({ severity: 'warning', rule: 'version', message: '', pointer, ofKey });
  const open = memoize(
    (name: string) => {
      const text = readText(name);
      const { tree, targets, value } = readTree(name, text);
      if (name !== file && isPlainObject(value) && value['openapi'] !== undefined) {
        const message = `${name} is a document of its own. Give --out FILE for one document of all files.`;
        throw new Error(message);
      }
      return { edits: new SourceEdits(text, tree, targets), dropped: new Map<string, Dropped>() };
    },
    { max: Number.POSITIVE_INFINITY },
  );
  const names = new Set([file]);
  const upgrades = isOlder ? upgradesOf(Object(definition), version, to) : [];
  for (const { pointer, changes, ignored } of upgrades) {
    const place = placeOf(pointer);
    const { edits, dropped } = open(place.file);
    names.add(place.file);
    edits.change(place.pointer, changes);
    for (const name of ignored) {
      const at = placeOf(pointerTo(pointer, name), true);
      dropped.set(at.pointer, { name, line: at.line, column: at.column });
    }
  }
  return new Map(
    [...names].map((name) => {
      const { edits, dropped } = open(name);
      return [name, { text: edits.text, openapi, dropped: [...dropped.values()] }];
    }),
  );
};

/** A document of Swagger 2.0 as a converter takes it. */
export interface SwaggerDocument {
  readonly definition: PlainObject;
  /** Fields that OpenAPI 3 has no equal of, with their places in the text. */
  readonly dropped: readonly Dropped[];
  /** Says of the bodies that a converter has made of forms that they are required, where one of their fields is. */
  requireForms(converted: object): void;
}

type Entry = readonly [value: PlainObject, pointer: string];

type Lost = Readonly<Record<'name' | 'pointer', string>>;

const objectsIn = (value: unknown, at: string): readonly Entry[] =>
  Object.entries(Object(value)).flatMap(([key, member]) =>
    isPlainObject(member) ? [[member, pointerTo(at, key)] as const] : [],
  );

/** Removes what OpenAPI 3 has no equal of, and lists where it was; lists within lists have no format there. */
const withoutFormats = ([value, at]: Entry, known: readonly unknown[]): readonly Lost[] => {
  const { collectionFormat: format, items } = value;
  const isLost = format !== undefined && !known.includes(format);
  if (isLost) delete value['collectionFormat'];
  const inner = isPlainObject(items) ? withoutFormats([items, `${at}/items`], []) : [];
  const name = `collectionFormat: ${format}`;
  return isLost ? [{ name, pointer: `${at}/collectionFormat` }, ...inner] : inner;
};

/** Removes a member that OpenAPI 3 has no equal of, and lists where it was. */
const without = ([holder, at]: Entry, name: string): readonly Lost[] => {
  const isLost = holder[name] !== undefined;
  delete holder[name];
  return isLost ? [{ name, pointer: `${at}/${name}` }] : [];
};

const rewriteParameter = (parameter: Entry): readonly Lost[] => {
  const [value] = parameter;
  const { in: location, type, 'x-example': example } = value;
  const isForm = location === 'formData';
  // The default of forms is another one in OpenAPI 3.
  if (isForm && type === 'array') value['collectionFormat'] ??= 'csv';
  const isExample = example !== undefined && !isPlainObject(example);
  if (isExample && type !== undefined && !isForm) value['example'] = example;
  // The formats of lists that OpenAPI 3 has a style for.
  const hasMore = isForm || location === 'query';
  const lost = withoutFormats(parameter, hasMore ? ['csv', 'ssv', 'pipes', 'multi'] : ['csv']);
  return isForm ? [...lost, ...without(parameter, 'allowEmptyValue')] : lost;
};

/** Rewrites the fields of an operation, a path or a document that the converter would lose; lists those without an equal. */
const rewriteFields = ([holder, at]: Entry): readonly Lost[] => {
  for (const field of ['consumes', 'produces']) {
    // The schemas of bodies stay, of whatever type these are.
    if (Array.isArray(holder[field]) && holder[field].length === 0) holder[field] = ['*/*'];
  }
  const responses = objectsIn(holder['responses'], `${at}/responses`);
  for (const [{ schema, examples }] of responses) {
    // An empty schema goes where an example of another media type comes.
    const isPlain = isPlainObject(schema) && referenceOf(schema) === undefined;
    if (isPlain && examples !== undefined) schema['required'] ??= [];
  }
  const headers = responses.flatMap(([response, inner]) =>
    objectsIn(response['headers'], `${inner}/headers`),
  );
  return [
    // Those of a host become its servers.
    ...(holder['host'] === undefined ? without([holder, at], 'schemes') : []),
    ...objectsIn(holder['parameters'], `${at}/parameters`).flatMap(rewriteParameter),
    ...headers.flatMap((header) => {
      const lost = withoutFormats(header, ['csv']);
      if (header[0]['collectionFormat'] === 'csv') header[0]['style'] = 'simple';
      delete header[0]['collectionFormat'];
      return lost;
    }),
  ];
};

const resolved = (value: PlainObject, definition: PlainObject): PlainObject => {
  const pointer = pointerOfFragment(referenceOf(value)?.slice(1) ?? '');
  const target = pointer ? valueAt(definition, pointer) : undefined;
  return isPlainObject(target) ? copyOf(target) : value;
};

const isBodyPart = (one: PlainObject): boolean => one['in'] === 'body' || one['in'] === 'formData';

/** Lists the parameters of an operation or a path: those of bodies themselves, which the converter knows at their operation alone. */
const parametersOf = ({ parameters }: PlainObject, definition: PlainObject): PlainObject[] =>
  (Array.isArray(parameters) ? parameters : []).map((parameter) => {
    const target = resolved(parameter, definition);
    return isBodyPart(target) ? target : parameter;
  });

/** Gives an operation what it shares with others and has media types of its own for: parts of bodies, and responses. */
const takeShared = (
  operation: PlainObject,
  inPath: readonly PlainObject[],
  definition: PlainObject,
): void => {
  const own = parametersOf(operation, definition);
  const keyOf = (one: PlainObject) => `${one['in']} ${one['in'] === 'body' || one['name']}`;
  const keys = new Set(own.map(keyOf));
  const shared = inPath.filter((one) => isBodyPart(one) && !keys.has(keyOf(one)));
  if (own.length + shared.length > 0) {
    operation['parameters'] = [...own, ...copyOf(shared)];
  }
  const { produces, responses } = operation;
  if (produces === undefined || !isPlainObject(responses)) return;
  for (const [status, response] of Object.entries(responses)) {
    if (isPlainObject(response)) responses[status] = resolved(response, definition);
  }
};

/**
 * Reads a document of Swagger 2.0.
 * @throws UnreadableDocument where the text is neither YAML nor JSON
 */
export const readSwagger = (file: string, text: string): SwaggerDocument => {
  const { value, locate } = readSource(file, text);
  const definition = isPlainObject(value) ? value : {};
  const items = objectsIn(definition['paths'], '/paths');
  const operations = items.flatMap((item) => objectsIn(...item));
  const lost = [[definition, ''] as const, ...items, ...operations].flatMap(rewriteFields);
  for (const [item, at] of items) {
    const inPath = parametersOf(item, definition);
    if (inPath.some(isBodyPart)) item['parameters'] = inPath.filter((one) => !isBodyPart(one));
    for (const [operation] of objectsIn(item, at)) takeShared(operation, inPath, definition);
  }
  for (const [scheme] of objectsIn(definition['securityDefinitions'], '')) {
    if (scheme['type'] === 'oauth2') scheme['scopes'] ??= {};
  }
  const requiredForms = operations.filter(([operation]) =>
    parametersOf(operation, definition).some((one) => one['in'] === 'formData' && one['required']),
  );
  // Fields of forms are parts of the bodies by now.
  const shared = Object.entries(Object(definition['parameters']));
  const kept = shared.filter(([, parameter]) => Object(parameter)['in'] !== 'formData');
  if (kept.length < shared.length) definition['parameters'] = Object.fromEntries(kept);
  const dropped = lost.map(({ name, pointer }) => ({ name, ...locate(pointer, true) }));
  return {
    definition,
    dropped,
    requireForms(converted) {
      for (const [, at] of requiredForms) {
        const body = valueAt(converted, `${at}/requestBody`);
        if (isPlainObject(body)) body['required'] = true;
      }
    },
  };
};

/** Writes a definition in the format of a text, YAML or JSON. */
export const writeLike = (text: string, definition: object): string =>
  /^\s*\{/.test(text)
    ? `${writeJsonLines(definition)}\n`
    : [...definitionYamlParts(definition)].join('');
