/** Finds what references mean: by the base URI of the schema that they stand in, identifiers and anchors (JSON Schema 2020-12, section 8.2). */

import { fragmentOf, pointerOfFragment } from '../../base/json-pointer';
import { memoize } from '../../base/memoize';
import { isPlainObject, ownText, type PlainObject } from '../../base/plain-object';
import type { Steps } from '../../base/run-in-steps';
import { absoluteUri, SchemaResources, splitReference } from '../references/schema-resources';
import type { SourceFile, SourceLocation } from '../source/source-files';
import { MissingFile } from '../source/source-text';
import { anything, object } from '../structure/field-type';
import { type DocumentPart, type Structure, wholeDocument } from '../structure/positions';
import type { RefLocation } from './find-refs';

/** The meaning of a reference: the URI of a file or a schema, and a pointer or an anchor there. */
export interface UriTarget {
  readonly uri: string;
  readonly fragment: string;
}

const schemaKind = object('Schema');

const isDocument = (value: unknown): value is PlainObject =>
  isPlainObject(value) && Object.hasOwn(value, 'openapi');

/** The targets of the references in the files of a document. */
export class ReferenceTargets {
  readonly resources = new SchemaResources<SourceFile>();
  readonly #structure: Structure;
  readonly #hasIdentifiers: boolean;
  #taken = 0;

  constructor(structure: Structure) {
    this.#structure = structure;
    this.#hasIdentifiers = Object.hasOwn(structure.types.Schema.fields, '$id');
  }

  /** Adds the identifiers of a part of a file. */
  *add(part: DocumentPart, file: SourceFile): Steps<void> {
    const { addSchema } = this.resources;
    const self = this.#textIn(file, '$self');
    const dialect = this.#textIn(file, 'jsonSchemaDialect');
    const whole = this.resources.addFile(file, self, this.#baseOfFile(file), dialect);
    if (this.#hasIdentifiers) yield* this.#structure.visitSchemas(part, addSchema, whole);
  }

  /** Adds those of the file that a reference leads to. */
  addFile(file: SourceFile, { kind, target }: RefLocation): Steps<void> {
    const { value } = file;
    if (isDocument(value)) return this.add(wholeDocument(value), file);
    // Of a file of parts each is added when a reference leads there.
    const isWhole = kind === schemaKind || splitReference(target)[1] === '';
    return this.add({ value, kind: isWhole ? kind : anything, pointer: '' }, file);
  }

  /** Tells whether a reference means the same within the definition as in its file, so that it may be changed. */
  isMovable(ref: RefLocation, file: SourceFile): boolean {
    return ref.redirect !== undefined && this.#baseOf(ref, file) === this.#baseOfFile(file);
  }

  /** Lists where the file that is meant may lie: beside the file of the reference, as it does beside the `$self` of that. */
  besideOf({ target }: RefLocation, file: SourceFile, { uri }: UriTarget): readonly string[] {
    const base = this.#baseOfFile(file);
    const folder = base === file.uri ? undefined : absoluteUri('.', base);
    const isBelow = folder !== undefined && uri.startsWith(folder);
    const below = isBelow ? `./${uri.slice(folder.length)}` : undefined;
    const beside = absoluteUri(below ?? target, file.uri);
    if (beside === undefined || beside === uri) return [];
    const isBare = below !== undefined && !/\.[^/]*$/.test(below);
    return isBare ? [beside, `${beside}.yaml`, `${beside}.json`] : [beside];
  }

  /** Takes a file that was found there for the one that is meant: it lies where that would be retrieved. */
  take(found: SourceFile, ref: RefLocation, file: SourceFile, { uri }: UriTarget): void {
    const base = this.#baseOf(ref, file);
    // Below an `$id` a schema of that identifier is meant, and no file.
    if (base === this.#baseOfFile(file) && base !== file.uri) this.resources.addName(uri, found);
  }

  /**
   * Returns the meaning of a reference.
   * @throws MissingFile where it is not a usable URI
   */
  targetOf(ref: RefLocation, file: SourceFile): UriTarget {
    const isAnchor = ref.key === '$dynamicAnchor';
    const base = isAnchor ? this.#baseOfFile(file) : this.#baseOf(ref, file);
    const uri = absoluteUri(ref.target, base);
    if (uri === undefined) throw new MissingFile('it is not a URI');
    return { uri, fragment: splitReference(ref.target)[1] };
  }

  /**
   * Returns the place that is meant; undefined where a file of that URI must be opened first.
   * @throws MissingFile
   */
  placeOf({ uri, fragment }: UriTarget): SourceLocation | undefined {
    const resource = this.resources.at(uri);
    if (resource === undefined) return undefined;
    const pointer = pointerOfFragment(fragment);
    if (pointer !== undefined) return { file: resource.file, pointer: resource.pointer + pointer };
    const anchor = resource.anchors.get(fragment);
    if (anchor !== undefined) return anchor;
    if (this.#hasIdentifiers) throw new MissingFile(`no schema there has the anchor ${fragment}`);
    throw new MissingFile('its fragment is not a JSON Pointer such as #/a/b');
  }

  /** Lists the dynamic anchors that were added since the last call as references that lead there. */
  takeAnchors(): readonly { readonly file: SourceFile; readonly ref: RefLocation }[] {
    const { dynamicAnchors } = this.resources;
    const added = dynamicAnchors.slice(this.#taken);
    this.#taken = dynamicAnchors.length;
    return added.map(({ file, pointer, value: holder }) => {
      const target = `#${fragmentOf(pointer)}`;
      const place = { kind: schemaKind, holder, key: '$dynamicAnchor', pointer };
      return { file, ref: { target, text: target, ...place } };
    });
  }

  #textIn({ value }: SourceFile, field: '$self' | 'jsonSchemaDialect'): string | undefined {
    const { fields } = this.#structure.types.OpenAPI;
    return isDocument(value) && Object.hasOwn(fields, field) ? ownText(value, field) : undefined;
  }

  /** Gives the base URI of a file (OAS 3.2.0, Establishing the Base URI). */
  readonly #baseOfFile = memoize((file: SourceFile): string => {
    return absoluteUri(this.#textIn(file, '$self') ?? '', file.uri) ?? file.uri;
  });

  #baseOf({ holder }: RefLocation, file: SourceFile): string {
    return this.resources.of(holder)?.uri ?? this.#baseOfFile(file);
  }
}
