/** Makes one self-contained definition of a document and of every file that it refers to. */

import { fragmentOf, valueAt } from '../../lang/json-pointer';
import { isPlainObject, type PlainObject, setOwn } from '../../lang/plain-object';
import { pointerTo } from '../../lang/text-place';
import type { Diagnostic } from '../diagnostics/diagnostic';
import { referenceOf } from '../references/reference-of';
import { followLocally, type ResolvedPointer, resolvePointer } from '../references/resolve-pointer';
import type { SourceFile } from '../source/source-files';
import { UnreadableDocument } from '../source/source-text';
import { type FieldType, object } from '../structure/field-type';
import type { Bundle } from './bundle';
import { placementIn, reservedPlacement, type Target, targetKey } from './component-placement';
import { type RefLocation, refFinder } from './find-refs';
import { outsideTarget, reasonOf, targetFrom } from './reference-target';
import { sourceMapFrom } from './source-map';

/** A file that is needed: answered by the file, or by throwing MissingFile or UnreadableDocument. */
export interface FileRequest {
  readonly uri: string;
  readonly from: SourceFile;
}

/** A site and the file that it stands in. */
interface Task {
  readonly site: RefLocation;
  readonly file: SourceFile;
  /** How many references have led here. */
  readonly hops: number;
}

/** More references in a row that are written in place are taken for a circle. */
const longestChain = 100;

/**
 * Bundles a document, yielding requests for files. Its values are changed in place.
 * @param definition the root file's value
 */
export function* bundling(
  root: SourceFile,
  definition: PlainObject,
): Generator<FileRequest, Bundle, SourceFile> {
  const origins = sourceMapFrom(root);
  const reasons = new Map<string, string>();
  const problems: Diagnostic[] = [];
  const unreadable = new Map<string, Diagnostic>();
  const files = new Set<string>();
  const homeOf = new Map<string, string>();
  const tasks: Task[] = [];
  let changed = false;
  let replaced = false;
  const finder = refFinder();
  const homes = placementIn(
    definition,
    reservedPlacement(definition, (ref) => outsideTarget(root, ref)),
  );

  const addSites = (value: unknown, kind: FieldType, pointer: string, file: SourceFile): void => {
    for (const site of finder.sitesIn({ value, kind, pointer }))
      tasks.push({ site, file, hops: 0 });
  };

  const report = (severity: Diagnostic['severity'], site: RefLocation, message: string): void => {
    // At the time of the report the reference still stands where it was written.
    const { file, pointer } = origins.of(site.pointer);
    const place = { file: file.name, pointer, ...file.locate(pointer) };
    problems.push({ severity, rule: 'misplaced-reference', message, ...place });
  };

  const giveUp = ({ site, file }: Task, reason: string): void => {
    const { ref } = site;
    // What leads nowhere in another file must not lead somewhere in the definition.
    const left = file !== root && ref.startsWith('#') ? `${file.name}${ref}` : ref;
    reasons.set(left, reason);
    if (site.replace === undefined) {
      if (left !== ref) site.redirect(left);
      return;
    }
    const message = `The reference ${site.written} stands where OpenAPI 3.0 allows none, and cannot be resolved: ${reason}. Write out what it stands for.`;
    report('error', site, message);
  };

  /** What stands beside the reference wins over what it leads to. */
  const merge = ({ site, file }: Task, target: Target, source: SourceFile, value: PlainObject) => {
    const { holder = {}, kind, pointer } = site;
    Reflect.deleteProperty(holder, '$ref');
    addSites(holder, kind, pointer, file);
    const only = new Set(Object.keys(value).filter((key) => !Object.hasOwn(holder, key)));
    for (const key of only) {
      setOwn(holder, key, value[key]);
      const origin = { file: source, pointer: pointerTo(target.pointer, key) };
      origins.add(pointerTo(pointer, key), origin);
    }
    for (const inner of finder.sitesIn({ value: holder, kind, pointer, only })) {
      tasks.push({ site: inner, file: source, hops: 0 });
    }
  };

  const replace = (task: Task, target: Target, source: SourceFile, value: unknown): void => {
    const { site, hops } = task;
    const next = referenceOf(value);
    if (next !== undefined) {
      if (hops > longestChain) giveUp(task, 'it leads in a circle');
      else tasks.push({ site: { ...site, ref: next }, file: source, hops: hops + 1 });
      return;
    }
    const message = `OpenAPI 3.0 allows no reference here; what ${site.written} leads to is read in its place. Write it out.`;
    report('warning', site, message);
    changed = true;
    replaced = true;
    if (isPlainObject(value) && Object.keys(site.holder ?? {}).length > 1) {
      merge(task, target, source, value);
      return;
    }
    site.replace?.(value);
    origins.add(site.pointer, { file: source, pointer: target.pointer });
    addSites(value, site.kind, site.pointer, source);
  };

  const redirect = (site: RefLocation, target: Target, source: SourceFile, value: unknown) => {
    const key = targetKey(target);
    const isInRoot = target.uri === root.uri;
    const pointer = isInRoot
      ? target.pointer
      : (homeOf.get(key) ?? homes.settle(target, value, site.kind));
    homeOf.set(key, pointer);
    changed ||= !isInRoot;
    if (!isInRoot) origins.add(pointer, { file: source, pointer: target.pointer });
    if (site.ref !== `#${target.pointer}` || !isInRoot) site.redirect(`#${fragmentOf(pointer)}`);
    addSites(value, site.kind, pointer, source);
  };

  /** Where a target is, by a pointer that may pass through references; `blocked` is told of those not followed yet. */
  const find = (
    target: Target,
    source: SourceFile,
    blocked: (holder: object) => void,
  ): ResolvedPointer =>
    resolvePointer({ root: source.value, pointer: target.pointer }, (ref, holder, from) => {
      const isOurs = from === definition || finder.isRedirected(holder);
      if (!isOurs && !ref.startsWith('#')) blocked(holder);
      return followLocally(ref, holder, isOurs ? definition : from);
    });

  const settle = (task: Task, spot: ResolvedPointer, source: SourceFile, value: unknown): void => {
    // A reference on the way may have led out of the file, into the definition.
    const place = spot.root === source.value ? source : root;
    const target = { uri: place.uri, pointer: spot.pointer };
    if (task.site.replace === undefined) redirect(task.site, target, place, value);
    else replace(task, target, place, value);
  };

  const follow = (task: Task, target: Target, source: SourceFile): void => {
    if (source !== root) files.add(source.uri);
    const { site, hops } = task;
    const spot = find(target, source, (holder) => {
      addSites(holder, site.kind, site.pointer, source);
    });
    const value = valueAt(spot.root, spot.pointer);
    if (value !== undefined) {
      settle(task, spot, source, value);
    } else if (hops > longestChain) {
      giveUp(task, `${source === root ? 'the document' : source.name} has nothing there`);
    } else {
      // References on the way may have been followed by then.
      tasks.push({ ...task, hops: hops + longestChain / 4 });
    }
  };

  addSites(definition, object('OpenAPI'), '', root);
  for (const task of tasks) {
    const { site, file } = task;
    try {
      const target = targetFrom(file, site.ref);
      const source = target.uri === file.uri ? file : yield { uri: target.uri, from: file };
      follow(task, target, source);
    } catch (error) {
      if (error instanceof UnreadableDocument) unreadable.set(error.problem.file, error.problem);
      giveUp(task, reasonOf(error));
    }
  }
  return {
    definition,
    origins,
    componentNames: homes.names,
    reasons,
    files,
    changed: changed || replaced,
    replaced,
    problems: [...unreadable.values(), ...problems],
  };
}
