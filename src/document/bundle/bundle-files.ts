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
import { type Bundle, sourceMapFrom } from './bundle';
import { placementIn } from './component-placement';
import { type ExternalExample, type RefLocation, refFinder, type SearchedPart } from './find-refs';
import { referenceTargets, type UriTarget } from './reference-targets';

interface Task {
  readonly ref: RefLocation;
  readonly file: SourceFile;
  /** The number of references that have led here. */
  readonly hops: number;
  /** True where it is not tried again. */
  readonly isLast?: boolean;
}

interface Found extends SourceLocation {
  readonly value: unknown;
}

/** Tells whether the file of an example is taken as its text: in other formats than those of documents, by the media type, else the name. */
const isTextual = (pointer: string, named: string): boolean => {
  const mediaType = pointerSteps(pointer).at(-3) ?? '';
  return !/[/+.](?:json|ya?ml)(?:;|$)/i.test(mediaType.includes('/') ? mediaType : named);
};

/** More references in a row that are written in place are taken for a circle. */
const longestChain = 100;

/**
 * Bundles a document, yielding requests for files. Its values are changed in place.
 * @param definition the root file's value
 */
export function* bundling(
  root: SourceFile,
  definition: PlainObject,
  structure: Structure,
): Generator<FileRequest | undefined, Bundle, SourceFile> {
  const sourceMap = sourceMapFrom(root);
  const targets = referenceTargets(structure);
  const resolved = new Map<object, Map<string, string>>();
  const reasons = new Map<string, string>();
  const diagnostics: Diagnostic[] = [];
  const unreadable = new Map<string, Diagnostic>();
  const files = new Set<string>();
  const tasks: Task[] = [];
  let isMoved = false;
  let replaced = false;
  const finder = refFinder(structure);
  const placement = placementIn(definition, structure, root);

  const addRefs = (part: SearchedPart, file: SourceFile): void => {
    for (const ref of finder.refsIn(part)) tasks.push({ ref, file, hops: 0 });
  };

  const report = (severity: Diagnostic['severity'], ref: RefLocation, message: string): void => {
    // At the time of the report the reference still stands where it was written.
    const { file, pointer } = sourceMap.of(ref.pointer);
    const position = { file: file.name, pointer, ...file.locate(pointer) };
    diagnostics.push({ severity, rule: 'misplaced-reference', message, ...position });
  };

  /** Gives a dangling reference a text that finds no target in the definition. */
  const danglingText = ({ ref, file }: Task): string => {
    if (ref.redirect === undefined || !ref.target.startsWith('#')) return ref.target;
    if (targets.isMovable(ref, file)) return file === root ? ref.target : file.name + ref.target;
    return targets.targetOf(ref, file).uri + ref.target;
  };

  const reportUnresolved = (task: Task, reason: string): void => {
    const { ref } = task;
    const left = danglingText(task);
    reasons.set(left, reason);
    if (ref.replace === undefined) {
      if (left !== ref.target) ref.redirect?.(left);
      return;
    }
    const message = `The reference ${ref.text} is not allowed here by OpenAPI, and cannot be resolved: ${reason}. Write out its target.`;
    report('error', ref, message);
  };

  /** Merges the target into the reference's holder, whose own members win. */
  const merge = ({ ref, file }: Task, found: Found, value: PlainObject): void => {
    const { holder, kind, pointer } = ref;
    Reflect.deleteProperty(holder, '$ref');
    addRefs({ value: holder, kind, pointer }, file);
    const only = new Set(Object.keys(value).filter((key) => !Object.hasOwn(holder, key)));
    for (const key of only) {
      setOwn(holder, key, value[key]);
      const from = { file: found.file, pointer: pointerTo(found.pointer, key) };
      sourceMap.add(pointerTo(pointer, key), from);
    }
    addRefs({ value: holder, kind, pointer, only }, found.file);
  };

  const replace = (task: Task, found: Found): void => {
    const { ref, hops } = task;
    const { value, file } = found;
    const target = referenceOf(value);
    if (target !== undefined) {
      if (hops > longestChain) reportUnresolved(task, 'it leads in a circle');
      else tasks.push({ ref: { ...ref, target }, file, hops: hops + 1 });
      return;
    }
    const message = `OpenAPI allows no reference here; the target of ${ref.text} is read in its place. Write it out.`;
    report('warning', ref, message);
    replaced = true;
    if (isPlainObject(value) && Object.keys(ref.holder).length > 1) {
      merge(task, found, value);
      return;
    }
    ref.replace?.(value);
    sourceMap.add(ref.pointer, found);
    addRefs({ ...ref, value }, file);
  };

  const redirect = ({ ref, file: from }: Task, found: Found): void => {
    const { file, value } = found;
    let { pointer } = found;
    if (file !== root) {
      resultOf(targets.add({ value, kind: ref.kind, pointer }, file));
      pointer = placement.place({ uri: file.uri, pointer }, value, ref.kind);
      isMoved = true;
      sourceMap.add(pointer, found);
    }
    if (!targets.isMovable(ref, from)) {
      resolved.set(ref.holder, (resolved.get(ref.holder) ?? new Map()).set(ref.key, pointer));
    } else if (file !== root || ref.target !== `#${pointer}`) {
      ref.redirect?.(`#${fragmentOf(pointer)}`);
    }
    addRefs({ value, kind: ref.kind, pointer }, file);
  };

  const resolvedAt = (holder: object): ResolvedPointer | undefined => {
    const pointer = resolved.get(holder)?.get('$ref');
    return pointer === undefined ? undefined : { root: definition, pointer };
  };

  /** Finds a target by a pointer that may pass through references; `blocked` receives those that are not followed yet. */
  const find = (
    { file, pointer }: SourceLocation,
    blocked: (holder: object) => void,
  ): ResolvedPointer =>
    resolvePointer({ root: file.value, pointer }, (ref, holder, from) => {
      const isOurs = from === definition || finder.isRedirected(holder);
      if (!isOurs && !resolved.has(holder) && !ref.startsWith('#')) blocked(holder);
      return resolvedAt(holder) ?? followLocally(ref, holder, isOurs ? definition : from);
    });

  /** References on the way may have been followed by then. */
  const tryAgain = (task: Task, source: SourceFile): void => {
    const { hops } = task;
    if (hops <= longestChain) tasks.push({ ...task, hops: hops + longestChain / 4 });
    else {
      reportUnresolved(task, `${source === root ? 'the document' : source.name} has nothing there`);
    }
  };

  const follow = (task: Task, target: SourceLocation): void => {
    const { ref } = task;
    const source = target.file;
    if (source !== root) files.add(source.uri);
    const { root: tree, pointer } = find(target, (holder) => {
      addRefs({ ...ref, value: holder }, source);
    });
    const value = valueAt(tree, pointer);
    // A reference on the way may have led out of the file, into the definition.
    const found = { file: tree === source.value ? source : root, pointer, value };
    if (value === undefined) tryAgain(task, source);
    else if (ref.replace === undefined) redirect(task, found);
    else replace(task, found);
  };

  const fail = (task: Task, error: unknown): void => {
    if (error instanceof MissingFile) {
      // A file that is opened later may have a schema of that identifier.
      if (task.isLast) reportUnresolved(task, error.message);
      else tasks.push({ ...task, isLast: true });
    } else if (error instanceof UnreadableDocument) {
      const { file } = error.diagnostic;
      unreadable.set(file, error.diagnostic);
      reportUnresolved(task, `${file} cannot be read`);
    } else throw error;
  };

  const addAnchors = (): void => {
    for (const anchor of targets.takeAnchors()) {
      if (anchor.file !== root) tasks.push({ ...anchor, hops: 0 });
    }
  };

  /** Opens a file that may be the one that is meant, if it is there. */
  function* tryFile(
    { ref, file }: Task,
    target: UriTarget,
    uri: string,
    isSelf = false,
  ): Generator<FileRequest | undefined, void, SourceFile> {
    try {
      const found = yield { uri, from: file, isSelf };
      yield* targets.addFile(found, ref);
      targets.take(found, ref, file, target);
    } catch (error) {
      if (!(error instanceof MissingFile)) throw error;
    }
  }

  /**
   * Opens the document that has the wanted identifier (OAS 3.2.0, Appendix F); else the file that lies where it would beside the file
   * of the reference; else that of the URI.
   */
  function* open(
    task: Task,
    target: UriTarget,
  ): Generator<FileRequest | undefined, SourceLocation | undefined, SourceFile> {
    const { ref, file } = task;
    const hasSelf = structure.types.OpenAPI.fields['$self'] !== undefined;
    const byPlace = targets.besideOf(ref, file, target).map((uri) => [uri, false] as const);
    for (const [uri, isSelf] of [...(hasSelf ? [[target.uri, true] as const] : []), ...byPlace]) {
      yield* tryFile(task, target, uri, isSelf);
      const place = targets.placeOf(target);
      if (place !== undefined) return place;
    }
    yield* targets.addFile(yield { uri: target.uri, from: file }, ref);
    return targets.placeOf(target);
  }

  const reportExample = (pointer: string, named: string, reason: string): void => {
    const { file, pointer: at } = sourceMap.of(pointerTo(pointer, 'externalValue'));
    const message = `The example ${named} cannot be read: ${reason.replace(/\.$/, '')}. Mocks do not use it.`;
    const position = { file: file.name, pointer: at, ...file.locate(at) };
    diagnostics.push({ severity: 'warning', rule: 'reference', message, ...position });
  };

  /** Puts the content of a file into the Example Object that names it (OAS 3.1.2, Example Object). */
  function* include({ value: example, pointer }: ExternalExample) {
    const from = sourceMap.of(pointer).file;
    const named = String(example['externalValue']);
    const uri = attempt(() => new URL(named, from.uri).href) ?? named;
    const isText = 'dataValue' in example || isTextual(pointer, named);
    const isSerialized = isText && structure.types.Example.fields['serializedValue'] !== undefined;
    const key = isSerialized ? 'serializedValue' : 'value';
    try {
      const file: SourceFile = yield { uri, from, isText };
      Reflect.deleteProperty(example, 'externalValue');
      setOwn(example, key, file.value);
      sourceMap.add(pointerTo(pointer, key), { file, pointer: '' });
      files.add(uri);
      replaced = true;
    } catch (error) {
      if (error instanceof MissingFile) reportExample(pointer, named, error.message);
      else if (error instanceof UnreadableDocument) {
        reportExample(pointer, named, error.diagnostic.message);
      } else throw error;
    }
  }

  const whole = wholeDocument(definition);
  yield* targets.add(whole, root);
  for (const ref of finder.refsIn(whole)) {
    tasks.push({ ref, file: root, hops: 0 });
    yield;
  }
  for (const task of tasks) {
    yield;
    const { ref, file } = task;
    try {
      const target = targets.targetOf(ref, file);
      const place = targets.placeOf(target) ?? (yield* open(task, target));
      if (place !== undefined) follow(task, place);
    } catch (error) {
      fail(task, error);
    }
    addAnchors();
  }
  for (const example of finder.externalExamples) yield* include(example);
  return {
    definition,
    sourceMap,
    resources: targets.resources,
    resolved,
    componentNames: placement.names,
    reasons,
    files,
    changed: isMoved || replaced,
    replaced,
    diagnostics: [...unreadable.values(), ...diagnostics, ...targets.clashErrors()],
  };
}

const sentences = {
  circle: 'Misplaced references lead in a circle.',
  depth: 'Misplaced references nest too deeply.',
  size: 'Misplaced references repeat too much.',
};

type Excess = keyof typeof sentences;

/** Far above what documents of thousands of operations need. */
const limits = { values: 2_000_000, depth: 1000 };

/** Parts that stand in several places are counted each time. */
const excessOf = (definition: object): Excess | undefined => {
  const sizes = new Map<object, number>();
  const open = new Set<object>();
  let excess: Excess | undefined;

  const measure = (value: object): number => {
    const known = sizes.get(value);
    if (known !== undefined) return known;
    if (open.has(value)) excess ??= 'circle';
    if (open.size > limits.depth) excess ??= 'depth';
    if (excess !== undefined) return 0;
    open.add(value);
    const size = Object.values(value)
      .filter((part) => typeof part === 'object' && part !== null)
      .reduce((sum, part) => sum + measure(part), 1);
    open.delete(value);
    sizes.set(value, size);
    if (size > limits.values) excess ??= 'size';
    return size;
  };

  measure(definition);
  return excess;
};

/**
 * Checks the size of a definition after references were replaced by their targets; files themselves are within bounds.
 * @throws UnreadableDocument
 */
export const requireFinite = (file: string, { definition, replaced }: Bundle): void => {
  const excess = replaced ? excessOf(definition) : undefined;
  if (excess === undefined) return;
  const message = `${sentences[excess]} Write out their targets.`;
  throw unreadable(file, 'misplaced-reference', message);
};

/** Takes no other file; whatever leads to one cannot be followed. */
export const bundleAlone = (
  root: SourceFile,
  definition: PlainObject,
  structure: Structure,
): Bundle => {
  const work = bundling(root, definition, structure);
  let step = work.next();
  while (!step.done) {
    step = step.value ? work.throw(new MissingFile('it leaves the document')) : work.next(root);
  }
  return step.value;
};

/** Opens every file that is reachable. */
export const bundleFiles = async (
  root: SourceFile,
  definition: PlainObject,
  structure: Structure,
  open: OpenFile,
): Promise<Bundle> => {
  const work = bundling(root, definition, structure);
  let step = work.next();
  /** Works until a file is needed. */
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
