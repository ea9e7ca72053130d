/** Lists the packages of the tarball, and those to be installed with it, as a software bill of materials in CycloneDX. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rootFolder } from '../root-folder';
import type { Bundled } from './bundle';
import type { Manifest } from './manifest';

/** The packages of the lock file, by their folders. */
type Lock = Readonly<
  Record<
    string,
    {
      readonly version: string;
      readonly license?: string;
      readonly dependencies?: Readonly<Record<string, string>>;
    }
  >
>;

/** Finds the folder of a package as Node.js does: in the folder of the one that asks for it, and above. */
const resolve = (lock: Lock, from: string, name: string): string => {
  const path = `${from === '' ? '' : `${from}/`}node_modules/${name}`;
  if (lock[path] !== undefined) return path;
  if (from === '') throw new Error(`package-lock.json has no package ${name}`);
  return resolve(lock, from.replace(/(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/, ''), name);
};

/** Finds the folders of packages, of their dependencies, and so on. */
const reachedFrom = (lock: Lock, names: readonly string[]): ReadonlySet<string> => {
  const reached = new Set(names.map((name) => resolve(lock, '', name)));
  // A set also gives what is added while it is read.
  for (const path of reached) {
    for (const name of Object.keys(lock[path]?.dependencies ?? {})) {
      reached.add(resolve(lock, path, name));
    }
  }
  return reached;
};

const componentOf = (name: string, version: string, license: string) => {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const licence = /[ (]/.test(license) ? { expression: license } : { license: { id: license } };
  return { type: 'library', 'bom-ref': purl, name, version, licenses: [licence], purl };
};

/** Returns the bill of materials, with the versions that the tests ran with. It has no time, so that the same files give the same bill. */
export const bomOf = async (manifest: Manifest, bundled: Bundled): Promise<object> => {
  const text = await readFile(join(rootFolder, 'package-lock.json'), 'utf8');
  const lock: Lock = JSON.parse(text).packages;
  const paths = [...bundled.keys(), ...reachedFrom(lock, Object.keys(manifest.dependencies))];
  const components = paths.map((path) => {
    const { version, license } = lock[path] ?? {};
    if (version === undefined || license === undefined) {
      throw new Error(`package-lock.json lacks the version or the licence of ${path}`);
    }
    // Where its code is in the tarball; what has no such place is installed beside it.
    const occurrences = bundled.get(path)?.map((location) => ({ location }));
    const component = componentOf(path.replace(/^.*node_modules\//, ''), version, license);
    return { ...component, ...(occurrences && { evidence: { occurrences } }) };
  });
  // One version may be in several folders, and is one component.
  const isFirst = ({ purl }: { purl: string }, index: number): boolean =>
    components.findIndex((other) => other.purl === purl) === index;
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: componentOf(manifest.name, manifest.version, manifest.license) },
    components: components.filter(isFirst),
  };
};
