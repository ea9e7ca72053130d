/**
 * Bundles packages of which little is loaded into one file of the tarball each: they would bring thirty others, or megabytes that
 * no program reads.
 */

import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { rootFolder } from '../root-folder';

/** The packages that are bundled, with the modules that each loads and calls for nothing that is asked of it here. */
const uncalledModules: Readonly<Record<string, readonly string[]>> = {
  '@eslint-community/regexpp': [],
  'json-p3': [],
  'markdown-it': [],
  'openapi-backend': [
    '@apidevtools/json-schema-ref-parser',
    'bath-es5',
    'dereference-json-schema',
    'mock-json-schema',
    'openapi-schema-validator',
    'qs',
  ],
  re2js: [],
};

/** Dependencies of those that are dependencies of the package anyway. */
const external = ['ajv', 'cookie'];

/** Packages whose code is within a file of one of those. */
const inlined: Readonly<Record<string, readonly string[]>> = { 'markdown-it': ['entities'] };

const bundledPackages = Object.keys(uncalledModules);

export const isBundled = (name: string): boolean => name in uncalledModules;

const bundleOf = (name: string): string => `vendor/${name.replace('@', '').replace('/', '-')}.js`;

/**
 * Lets a compiled module load bundled packages by their files.
 *
 * @param root - the way from the module to the folder of the package, such as `../..`
 */
export const withBundles = (module: string, root: string): string =>
  module.replaceAll(/\brequire\((["'])([^"']+)\1\)/g, (call: string, _quote, name: string) =>
    isBundled(name) ? `require("${root}/${bundleOf(name)}")` : call,
  );

/** A module that throws where it is called; its members are such functions, too. */
const throwingModule = (name: string): string => `
const fail = () => { throw new Error(${JSON.stringify(`The module ${name} is not part of this package.`)}); };
module.exports = new Proxy(fail, {
  get: (target, name, self) => (name === '__esModule' ? undefined : name in target ? target[name] : self),
});
`;

const leaveOut = (modules: readonly string[]): Plugin => ({
  name: 'leave-out',
  setup: (bundler) => {
    const namespace = 'uncalled';
    bundler.onResolve({ filter: /^[^.]/ }, ({ path }) =>
      modules.includes(path) ? { path, namespace } : undefined,
    );
    bundler.onLoad({ filter: /./, namespace }, ({ path }) => ({ contents: throwingModule(path) }));
  },
});

/** Bundles a package, and returns the folders of all packages in the bundle. */
const bundle = async (name: string, folder: string): Promise<readonly string[]> => {
  const { metafile } = await build({
    absWorkingDir: rootFolder,
    // In the way of the compiled modules: a package may have other files for modules of ECMAScript.
    stdin: { contents: `module.exports = require('${name}');`, resolveDir: rootFolder },
    outfile: join(folder, bundleOf(name)),
    bundle: true,
    minify: true,
    metafile: true,
    platform: 'node',
    target: 'node20',
    external,
    plugins: [leaveOut(uncalledModules[name] ?? [])],
    logLevel: 'error',
  });
  const loaded = Object.keys(metafile.inputs).flatMap(
    (input) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? [],
  );
  return [...loaded, ...(inlined[name] ?? []).map((one) => `node_modules/${one}`)];
};

/** Returns the licence of an installed package, below its name and version. */
const licenceOf = async (path: string): Promise<string> => {
  const folder = join(rootFolder, path);
  const { name, version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`The package ${name} has no licence file`);
  return `${name} ${version}\n\n${(await readFile(join(folder, file), 'utf8')).trim()}\n`;
};

/** The packages that are in bundles: the files of the tarball that each is in, by its folder, such as `node_modules/lodash`. */
export type Bundled = ReadonlyMap<string, readonly string[]>;

/** Bundles the packages into a folder of the package. */
export const bundleInto = async (folder: string): Promise<Bundled> => {
  const bundled = new Map<string, readonly string[]>();
  for (const name of bundledPackages) {
    for (const path of new Set(await bundle(name, folder))) {
      bundled.set(path, [...(bundled.get(path) ?? []), bundleOf(name)]);
    }
  }
  return new Map([...bundled].sort(([one], [other]) => (one < other ? -1 : 1)));
};

/** Returns the licences of all that is in the bundles. */
export const licencesOf = async (bundled: Bundled): Promise<string> =>
  (await Promise.all([...bundled.keys()].map(licenceOf))).join(`\n${'-'.repeat(72)}\n\n`);
