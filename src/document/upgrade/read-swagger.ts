/** Reads documents of Swagger 2.0 for a converter, and writes what it makes of them. */

import { writeJsonLines } from '../../base/json/write-json';
import { pointerOfFragment, pointerTo, valueAt } from '../../base/json-pointer';
import { isPlainObject, type PlainObject } from '../../base/plain-object';
import type { TextPosition } from '../../base/text/text-position';
import { definitionYamlParts } from '../bundle/write-definition';
import { referenceOf } from '../references/references';
import { readSource } from '../source/read-source';

/** Writes the parameters out that make up a body: the converter knows them at their operation alone. */
const withBodies = (parameters: readonly unknown[], definition: PlainObject): readonly unknown[] =>
  parameters.map((parameter) => {
    const pointer = pointerOfFragment(referenceOf(parameter)?.slice(1) ?? '');
    const target = pointer ? valueAt(definition, pointer) : undefined;
    const isBody = isPlainObject(target) && /^(?:body|formData)$/.test(String(target['in']));
    return isBody ? structuredClone(target) : parameter;
  });

/** A document of Swagger 2.0 as a converter takes it. */
export interface SwaggerDocument {
  readonly definition: PlainObject;
  /** Fields that OpenAPI 3 has no equal of, with their places in the text. */
  readonly dropped: readonly (TextPosition & { readonly name: string })[];
}

type Entry = readonly [value: PlainObject, pointer: string];

interface Lost {
  readonly name: string;
  readonly pointer: string;
}

/** Lists the members of a map or list that are objects. */
const objectsIn = (value: unknown, at: string): readonly Entry[] =>
  Object.entries(Object(value)).flatMap(([key, member]) =>
    isPlainObject(member) ? [[member, pointerTo(at, key)] as const] : [],
  );

/** The formats of lists that OpenAPI 3 has a style for. */
const formatsIn = (place: unknown): readonly unknown[] =>
  place === 'query' || place === 'formData' ? ['csv', 'ssv', 'pipes', 'multi'] : ['csv'];

/** Removes what OpenAPI 3 has no equal of, and lists where it was; lists within lists have no format there. */
const withoutFormats = ([value, at]: Entry, known: readonly unknown[]): readonly Lost[] => {
  const { collectionFormat: format, items } = value;
  const isLost = format !== undefined && !known.includes(format);
  if (isLost) delete value['collectionFormat'];
  const inner = isPlainObject(items) ? withoutFormats([items, `${at}/items`], []) : [];
  const name = `collectionFormat: ${format}`;
  return isLost ? [{ name, pointer: `${at}/collectionFormat` }, ...inner] : inner;
};

const withoutParameterFormats = (parameter: Entry): readonly Lost[] => {
  const [value] = parameter;
  // The default of forms is another one in OpenAPI 3.
  if (value['in'] === 'formData' && value['type'] === 'array') value['collectionFormat'] ??= 'csv';
  return withoutFormats(parameter, formatsIn(value['in']));
};

const withoutHeaderFormats = (header: Entry): readonly Lost[] => {
  const lost = withoutFormats(header, ['csv']);
  if (header[0]['collectionFormat'] === 'csv') header[0]['style'] = 'simple';
  delete header[0]['collectionFormat'];
  return lost;
};

/** Rewrites the fields of an operation, a path or a document that the converter would lose; lists those without an equal. */
const rewriteFields = ([holder, at]: Entry): readonly Lost[] => {
  for (const field of ['consumes', 'produces']) {
    // The schemas of bodies stay, of whatever type these are.
    if (Array.isArray(holder[field]) && holder[field].length === 0) holder[field] = ['*/*'];
  }
  const headers = objectsIn(holder['responses'], `${at}/responses`).flatMap(([response, inner]) =>
    objectsIn(response['headers'], `${inner}/headers`),
  );
  return [
    ...objectsIn(holder['parameters'], `${at}/parameters`).flatMap(withoutParameterFormats),
    ...headers.flatMap(withoutHeaderFormats),
  ];
};

/**
 * Reads a document of Swagger 2.0.
 * @throws UnreadableDocument where the text is neither YAML nor JSON
 */
export const readSwagger = (file: string, text: string): SwaggerDocument => {
  const { value, locate } = readSource(file, text);
  const definition = isPlainObject(value) ? value : {};
  const items = objectsIn(definition['paths'], '/paths');
  const holders = [...items, ...items.flatMap((item) => objectsIn(...item))];
  const lost = [[definition, ''] as const, ...holders].flatMap(rewriteFields);
  for (const [holder] of holders) {
    const { parameters } = holder;
    if (Array.isArray(parameters)) holder['parameters'] = withBodies(parameters, definition);
  }
  // Fields of forms are parts of the bodies by now.
  const shared = Object.entries(Object(definition['parameters']));
  const kept = shared.filter(([, parameter]) => Object(parameter)['in'] !== 'formData');
  if (kept.length < shared.length) definition['parameters'] = Object.fromEntries(kept);
  const dropped = lost.map(({ name, pointer }) => ({ name, ...locate(pointer, true) }));
  return { definition, dropped };
};

/** Writes a definition in the format of a text, YAML or JSON. */
export const writeLike = (text: string, definition: object): string =>
  /^\s*\{/.test(text)
    ? `${writeJsonLines(definition)}\n`
    : [...definitionYamlParts(definition)].join('');
