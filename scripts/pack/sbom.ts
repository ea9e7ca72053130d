/** Lists the packages of the tarball, and those to be installed with it, as a software bill of materials in CycloneDX. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rootFolder } from '../root-folder';
import type { Bundled } from './bundle';
import type { Manifest } from './manifest';

/** A package in the lock file, by its folder. */
interface LockedPackage {
  readonly version: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

type Lock = Readonly<Record<string, LockedPackage>>;

const nameOf = (path: string): string => path.replace(/^.*node_modules\//, '');

const referenceOf = (name: string, version: string): string =>
  `pkg:npm/${name.replace('@', '%40')}@${version}`;

/** Finds the folder of a package as Node.js does: in the folder of the one that asks for it, and above. */
const resolve = (lock: Lock, from: string, name: string): string => {
  const path = `${from === '' ? '' : `${from}/`}node_modules/${name}`;
  if (lock[path] !== undefined) return path;
  if (from === '') throw new Error(`package-lock.json has no package ${name}`);
  return resolve(lock, from.replace(/(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/, ''), name);
};

/** Finds the folders of packages, of their dependencies, and so on. */
const reachedFrom = (lock: Lock, names: readonly string[]): ReadonlyMap<string, string[]> => {
  const reached = new Map<string, string[]>();
  const visit = (path: string): void => {
    if (reached.has(path)) return;
    const next = Object.keys(lock[path]?.dependencies ?? {}).map((name) =>
      resolve(lock, path, name),
    );
    reached.set(path, next);
    next.forEach(visit);
  };
  for (const name of names) visit(resolve(lock, '', name));
  return reached;
};

const componentOf = (lock: Lock, path: string, files: readonly string[] = []) => {
  const { version = '', license = '', integrity = '' } = lock[path] ?? {};
  const [algorithm = '', hash = ''] = integrity.split('-');
  if (version === '' || license === '' || algorithm !== 'sha512') {
    throw new Error(`package-lock.json lacks the version, licence or hash of ${path}`);
  }
  const name = nameOf(path);
  return {
    type: 'library',
    'bom-ref': referenceOf(name, version),
    name,
    version,
    licenses: [/[ (]/.test(license) ? { expression: license } : { license: { id: license } }],
    purl: referenceOf(name, version),
    externalReferences: [
      {
        type: 'distribution',
        url: `https://registry.npmjs.org/${name}/-/${name.replace(/^.*\//, '')}-${version}.tgz`,
        hashes: [{ alg: 'SHA-512', content: Buffer.from(hash, 'base64').toString('hex') }],
      },
    ],
    // Where its code is in the tarball; what has no such place is installed beside it.
    ...(files.length > 0 && { evidence: { occurrences: files.map((location) => ({ location })) } }),
  };
};

/** Returns the bill of materials, with the versions that the tests ran with. It has no time, so that the same files give the same bill. */
export const bomOf = async (manifest: Manifest, bundled: Bundled): Promise<object> => {
  const text = await readFile(join(rootFolder, 'package-lock.json'), 'utf8');
  const lock: Lock = JSON.parse(text).packages;
  const reached = reachedFrom(lock, Object.keys(manifest.dependencies));
  const reference = (path: string) => referenceOf(nameOf(path), lock[path]?.version ?? '');
  // One version may be installed in several folders, and is one component.
  const folders = new Map(
    [...reached.keys(), ...bundled.keys()].map((path) => [reference(path), path]),
  );
  const self = referenceOf(manifest.name, manifest.version);
  const needed = Object.keys(manifest.dependencies).map((name) => `node_modules/${name}`);
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'library',
        'bom-ref': self,
        name: manifest.name,
        version: manifest.version,
        licenses: [{ license: { id: manifest.license } }],
        purl: self,
      },
    },
    components: [...folders.values()].map((path) => componentOf(lock, path, bundled.get(path))),
    dependencies: [
      { ref: self, dependsOn: [...new Set([...bundled.keys(), ...needed])].map(reference) },
      ...[...folders].map(([ref, path]) => ({
        ref,
        dependsOn: (reached.get(path) ?? []).map(reference),
      })),
    ],
  };
};
