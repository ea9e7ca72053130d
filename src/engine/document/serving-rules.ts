/** Rules on what the engine can serve: bodies that its formats carry, errors that schemas can express, names in XML. */

import { METHODS } from 'node:http';
import { pointerSteps, pointerTo } from '../../base/json-pointer';
import { inUtf8, isRange } from '../../base/media-type';
import { attempt } from '../../base/recover';
import { warningOf } from '../../document/diagnostics/diagnostic';
import { readResourceField } from '../../document/resources/item-paths';
import { resourcesOf } from '../../document/resources/resources';
import { checkEach, type Rule } from '../../document/rules/rule';
import { namedWebhooks } from '../../model/document';
import {
  isContentless,
  type MediaType,
  type Operation,
  requestMethod,
  successesOf,
} from '../../model/operation';
import { anySchema, type Schema, schemaOf } from '../../model/schema';
import { itemShape, itemShapes, type Shape, type ShapeOf } from '../../schema/shape';
import { readXmlObject } from '../../schema/xml-object';
import { type Codecs, standInOf } from '../media-types/codecs';
import { errorFormOf } from '../media-types/error-form';
import { declaredTypes } from '../media-types/multipart/multipart-fields';
import {
  isMultipart,
  isPositional,
  type PartialContent,
} from '../media-types/sequences/multipart-sequence';
import { itemsOf } from '../media-types/sequences/sequence-formats';
import { collidingProperties, isInlined, isText, shapeKind } from '../media-types/xml/xml-names';
import { errorResponses } from '../responses/error-body';

/** Tells whether values of the schema can be read and written; true if another rule reports that it cannot be used. */
const isUsable = (content: PartialContent, codecs: Codecs, shapeOf: ShapeOf): boolean => {
  const isCarried = () =>
    !content.key.includes('/') ||
    isPositional(content, shapeOf) ||
    codecs.isCarried(standInOf(content, shapeOf), content.schema, shapeOf);
  return attempt(isCarried) ?? true;
};

const uses = {
  response: { verb: 'written', consequence: 'no response is sent in it' },
  body: { verb: 'read', consequence: 'a body in it is answered 415' },
  parameter: { verb: 'read', consequence: 'no value fits it' },
} as const;

/** Tells the use by the place: `…/responses/200/content/KEY`, `…/requestBody/content/KEY` and so on. */
const useAt = (pointer: string): keyof typeof uses => {
  const [place, name] = pointerSteps(pointer).slice(-4);
  if (place === 'responses') return 'response';
  return place === 'requestBodies' || name === 'requestBody' ? 'body' : 'parameter';
};

const carriedBodies =
  (codecs: Codecs): Rule =>
  ({ declared, shapeOf }) =>
    checkEach(declared.contents, (content) => {
      const { pointer, key } = content;
      const use = useAt(pointer);
      // What the API itself sends has a rule of its own, and is not ours to answer.
      if (/^\/webhooks\/|\/callbacks\//.test(pointer)) return [];
      // Multipart bodies are read part by part; each request decides the type within a range.
      if (use !== 'response' && /\*|^multipart\//i.test(key)) return [];
      if (isUsable(content, codecs, shapeOf)) return [];
      const { verb, consequence } = uses[use];
      const advice = codecs.adviceFor(key) ?? 'Choose another media type';
      const message = `${key} cannot be ${verb} for this schema, and ${consequence}. ${advice}, or write \`type: string\` with \`format: binary\` to pass it on as it is.`;
      return [warningOf('unusable-body')(`${pointer}/schema`, message)];
    });

/** Tells whether the API itself can send a content. The parts of a form have no parts of their own, and no headers that are required. */
const isSendable = (content: MediaType, codecs: Codecs, shapeOf: ShapeOf): boolean => {
  if (!isMultipart(content.key) || isPositional(content, shapeOf)) {
    return isUsable(content, codecs, shapeOf);
  }
  const { type, properties } = shapeOf(content.schema ?? anySchema);
  return (
    (type === 'object' || type === 'any') &&
    Object.entries(content.encoding).every(([name, encoding]) => {
      const value = properties.get(name);
      const part = value?.type === 'array' ? value.items : value;
      const key = declaredTypes(encoding)?.find((one) => !isRange(one)) ?? 'application/json';
      const isCarried = part?.type !== 'object' || codecs.contentCodec(key, part) !== undefined;
      return isCarried && !isMultipart(key) && !encoding.headers.some(({ required }) => required);
    })
  );
};

const sentBodies =
  (codecs: Codecs): Rule =>
  (model) => {
    const sent = [...namedWebhooks(model).values()];
    const all = sent.flatMap(({ requestBody }) => requestBody?.content ?? []);
    const contents = new Map(all.map((content) => [content.pointer, content]));
    return checkEach(contents.values(), (content) => {
      if (attempt(() => isSendable(content, codecs, model.shapeOf)) ?? true) return [];
      const message = `${content.key} cannot be written as its schema and \`encoding\` say, and no request of this webhook is sent in it. Choose another media type, or write \`type: string\` with \`format: binary\` to pass it on as it is.`;
      return [warningOf('unusable-body')(content.pointer, message, true)];
    });
  };

/** Says why no success of an operation can be sent; undefined where one can. */
export const unwritableReason = (
  { responses }: Operation,
  codecs: Codecs,
  shapeOf: ShapeOf,
): string | undefined => {
  const hasRedirect = responses.some(({ key }) => key.startsWith('3'));
  const contents = successesOf(responses).flatMap(({ key, content }) => {
    // Beside a redirect, `default` is for failures.
    if (key === 'default' && hasRedirect) return [];
    return isContentless(key) || content.some((entry) => isUsable(entry, codecs, shapeOf))
      ? [undefined]
      : content[0];
  });
  const [first] = contents;
  return first === undefined || contents.includes(undefined)
    ? undefined
    : `${first.key} cannot be written for this schema`;
};

const expressesErrors = (content: MediaType, codecs: Codecs, shapeOf: ShapeOf): boolean => {
  const { schema = anySchema } = content;
  const mediaType = standInOf(content, shapeOf);
  // Making a shape takes longer than all else here, and the type of most schemas suffices.
  if (schema.types?.[0] === 'object' && codecs.codecFor(mediaType)?.name === 'json') return true;
  return attempt(() => errorFormOf(mediaType, shapeOf(schema), codecs) !== undefined) ?? true;
};

/** Reports error responses whose schemas cannot express errors, each once. */
const errorSchemas =
  (codecs: Codecs): Rule =>
  ({ operations, shapeOf }) => {
    const seen = new Set<string>();
    return operations.flatMap((operation) =>
      errorResponses(operation).flatMap(({ key, pointer, content }) => {
        if (seen.size === seen.add(pointer).size || content.length === 0) return [];
        if (content.some((entry) => expressesErrors(entry, codecs, shapeOf))) return [];
        const types = content.map((entry) => entry.key).join(' or ');
        const message = `Errors cannot be expressed in ${types} with this schema; the fallback error is sent. Declare an object or a text for it.`;
        const at = pointerTo(`${operation.pointer}/responses`, key);
        return [warningOf('error-schema')(at, message, true)];
      }),
    );
  };

/** Lists the shapes whose values make the nodes of an object's element. */
const nodeShapes = ({ properties }: Shape): Shape[] =>
  [...properties.values()].flatMap((shape) => (isInlined(shape) ? nodeShapes(shape) : [shape]));

const nodeFaults = (shape: Shape): string[] => {
  const names = [...collidingProperties(shape, new Map())].join(', ');
  const nodes = nodeShapes(shape).filter((node) => shapeKind(node) !== 'attribute');
  const texts = nodes.filter(
    (node) => isText(node) || (shapeKind(node) === 'siblings' && itemShapes(node).some(isText)),
  ).length;
  const { prefixItems, items } = shape;
  const list = [...prefixItems, items, items].map((item) => item !== undefined && isText(item));
  const inner = [...shape.properties].filter(([, property]) => !isInlined(property));
  const others = [...itemShapes(shape), shape.additional].map((inner) => ['items', inner] as const);
  const kept = [...inner, ...others].filter(
    ([, nested]) =>
      typeof nested === 'object' && nested.type !== 'array' && nested.xml.nodeType === 'none',
  );
  const elements = [...new Set(kept.map(([name]) => name))].join(', ');
  return [
    texts > 1
      ? `The properties ${names} would be one text in XML, and are elements instead. Keep one text.`
      : `The properties ${names} have the same name in XML, and keep their own instead. Give them different ones.`,
    'The text stands beside elements in XML, and must be in one piece. Mix them by `prefixItems`.',
    'Texts in a row are one in XML. Put elements between them.',
    `The \`nodeType: none\` of ${elements} has no effect: only an object of declared properties, in another object, makes no element.`,
  ].filter((_, index) => {
    const areInRow = list.some((isTextItem, at) => isTextItem && list[at - 1]);
    return [names !== '', texts === 1 && nodes.length > 1, areInRow, elements !== ''][index];
  });
};

/** Says the same of a schema; nothing where another rule reports that it cannot be read. */
const sharedNodes = (schema: Schema, shapeOf: ShapeOf): string[] => {
  const { properties, items, prefixItems, additionalProperties, members } = schema;
  const others = [items, ...prefixItems, additionalProperties];
  const hasNodes = others.some((item) => item?.xml?.nodeType !== undefined);
  if (properties === undefined && members.length === 0 && !hasNodes) return [];
  return attempt(() => nodeFaults(shapeOf(schema))) ?? [];
};

const nameWarning = warningOf('xml-name');

/** Checks names in XML; without any XML Object properties keep their own. */
const legalXmlNames: Rule = ({ declared: { schemas }, objects, shapeOf }) => {
  if (!objects.some(({ name }) => name === 'XML')) return [];
  return checkEach(schemas, ({ schema, pointer }) => {
    const own = (schema.xml === undefined ? [] : readXmlObject(schema.xml).errors).map((message) =>
      nameWarning(`${pointer}/xml`, `The ${message}. Correct it, or leave it out.`),
    );
    return [...own, ...sharedNodes(schema, shapeOf).map((what) => nameWarning(pointer, what))];
  });
};

/** Checks `x-spec-first-resource`, once where the operations of a path share it. */
const readableResources: Rule = ({ operations, shapeOf }) => {
  const fields = new Set(operations.flatMap(({ resource }) => resource ?? []));
  if (fields.size === 0) return [];
  // All are used where another rule reports a schema that cannot be read.
  const resources = attempt(() => resourcesOf({ operations }, shapeOf));
  const described = resources?.flatMap((resource) =>
    resource.operations.map(({ operation }) => operation),
  );
  const used = (described ?? operations).map(({ resource }) => resource);
  return [...fields].flatMap((resource) => {
    const field = readResourceField(resource.value);
    if (field === false || (!(field instanceof Error) && used.includes(resource))) return [];
    const message =
      field instanceof Error
        ? field.message
        : 'No resource has this operation. Describe items at a path such as /things/{id}, or correct `name`.';
    return [warningOf('resource')(resource.pointer, message)];
  });
};

/** Lists the contents of operations, each once. */
const contentsOf = (operations: readonly Operation[]): readonly MediaType[] => {
  const all = operations.flatMap(({ requestBody, responses }) =>
    [...(requestBody ? [requestBody] : []), ...responses].flatMap(({ content }) => content),
  );
  return [...new Map(all.map((content) => [content.pointer, content])).values()];
};

/** Tells whether parts cannot be values of the shape, or its items: objects are JSON in any type of texts. */
const isLost = (type: string, shape: Shape, codecs: Codecs): boolean =>
  !/\*|^(?:multipart|text)\//i.test(type) &&
  [shape, ...itemShapes(shape)].every(
    (part) => /^(?:object|array)$/.test(part.type) && !codecs.contentCodec(type, part),
  );

const carriedParts =
  (codecs: Codecs): Rule =>
  ({ operations, webhooks, shapeOf }) =>
    checkEach(contentsOf([...operations, ...webhooks]), (content) => {
      const { key, schema, itemSchema: items, encoding, prefixEncoding, itemEncoding } = content;
      if (!isMultipart(key)) return [];
      const list = schema ?? schemaOf({ items });
      const parts = [...Object.entries(encoding), ...[...prefixEncoding, itemEncoding].entries()];
      return parts.flatMap(([at, part]) => {
        const lost = attempt(() => {
          const { properties } = shapeOf(list);
          const shape = typeof at === 'string' ? properties.get(at) : itemShape(shapeOf(list), at);
          return shape && declaredTypes(part)?.find((type) => isLost(type, shape, codecs));
        });
        if (part === undefined || lost === undefined) return [];
        const message = `${lost} cannot be read for this schema, and no part in it fits. Choose another media type, or write \`type: string\` for the part.`;
        return [warningOf('unusable-body')(`${part.pointer}/contentType`, message)];
      });
    });

/** Reports `itemSchema` of formats that are not read and written item by item, each once. */
const sequentialItems: Rule = (model) =>
  contentsOf([...model.operations, ...namedWebhooks(model).values()]).flatMap((content) => {
    if (content.itemSchema === undefined || itemsOf(content) !== undefined) return [];
    const message = `${content.key} is not read and written item by item here, and \`itemSchema\` is ignored. Write \`schema\`, or a sequential media type such as application/jsonl.`;
    return [warningOf('ignored-items')(`${content.pointer}/itemSchema`, message, true)];
  });

const writtenCharsets: Rule = ({ declared, shapeOf }) =>
  checkEach(declared.contents, ({ pointer, key, schema = anySchema }) => {
    if (useAt(pointer) !== 'response' || inUtf8(key) === key) return [];
    if (attempt(() => shapeOf(schema).isBinary) ?? true) return [];
    const message = `Texts are written in UTF-8, and ${key} is sent as ${inUtf8(key)}. Leave out the charset.`;
    return [warningOf('charset')(pointer, message, true)];
  });

/** Reports methods that node:http does not know, or keeps for tunnels (RFC 9110 section 9.3.6). */
const receivableMethods: Rule = ({ operations }) =>
  operations.flatMap(({ method, pointer }) => {
    const token = requestMethod(method);
    if (token !== 'CONNECT' && METHODS.includes(token)) return [];
    const message = `The method ${token} does not reach this operation through node:http, which answers it itself. Choose another, such as QUERY or SEARCH.`;
    return [warningOf('method')(pointer, message, true)];
  });

/** Lists the rules, in the order in which their diagnostics are reported. */
export const servingRules = (codecs: Codecs): readonly Rule[] => [
  carriedBodies(codecs),
  sentBodies(codecs),
  carriedParts(codecs),
  errorSchemas(codecs),
  sequentialItems,
  writtenCharsets,
  legalXmlNames,
  readableResources,
  receivableMethods,
];
