/** Finds what references mean: by the base URI of the schema that they stand in, identifiers and anchors (JSON Schema 2020-12, section 8.2). */

import { fragmentOf, pointerOfFragment } from '../../base/json-pointer';
import { memoize } from '../../base/memoize';
import { isPlainObject, ownText, type PlainObject } from '../../base/plain-object';
import type { Steps } from '../../base/run-in-steps';
import type { Diagnostic } from '../diagnostics/diagnostic';
import {
  absoluteUri,
  resourceIndex,
  type SchemaResources,
  splitReference,
} from '../references/schema-resources';
import type { SourceFile, SourceLocation } from '../source/source-files';
import { MissingFile } from '../source/source-text';
import { anything, type FieldType, object } from '../structure/field-type';
import type { DocumentPart, Structure } from '../structure/positions';
import type { RefLocation } from './find-refs';

/** The meaning of a reference: the URI of a file or a schema, and a pointer or an anchor there. */
export interface UriTarget {
  readonly uri: string;
  readonly fragment: string;
}

interface ReferenceTargets {
  readonly resources: SchemaResources<SourceFile>;
  /** Adds the identifiers of a part of a file. */
  add(part: DocumentPart, file: SourceFile): Steps<void>;
  /** Adds those of the file that a reference leads to. */
  addFile(file: SourceFile, ref: RefLocation): Steps<void>;
  /** Tells whether a reference means the same within the definition as in its file, so that it may be changed. */
  isMovable(ref: RefLocation, file: SourceFile): boolean;
  /** Lists where the file that is meant may lie: beside the file of the reference, as it does beside the `$self` of that. */
  besideOf(ref: RefLocation, file: SourceFile, target: UriTarget): readonly string[];
  /** Takes a file that was found there for the one that is meant: it lies where that would be retrieved. */
  take(found: SourceFile, ref: RefLocation, file: SourceFile, target: UriTarget): void;
  /**
   * Returns the meaning of a reference.
   * @throws MissingFile where it is not a usable URI
   */
  targetOf(ref: RefLocation, file: SourceFile): UriTarget;
  /**
   * Returns the place that is meant; undefined where a file of that URI must be opened first.
   * @throws MissingFile
   */
  placeOf(target: UriTarget): SourceLocation | undefined;
  /** Lists the dynamic anchors that were added since the last call as references that lead there. */
  takeAnchors(): readonly { readonly file: SourceFile; readonly ref: RefLocation }[];
  clashErrors(): readonly Diagnostic[];
}

const schemaKind = object('Schema');

const isDocument = (value: unknown): value is PlainObject =>
  isPlainObject(value) && Object.hasOwn(value, 'openapi');

/** Makes the finder for documents of a version. */
export const referenceTargets = ({ types, visitSchemas }: Structure): ReferenceTargets => {
  const resources = resourceIndex<SourceFile>();
  const hasIdentifiers = Object.hasOwn(types.Schema.fields, '$id');
  let taken = 0;

  const textIn = ({ value }: SourceFile, field: '$self' | 'jsonSchemaDialect') =>
    isDocument(value) && Object.hasOwn(types.OpenAPI.fields, field)
      ? ownText(value, field)
      : undefined;

  /** Gives the base URI of a file (OAS 3.2.0, Establishing the Base URI). */
  const baseOfFile = memoize((file: SourceFile): string => {
    return absoluteUri(textIn(file, '$self') ?? '', file.uri) ?? file.uri;
  });

  function* add(part: DocumentPart, file: SourceFile): Steps<void> {
    const whole = resources.addFile(file, {
      self: textIn(file, '$self'),
      base: baseOfFile(file),
      dialect: textIn(file, 'jsonSchemaDialect'),
    });
    if (hasIdentifiers) yield* visitSchemas(part, resources.addSchema, whole);
  }

  const baseOf = ({ holder }: RefLocation, file: SourceFile): string =>
    resources.of(holder)?.uri ?? baseOfFile(file);

  return {
    resources,
    add,
    addFile(file, { kind, target }) {
      const { value } = file;
      // Of a file of parts each is added when a reference leads there.
      const isWhole = kind === schemaKind || splitReference(target)[1] === '';
      const wholeKind: FieldType = isWhole ? kind : anything;
      return add(
        { value, kind: isDocument(value) ? object('OpenAPI') : wholeKind, pointer: '' },
        file,
      );
    },
    isMovable: (ref, file) => ref.redirect !== undefined && baseOf(ref, file) === baseOfFile(file),
    besideOf({ target }, file, { uri }) {
      const base = baseOfFile(file);
      const folder = base === file.uri ? undefined : absoluteUri('.', base);
      const isBelow = folder !== undefined && uri.startsWith(folder);
      const below = isBelow ? `./${uri.slice(folder.length)}` : undefined;
      const beside = absoluteUri(below ?? target, file.uri);
      if (beside === undefined || beside === uri) return [];
      const isBare = below !== undefined && !/\.[^/]*$/.test(below);
      return isBare ? [beside, `${beside}.yaml`, `${beside}.json`] : [beside];
    },
    take(found, ref, file, { uri }) {
      const base = baseOf(ref, file);
      // Below an `$id` a schema of that identifier is meant, and no file.
      if (base === baseOfFile(file) && base !== file.uri) resources.addName(uri, found);
    },
    targetOf(ref, file) {
      const base = ref.key === '$dynamicAnchor' ? baseOfFile(file) : baseOf(ref, file);
      const uri = absoluteUri(ref.target, base);
      if (uri === undefined) throw new MissingFile('it is not a URI');
      return { uri, fragment: splitReference(ref.target)[1] };
    },
    placeOf({ uri, fragment }) {
      const resource = resources.at(uri);
      if (resource === undefined) return undefined;
      const pointer = pointerOfFragment(fragment);
      if (pointer !== undefined) {
        return { file: resource.file, pointer: resource.pointer + pointer };
      }
      const anchor = resource.anchors.get(fragment);
      if (anchor !== undefined) return anchor;
      throw new MissingFile(
        hasIdentifiers
          ? `no schema there has the anchor ${fragment}`
          : 'its fragment is not a JSON Pointer such as #/a/b',
      );
    },
    takeAnchors() {
      const added = resources.dynamicAnchors.slice(taken);
      taken = resources.dynamicAnchors.length;
      return added.map(({ file, pointer, value: holder }) => {
        const target = `#${fragmentOf(pointer)}`;
        const place = { kind: schemaKind, holder, key: '$dynamicAnchor', pointer };
        return { file, ref: { target, text: target, ...place } };
      });
    },
    clashErrors: () =>
      resources.clashes.map(({ file, pointer, message }) => {
        const position = { file: file.name, pointer, ...file.locate(pointer) };
        return { severity: 'error', rule: 'identifier', message, ...position };
      }),
  };
};
