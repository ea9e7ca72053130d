/**
 * Loads one OpenAPI document, in three steps:
 * 1. load: read its files (source/) and make one definition of them (bundle/);
 * 2. check: hold that against the table of objects (structure/) and the rules (rules/), which gives diagnostics;
 * 3. model: list its operations with references followed (references/) and defaults filled in (read/).
 */

import { basename, dirname, extname, join, resolve } from 'node:path';
import type { OpenAPIV3 } from 'openapi-types';
import { groupBy } from '../base/group-by';
import { pointerTo, valueAt } from '../base/json-pointer';
import { isPlainObject, ownText } from '../base/plain-object';
import { recoverFrom } from '../base/recover';
import { mapSteps, resultInSteps, resultOf, type Steps } from '../base/run-in-steps';
import type { Model } from '../model/document';
import type { Operation } from '../model/operation';
import type { Schema } from '../model/schema';
import { compileShapes } from '../schema/compile-shapes';
import type { ShapeOf } from '../schema/shape';
import { type Bundle, servedText } from './bundle/bundle';
import { bundleAlone, bundleFiles, type RootFile, requireFinite } from './bundle/bundle-files';
import { type Spelling, spelledAt } from './bundle/write-definition';
import {
  type Diagnostic,
  describeDiagnostic,
  type UnplacedDiagnostic,
} from './diagnostics/diagnostic';
import {
  disableInvalidOperations,
  invalidReasonFinder,
  withUnservedOperations,
} from './invalid-operations';
import { applyOverlays } from './overlay/apply-overlay';
import { type DeclaredParts, declaredParts } from './read/declared-parts';
import { readModel } from './read/read-model';
import { dynamicScopes, schemaReader } from './read/read-schema';
import { basePathOf } from './read/templates';
import { References, resolvePointer } from './references/references';
import { documentRules } from './rules/document-rules';
import { messageRules } from './rules/message-rules';
import { operationRules } from './rules/operation-rules';
import type { Rule, RuleContext } from './rules/rule';
import { schemaRules } from './rules/schema-rules';
import { requireOpenApi, sourceSteps } from './source/read-source';
import {
  fileOpener,
  isRemote,
  readLocalFile,
  readRemoteFile,
  type SourceFile,
  uriOf,
} from './source/source-files';
import {
  decodeText,
  type LoadLimits,
  loadLimits,
  MissingFile,
  unreadable,
} from './source/source-text';
import { checkStructure, type StructureReport } from './structure/check-structure';
import { object } from './structure/field-type';
import { structureOf, wholeDocument } from './structure/positions';
import { type Replacements, usableReplacements } from './usable-definition';

/** A loaded document. */
export interface LoadedDocument extends Model {
  /** The file's name without its ending: `shop` for `specs/shop.yaml`. */
  readonly name: string;
  readonly file: string;
  /** The document as YAML, variables filled in: the file's text, or that of the bundle of several files. */
  readonly text: string;
  /** Self-contained: includes the parts of other files. */
  readonly definition: OpenAPIV3.Document;
  /** The author's own: the same without overlays. */
  readonly original: { readonly text: string; readonly definition: object };
  /** The path of the first server URL, without a trailing slash; empty for the root. */
  readonly basePath: string;
  readonly references: References;
  /** Schemas, contents and examples, those that no operation needs among them. */
  readonly declared: DeclaredParts;
  /** Objects that `/openapi.json` and `/openapi.yaml` write in place of what generators of clients cannot use. */
  readonly replacements: Replacements;
  readonly diagnostics: readonly Diagnostic[];
  /** URIs of its overlays, and of the other files that the document refers to. */
  readonly files: ReadonlySet<string>;
  /** Gives a diagnostic its position in the file that it is about. */
  locate(diagnostic: UnplacedDiagnostic): Diagnostic;
  /** Finds what stands at a pointer into the definition, as JSON with all digits of its numbers. */
  spelledAt(pointer: string): Spelling | undefined;
  /** Gives the pointer of the field that says a keyword of a schema; `null` is the type. */
  fieldOf(schema: Schema, keyword: keyof Schema | 'null'): string;
}

/** Options of loading a document. */
export interface LoadOptions {
  /** Gives the values of `{NAME}` in the document's texts, by its base path. */
  readonly variables?: (basePath: string) => Readonly<Record<string, string>>;
  /** Allows references to `http:` and `https:` addresses; false by default. */
  readonly allowRemote?: boolean;
  /** Local files are read below this folder alone; the document's own where this is not given. */
  readonly referencesFolder?: string | undefined;
  /** Paths of documents that are loaded with this one, which references find by their `$self`, as those of its folder (OAS 3.2.0). */
  readonly together?: readonly string[];
  /** Paths of overlays, which are applied in this order; with `allowRemote` URLs. */
  readonly overlays?: readonly string[];
  readonly limits?: LoadLimits;
  /** The name of the file in reports; its path by default. */
  readonly calledAs?: string;
  /** In place of the path of the first server URL; without a trailing slash. */
  readonly basePath?: string | undefined;
}

/** The check of what can be served of a document. */
export interface ServingCheck {
  readonly rules: readonly Rule[];
  /** Says why an operation cannot be served; undefined where it can. */
  reasonOf(operation: Operation, shapeOf: ShapeOf): string | undefined;
}

interface Root extends RootFile {
  readonly text: string;
  readonly warnings: readonly Diagnostic[];
}

type NamedText = Readonly<Record<'path' | 'name' | 'text', string>>;

function* readFile({ path, name, text }: NamedText, limits: LoadLimits): Steps<SourceFile> {
  return { uri: uriOf(path), name, ...(yield* sourceSteps(name, text, limits)) };
}

function* readRoot(
  given: NamedText,
  limits: LoadLimits,
  overlays: readonly NamedText[] = [],
): Steps<Root> {
  const { name, text } = given;
  const file = yield* readFile(given, limits);
  if (overlays.length === 0 || !isPlainObject(file.value)) {
    const { definition, version } = requireOpenApi(name, file);
    return { ...file, text, warnings: [], definition, structure: structureOf(version) };
  }
  const files: SourceFile[] = [];
  for (const overlay of overlays) files.push(yield* readFile(overlay, limits));
  const { tree, warnings } = yield* applyOverlays(file, files, limits);
  const { value } = tree;
  const origins = new Map(tree.origins());
  const at = origins.get('/openapi');
  const locate = at ? () => at.file.locate(at.pointer) : file.locate;
  const { definition, version } = requireOpenApi(at?.file.name ?? name, { value, locate });
  const structure = structureOf(version);
  return { ...file, text, warnings, value, origins, definition, structure };
}

const nameOf = ({ name }: Root): string => basename(name, extname(name));

const rules = [...documentRules, ...operationRules, ...messageRules, ...schemaRules];

/** A document's root file, and all its files in one definition. */
interface Whole {
  readonly root: Root;
  readonly bundle: Bundle;
}

const movedTo = (bundle: Bundle, basePath: string | undefined): Bundle => {
  if (basePath === undefined) return bundle;
  const definition = { ...bundle.definition, servers: [{ url: basePath || '/' }] };
  return { ...bundle, definition, changed: true };
};

/** A definition that fits the table of objects. */
type CheckedDefinition = StructureReport & { readonly definition: OpenAPIV3.Document };

/** Checks a definition against the table of objects, and removes what does not fit. */
function* checkedDefinition({ root, bundle }: Whole): Steps<CheckedDefinition> {
  requireFinite(root.name, bundle);
  // A file that is not a document may hold secrets: its values are not shown.
  const mayShow = (pointer: string): boolean => {
    const { value } = bundle.sourceMap.of(pointer).file;
    return isPlainObject(value) && ['openapi', 'overlay'].some((key) => Object.hasOwn(value, key));
  };
  const { definition } = bundle;
  const report = yield* checkStructure(definition, root.structure, mayShow);
  // No reader then needs to check for what an invalid document lacks.
  const info = isPlainObject(definition['info']) ? definition['info'] : {};
  const [title, version] = [info['title'] ?? nameOf(root), info['version'] ?? ''];
  definition['info'] = { ...info, title, version };
  definition['paths'] ??= {};
  // All that does not fit the table was removed.
  return { ...report, definition: definition as unknown as OpenAPIV3.Document };
}

/** Reads the model of a definition; operations that cannot be read or served say so. */
function* modelOf(
  { root: { structure }, bundle }: Whole,
  { definition, invalidObjects }: CheckedDefinition,
  serving: ServingCheck,
): Steps<RuleContext & Model> {
  const { version } = structure;
  const references = new References(definition, bundle, version.hasReferenceTexts);
  const readSchema = schemaReader(references, version.dialect, {
    scopes: dynamicScopes(bundle.resources, bundle.resolved),
    dialectOf(schema) {
      const resource = bundle.resources.of(schema);
      return resource === undefined ? ownText(definition, 'jsonSchemaDialect') : resource.dialect;
    },
    isOctets: (pointer) => declared.places().whole.has(pointer),
    hasDefaultMapping: Object.hasOwn(structure.types.Discriminator.fields, 'defaultMapping'),
  });
  const reader = { references, readSchema, structure };
  const objects = yield* mapSteps(
    structure.objectsIn(wholeDocument(definition)),
    (object) => object,
  );
  const declared = yield* declaredParts(objects, structure, reader);
  const reasonOf = invalidReasonFinder(references, readSchema, invalidObjects, structure);
  const fallback: OpenAPIV3.ResponseObject | undefined = Reflect.get(
    definition,
    'x-fallback-response',
  );
  // Errors that reach no operation are then answered as where the document says nothing of them.
  const isUsable = reasonOf(fallback, object('Response'), '/x-fallback-response') === undefined;
  const model = yield* readModel(definition, reader, isUsable ? fallback : undefined);
  const shapeOf = compileShapes(() => () => true);
  const operations = yield* disableInvalidOperations(model.operations, {
    definition,
    references,
    invalidObjects,
    reasonOf,
    writingReasonOf: (operation) => serving.reasonOf(operation, shapeOf),
  });
  const parts = { definition, operations, references, declared };
  return { ...model, ...parts, structure, readSchema, objects, shapeOf };
}

function* foundByRules(context: RuleContext, serving: ServingCheck): Steps<UnplacedDiagnostic[]> {
  const all: UnplacedDiagnostic[] = [];
  for (const rule of [...rules, ...serving.rules]) {
    for (const found of rule(context)) {
      if (found !== undefined) all.push(found);
      yield;
    }
    yield;
  }
  return all;
}

function* documentOf(
  { root, bundle: unmoved }: Whole,
  { variables = () => ({}), basePath: moved }: LoadOptions,
  serving: ServingCheck,
  before?: Whole,
): Steps<LoadedDocument> {
  const bundle = movedTo(unmoved, moved);
  const whole = { root, bundle };
  const checked = yield* checkedDefinition(whole);
  const { definition } = checked;
  const basePath = basePathOf(definition);
  const text = yield* servedText(root.text, bundle, variables(basePath));
  const own = before && movedTo(before.bundle, moved);
  const original = own
    ? { text: yield* servedText(root.text, own, variables(basePath)), definition: own.definition }
    : { text, definition };
  const context = yield* modelOf(whole, checked, serving);
  const { structure: _structure, readSchema: _read, shapeOf: _shape, objects, ...model } = context;
  const locate = ({ ofKey, ...diagnostic }: UnplacedDiagnostic): Diagnostic => {
    const { file, pointer } = bundle.sourceMap.of(
      resolvePointer({ root: bundle.definition, pointer: diagnostic.pointer }).pointer,
    );
    return { ...diagnostic, pointer, file: file.name, ...file.locate(pointer, ofKey) };
  };
  const found = [...checked.diagnostics, ...(yield* foundByRules(context, serving))].map(locate);
  // An overlay may bring a fault to many places.
  const distinct = [...groupBy(found, describeDiagnostic).values()].flatMap(
    ([first]) => first ?? [],
  );
  const diagnostics = [...bundle.diagnostics, ...distinct];
  return {
    ...model,
    name: nameOf(root),
    file: root.name,
    text,
    original,
    basePath,
    replacements: yield* usableReplacements(objects, root.structure, model.references),
    diagnostics: withUnservedOperations(diagnostics, model.operations, locate),
    files: bundle.files,
    locate,
    spelledAt: (pointer) => spelledAt(definition, pointer),
    fieldOf: ({ pointer }, keyword) => {
      const fields = (root.structure.version.dialect.fields[keyword] ?? [keyword]).map((name) =>
        pointerTo(pointer, name),
      );
      const spelled = fields.find((field) => valueAt(definition, field) !== undefined);
      return spelled ?? fields[0] ?? pointer;
    },
  };
}

const readText = async (file: string, name: string, allowRemote: boolean, limits: LoadLimits) => {
  const readBytes = async (): Promise<Uint8Array> => {
    if (!isRemote(file)) return readLocalFile(resolve(file), name, limits.fileBytes);
    if (allowRemote) return readRemoteFile(file, limits);
    throw new MissingFile('it is on another server, which --allow-remote must allow');
  };
  const refuse = ({ message: reason }: MissingFile): never => {
    const message = `The document cannot be read: ${reason}. Name a file that is there.`;
    throw unreadable(name, 'unreadable-file', message);
  };
  return decodeText(name, await readBytes().catch(recoverFrom(MissingFile, refuse)));
};

/**
 * Makes a document of one file's text; references to other files stay unresolved.
 * @param file where the text comes from, for the report
 * @param text YAML or JSON
 * @throws UnreadableDocument where the text is no YAML or no OpenAPI document
 */
export const parseDocument = (
  file: string,
  text: string,
  serving: ServingCheck,
): LoadedDocument => {
  const root = resultOf(readRoot({ path: file, name: file, text }, loadLimits));
  const bundle = bundleAlone(root);
  return resultOf(documentOf({ root, bundle }, {}, serving));
};

/**
 * Loads a document, and the files that it refers to.
 * @param file its path, or with `allowRemote` its URL
 * @throws UnreadableDocument where the file or an overlay cannot be read, or there is no OpenAPI document
 */
export const loadDocument = async (
  file: string,
  options: LoadOptions,
  serving: ServingCheck,
): Promise<LoadedDocument> => {
  const { allowRemote = false, limits = loadLimits, calledAs = file, overlays = [] } = options;
  const { referencesFolder: folder = dirname(file), together = [] } = options;
  const textOf = async (path: string, name: string): Promise<NamedText> => {
    return { path, name, text: await readText(path, name, allowRemote, limits) };
  };
  const text = await textOf(file, calledAs);
  const overlayTexts: NamedText[] = [];
  for (const path of overlays) {
    // One that lies beside its document is named as this is called.
    const isBeside = calledAs !== file && dirname(path) === dirname(file);
    const name = isBeside ? join(dirname(calledAs), basename(path)) : path;
    overlayTexts.push(await textOf(path, name));
  }
  const bundleWith = async (applied: readonly NamedText[]): Promise<Whole> => {
    const root = await resultInSteps(readRoot(text, limits, applied));
    const open = fileOpener(root, { limits, allowRemote, folder, together });
    const bundle = await bundleFiles(root, open);
    return { root, bundle };
  };
  const whole = await bundleWith(overlayTexts);
  if (overlays.length === 0) return resultInSteps(documentOf(whole, options, serving));
  const { root, bundle } = whole;
  const overlaid: Bundle = {
    ...bundle,
    changed: true,
    files: new Set([...overlays.map(uriOf), ...bundle.files]),
    diagnostics: [...root.warnings, ...bundle.diagnostics],
  };
  const before = await bundleWith([]);
  return resultInSteps(documentOf({ root, bundle: overlaid }, options, serving, before));
};
