/** Makes one self-contained definition of a document and of every file that it refers to. */

import type { PlainObject } from '../../codecs/plain-object';
import { fragmentOf, pointerOfFragment, valueAt } from '../json-pointer';
import type { Problem } from '../problem';
import { referenceOf } from '../references';
import { type Kind, object } from '../structure/kind';
import { type Homes, homesIn, reservedHomes, type Target, targetKey } from './homes';
import { MissingFile } from './missing-file';
import { type Origins, originsFrom } from './origins';
import { type ReferenceSite, siteFinder } from './reference-sites';
import type { SourceFile } from './source-files';
import { UnreadableDocument } from './source-text';

/** One definition made of one file or several. */
export interface Bundle {
  readonly definition: PlainObject;
  readonly origins: Origins;
  /** What components are called whose place had to be called otherwise; undefined for what is no component. */
  readonly componentNames: Homes['names'];
  /** Why references that still lead out of the definition cannot be followed. */
  readonly reasons: ReadonlyMap<string, string>;
  /** URIs of the other files. */
  readonly files: ReadonlySet<string>;
  /** Whether the definition is no longer what the root file says. */
  readonly changed: boolean;
  /** Whether references have been written out in their places. */
  readonly replaced: boolean;
  /** What is wrong with references that stand in the wrong place, and with files that cannot be read. */
  readonly problems: readonly Problem[];
}

/** A file that the bundling needs: answered by the file, or by throwing MissingFile or UnreadableDocument. */
export interface FileRequest {
  readonly uri: string;
  readonly from: SourceFile;
}

/** A site and the file that it stands in. */
interface Task {
  readonly site: ReferenceSite;
  readonly file: SourceFile;
  /** How many references have led here. */
  readonly hops: number;
}

/** More references in a row that are written in place are taken for a circle. */
const longestChain = 100;

/** The clause that says why a file cannot be had. */
const reasonOf = (error: unknown): string => {
  if (error instanceof MissingFile) return error.message;
  if (error instanceof UnreadableDocument) return `${error.problem.file} cannot be read`;
  throw error;
};

const targetFrom = (file: SourceFile, ref: string): Target => {
  const mark = ref.indexOf('#');
  const path = mark < 0 ? ref : ref.slice(0, mark);
  const pointer = mark < 0 ? '' : pointerOfFragment(ref.slice(mark + 1));
  if (pointer === undefined) throw new MissingFile('its fragment is no JSON Pointer such as #/a/b');
  if (!URL.canParse(path, file.uri)) throw new MissingFile('it is no URI');
  return { uri: path === '' ? file.uri : new URL(path, file.uri).href, pointer };
};

/** The target of a reference in the root file that leads out of it. */
const outside = (root: SourceFile, ref: string): Target | undefined => {
  try {
    const target = targetFrom(root, ref);
    return target.uri === root.uri ? undefined : target;
  } catch {
    return undefined;
  }
};

/**
 * Bundles a document, yielding requests for files. Its values are changed in place.
 * @param definition the root file's value
 */
export function* bundling(
  root: SourceFile,
  definition: PlainObject,
): Generator<FileRequest, Bundle, SourceFile> {
  const origins = originsFrom(root);
  const reasons = new Map<string, string>();
  const problems: Problem[] = [];
  const unreadable = new Map<string, Problem>();
  const files = new Set<string>();
  const homeOf = new Map<string, string>();
  const tasks: Task[] = [];
  let changed = false;
  let replaced = false;
  const sitesIn = siteFinder();
  const homes = homesIn(
    definition,
    reservedHomes(definition, (ref) => outside(root, ref)),
  );

  const addSites = (value: unknown, kind: Kind, pointer: string, file: SourceFile): void => {
    for (const site of sitesIn({ value, kind, pointer })) tasks.push({ site, file, hops: 0 });
  };

  const report = (severity: Problem['severity'], site: ReferenceSite, message: string): void => {
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

  const replace = (task: Task, target: Target, source: SourceFile, value: unknown): void => {
    const { site, hops, file } = task;
    if (hops === 0) addSites(site.beside, site.kind, site.pointer, file);
    const next = referenceOf(value);
    if (next !== undefined) {
      if (hops > longestChain) giveUp(task, 'it leads in a circle');
      else tasks.push({ site: { ...site, ref: next }, file: source, hops: hops + 1 });
      return;
    }
    const message = `OpenAPI 3.0 allows no reference here; what ${site.written} leads to is read in its place. Write it out.`;
    report('warning', site, message);
    site.replace?.(value);
    replaced = true;
    origins.add(site.pointer, { file: source, pointer: target.pointer });
    addSites(value, site.kind, site.pointer, source);
  };

  const redirect = (site: ReferenceSite, target: Target, source: SourceFile, value: unknown) => {
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

  const follow = (task: Task, target: Target, source: SourceFile): void => {
    if (source !== root) files.add(source.uri);
    const value = valueAt(source.value, target.pointer);
    if (value === undefined) {
      const where = source === root ? 'the document' : source.name;
      giveUp(task, `${where} has nothing there`);
    } else if (task.site.replace === undefined) {
      redirect(task.site, target, source, value);
    } else {
      replace(task, target, source, value);
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
