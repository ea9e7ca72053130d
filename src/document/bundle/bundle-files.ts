/** Makes one self-contained definition of a document and of every file that it refers to. */

import { fragmentOf, pointerSteps, pointerTo, valueAt } from '../../base/json-pointer';
import { isPlainObject, type PlainObject, setOwn } from '../../base/plain-object';
import { attempt } from '../../base/recover';
import { resultInSteps, resultOf, type Steps } from '../../base/run-in-steps';
import type { Diagnostic } from '../diagnostics/diagnostic';
import {
  followLocally,
  type ResolvedPointer,
  referenceOf,
  resolvePointer,
} from '../references/references';
import type { FileRequest, OpenFile, SourceFile, SourceLocation } from '../source/source-files';
import { MissingFile, UnreadableDocument, unreadable } from '../source/source-text';
import { type Structure, wholeDocument } from '../structure/positions';
import { type Bundle, SourceMap } from './bundle';
import { ComponentPlacement } from './component-placement';
import { type ExternalExample, type RefLocation, refFinder, type SearchedPart } from './find-refs';
import { ReferenceTargets, type UriTarget } from './reference-targets';

interface Task {
  readonly ref: RefLocation;
  readonly file: SourceFile;
  /** The number of references that have led here. */
  readonly hops: number;
  /** True where it is not tried again. */
  readonly isLast?: boolean;
}

/** The file that a document begins with. */
export interface RootFile extends SourceFile {
  readonly definition: PlainObject;
  readonly structure: Structure;
}

type Found = SourceLocation & { readonly value: unknown };

/** More references in a row that are written in place are taken for a circle. */
const longestChain = 100;

/** Work that yields a request where it needs a file, and undefined between other steps. */
type Requests<Result> = Generator<FileRequest | undefined, Result, SourceFile>;

/** Makes one definition of a document and its files: follows one reference after the other, and those that it finds on the way. The definition is changed in place. */
class Bundler {
  readonly #root: SourceFile;
  readonly #definition: PlainObject;
  readonly #structure: Structure;
  readonly #sourceMap: SourceMap;
  readonly #targets: ReferenceTargets;
  readonly #finder;
  readonly #placement: ComponentPlacement;
  readonly #tasks: Task[] = [];
  /** The pointers into the definition of references that stay as they are. */
  readonly #resolved = new Map<object, Map<string, string>>();
  /** The reasons why references dangle, by their texts. */
  readonly #reasons = new Map<string, string>();
  readonly #diagnostics: Diagnostic[] = [];
  readonly #unreadable = new Map<string, Diagnostic>();
  readonly #files = new Set<string>();
  #isMoved = false;
  #replaced = false;

  constructor(root: RootFile) {
    const { definition, structure } = root;
    this.#root = root;
    this.#definition = definition;
    this.#structure = structure;
    this.#sourceMap = new SourceMap(root);
    this.#targets = new ReferenceTargets(structure);
    this.#finder = refFinder(structure);
    this.#placement = new ComponentPlacement(definition, structure, root);
  }

  *run(): Requests<Bundle> {
    const whole = wholeDocument(this.#definition);
    yield* this.#targets.add(whole, this.#root);
    for (const ref of this.#finder.refsIn(whole)) {
      this.#tasks.push({ ref, file: this.#root, hops: 0 });
      yield;
    }
    for (const task of this.#tasks) {
      yield;
      try {
        const target = this.#targets.targetOf(task.ref, task.file);
        const place = this.#targets.placeOf(target) ?? (yield* this.#open(task, target));
        if (place !== undefined) this.#follow(task, place);
      } catch (error) {
        this.#fail(task, error);
      }
      for (const anchor of this.#targets.takeAnchors()) {
        if (anchor.file !== this.#root) this.#tasks.push({ ...anchor, hops: 0 });
      }
    }
    for (const example of this.#finder.externalExamples) yield* this.#include(example);
    const { resources } = this.#targets;
    const clashes = resources.clashes.map(({ file, pointer, message }): Diagnostic => {
      const place = { file: file.name, pointer, ...file.locate(pointer) };
      return { severity: 'error', rule: 'identifier', message, ...place };
    });
    return {
      definition: this.#definition,
      sourceMap: this.#sourceMap,
      resources,
      resolved: this.#resolved,
      componentNames: this.#placement.names,
      reasons: this.#reasons,
      files: this.#files,
      changed: this.#isMoved || this.#replaced,
      replaced: this.#replaced,
      diagnostics: [...this.#unreadable.values(), ...this.#diagnostics, ...clashes],
    };
  }

  #addRefs(part: SearchedPart, file: SourceFile): void {
    for (const ref of this.#finder.refsIn(part)) this.#tasks.push({ ref, file, hops: 0 });
  }

  /**
   * Opens the document that has the wanted identifier (OAS 3.2.0, Appendix F); else the file that lies where it would beside the file
   * of the reference; else that of the URI.
   */
  *#open(task: Task, target: UriTarget): Requests<SourceLocation | undefined> {
    const { ref, file } = task;
    const hasSelf = this.#structure.types.OpenAPI.fields['$self'] !== undefined;
    const byPlace = this.#targets.besideOf(ref, file, target).map((uri) => [uri, false] as const);
    for (const [uri, isSelf] of [...(hasSelf ? [[target.uri, true] as const] : []), ...byPlace]) {
      try {
        const found = yield { uri, from: file, isSelf };
        yield* this.#targets.addFile(found, ref);
        this.#targets.take(found, ref, file, target);
      } catch (error) {
        if (!(error instanceof MissingFile)) throw error;
      }
      const place = this.#targets.placeOf(target);
      if (place !== undefined) return place;
    }
    yield* this.#targets.addFile(yield { uri: target.uri, from: file }, ref);
    return this.#targets.placeOf(target);
  }

  #follow(task: Task, target: SourceLocation): void {
    const { ref } = task;
    const source = target.file;
    if (source !== this.#root) this.#files.add(source.uri);
    const { root: tree, pointer } = this.#find(target, ref);
    const value = valueAt(tree, pointer);
    // A reference on the way may have led out of the file, into the definition.
    const found = { file: tree === source.value ? source : this.#root, pointer, value };
    if (value === undefined && task.hops <= longestChain) {
      // References on the way may have been followed by then.
      this.#tasks.push({ ...task, hops: task.hops + longestChain / 4 });
    } else if (value === undefined) {
      const name = source === this.#root ? 'the document' : source.name;
      this.#reportUnresolved(task, `${name} has nothing there`);
    } else if (ref.replace === undefined) this.#redirect(task, found);
    else this.#replace(task, found);
  }

  /** Finds a target by a pointer that may pass through references; those that are not followed yet become tasks. */
  #find({ file, pointer }: SourceLocation, searched: RefLocation): ResolvedPointer {
    return resolvePointer({ root: file.value, pointer }, (ref, holder, from) => {
      const isOurs = from === this.#definition || this.#finder.isRedirected(holder);
      const known = this.#resolved.get(holder);
      if (!isOurs && known === undefined && !ref.startsWith('#')) {
        this.#addRefs({ ...searched, value: holder }, file);
      }
      const resolved = known?.get('$ref');
      if (resolved !== undefined) return { root: this.#definition, pointer: resolved };
      return followLocally(ref, holder, isOurs ? this.#definition : from);
    });
  }

  #redirect({ ref, file: from }: Task, found: Found): void {
    const { file, value } = found;
    let { pointer } = found;
    if (file !== this.#root) {
      resultOf(this.#targets.add({ value, kind: ref.kind, pointer }, file));
      pointer = this.#placement.place({ uri: file.uri, pointer }, value, ref.kind);
      this.#isMoved = true;
      this.#sourceMap.add(pointer, found);
    }
    if (!this.#targets.isMovable(ref, from)) {
      const pointers = this.#resolved.get(ref.holder) ?? new Map();
      this.#resolved.set(ref.holder, pointers.set(ref.key, pointer));
    } else if (file !== this.#root || ref.target !== `#${pointer}`) {
      ref.redirect?.(`#${fragmentOf(pointer)}`);
    }
    this.#addRefs({ value, kind: ref.kind, pointer }, file);
  }

  #replace(task: Task, found: Found): void {
    const { ref, hops } = task;
    const { value, file } = found;
    const target = referenceOf(value);
    if (target !== undefined) {
      if (hops > longestChain) this.#reportUnresolved(task, 'it leads in a circle');
      else this.#tasks.push({ ref: { ...ref, target }, file, hops: hops + 1 });
      return;
    }
    const message = `OpenAPI allows no reference here; the target of ${ref.text} is read in its place. Write it out.`;
    this.#report('warning', ref, message);
    this.#replaced = true;
    const { holder, kind, pointer } = ref;
    if (!isPlainObject(value) || Object.keys(holder).length <= 1) {
      ref.replace?.(value);
      this.#sourceMap.add(pointer, found);
      this.#addRefs({ ...ref, value }, file);
      return;
    }
    // The target is merged into the holder of the reference, whose own members win.
    Reflect.deleteProperty(holder, '$ref');
    this.#addRefs({ value: holder, kind, pointer }, task.file);
    const only = new Set(Object.keys(value).filter((key) => !Object.hasOwn(holder, key)));
    for (const key of only) {
      setOwn(holder, key, value[key]);
      const origin = { file, pointer: pointerTo(found.pointer, key) };
      this.#sourceMap.add(pointerTo(pointer, key), origin);
    }
    this.#addRefs({ value: holder, kind, pointer, only }, file);
  }

  /** Puts the content of a file into the Example Object that names it (OAS 3.1.2, Example Object). */
  *#include({ value: example, pointer }: ExternalExample): Requests<void> {
    const from = this.#sourceMap.of(pointer).file;
    const named = String(example['externalValue']);
    const uri = attempt(() => new URL(named, from.uri).href) ?? named;
    const mediaType = pointerSteps(pointer).at(-3) ?? '';
    const format = mediaType.includes('/') ? mediaType : named;
    // Files in other formats than those of documents are taken as their text.
    const isText = 'dataValue' in example || !/[/+.](?:json|ya?ml)(?:;|$)/i.test(format);
    const { fields } = this.#structure.types.Example;
    const key = isText && fields['serializedValue'] !== undefined ? 'serializedValue' : 'value';
    try {
      const file: SourceFile = yield { uri, from, isText };
      Reflect.deleteProperty(example, 'externalValue');
      setOwn(example, key, file.value);
      this.#sourceMap.add(pointerTo(pointer, key), { file, pointer: '' });
      this.#files.add(uri);
      this.#replaced = true;
    } catch (error) {
      if (!(error instanceof MissingFile || error instanceof UnreadableDocument)) throw error;
      const reason = error instanceof MissingFile ? error.message : error.diagnostic.message;
      const message = `The example ${named} cannot be read: ${reason.replace(/\.$/, '')}. Mocks do not use it.`;
      const place = this.#placeOf(pointerTo(pointer, 'externalValue'));
      this.#diagnostics.push({ severity: 'warning', rule: 'reference', message, ...place });
    }
  }

  #fail(task: Task, error: unknown): void {
    if (error instanceof MissingFile) {
      // A file that is opened later may have a schema of that identifier.
      if (task.isLast) this.#reportUnresolved(task, error.message);
      else this.#tasks.push({ ...task, isLast: true });
    } else if (error instanceof UnreadableDocument) {
      const { file } = error.diagnostic;
      this.#unreadable.set(file, error.diagnostic);
      this.#reportUnresolved(task, `${file} cannot be read`);
    } else throw error;
  }

  #reportUnresolved(task: Task, reason: string): void {
    const { ref } = task;
    const left = this.#danglingText(task);
    this.#reasons.set(left, reason);
    if (ref.replace !== undefined) {
      const message = `The reference ${ref.text} is not allowed here by OpenAPI, and cannot be resolved: ${reason}. Write out its target.`;
      this.#report('error', ref, message);
    } else if (left !== ref.target) ref.redirect?.(left);
  }

  /** Gives a dangling reference a text that finds no target in the definition. */
  #danglingText({ ref, file }: Task): string {
    if (ref.redirect === undefined || !ref.target.startsWith('#')) return ref.target;
    if (!this.#targets.isMovable(ref, file)) {
      return this.#targets.targetOf(ref, file).uri + ref.target;
    }
    return file === this.#root ? ref.target : file.name + ref.target;
  }

  /** Reports a reference while it still stands where it was written. */
  #report(severity: Diagnostic['severity'], ref: RefLocation, message: string): void {
    const place = this.#placeOf(ref.pointer);
    this.#diagnostics.push({ severity, rule: 'misplaced-reference', message, ...place });
  }

  #placeOf(pointer: string) {
    const { file, pointer: at } = this.#sourceMap.of(pointer);
    return { file: file.name, pointer: at, ...file.locate(at) };
  }
}

/**
 * Checks the size of a definition after references were replaced by their targets; files themselves are within bounds.
 * @throws UnreadableDocument
 */
export const requireFinite = (file: string, { definition, replaced }: Bundle): void => {
  // Far above what documents of thousands of operations need.
  const limits = { values: 2_000_000, depth: 1000 };
  const sizes = new Map<object, number>();
  const open = new Set<object>();
  const refuse = (fault: string): never => {
    const message = `Misplaced references ${fault}. Write out their targets.`;
    throw unreadable(file, 'misplaced-reference', message);
  };
  // Parts that stand in several places are counted each time.
  const measure = (value: object): number => {
    const known = sizes.get(value);
    if (known !== undefined) return known;
    if (open.has(value)) refuse('lead in a circle');
    if (open.size > limits.depth) refuse('nest too deeply');
    open.add(value);
    const size = Object.values(value)
      .filter((part) => typeof part === 'object' && part !== null)
      .reduce((sum, part) => sum + measure(part), 1);
    open.delete(value);
    sizes.set(value, size);
    if (size > limits.values) refuse('repeat too much');
    return size;
  };
  if (replaced) measure(definition);
};

/** Takes no other file; whatever leads to one cannot be followed. */
export const bundleAlone = (root: RootFile): Bundle => {
  const work = new Bundler(root).run();
  let step = work.next();
  while (!step.done) {
    step = step.value ? work.throw(new MissingFile('it leaves the document')) : work.next(root);
  }
  return step.value;
};

/** Opens every file that is reachable. */
export const bundleFiles = async (root: RootFile, open: OpenFile): Promise<Bundle> => {
  const work = new Bundler(root).run();
  let step = work.next();
  function* untilRequest(): Steps<FileRequest | undefined> {
    while (!step.done && step.value === undefined) {
      step = work.next(root);
      yield;
    }
    return step.done ? undefined : step.value;
  }
  for (;;) {
    const request = await resultInSteps(untilRequest());
    if (step.done) return step.value;
    if (request === undefined) continue;
    try {
      step = work.next(await open(request));
    } catch (error) {
      step = work.throw(error);
    }
  }
};
