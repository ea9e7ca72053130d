/** Bundles a package of which little is used, and which would bring forty others, into one file of the tarball. */

import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { rootFolder } from '../root-folder';

/** The package that is bundled. */
export const bundledPackage = 'openapi-backend';

/** Modules that it loads, and calls for nothing that the engine asks of it. */
const uncalled = new Set([
  '@apidevtools/json-schema-ref-parser',
  'bath-es5',
  'dereference-json-schema',
  'mock-json-schema',
  'openapi-schema-validator',
  'qs',
]);

/** Packages that are dependencies anyway. */
const external = ['ajv', 'cookie'];

const namespace = 'uncalled';

/** A module that throws where it is called; its members are such functions, too. */
const throwingModule = (name: string): string => `
const fail = () => { throw new Error(${JSON.stringify(`The module ${name} is not part of this package.`)}); };
module.exports = new Proxy(fail, {
  get: (target, name, self) => (name === '__esModule' ? undefined : name in target ? target[name] : self),
});
`;

const leaveOutUncalled: Plugin = {
  name: namespace,
  setup: (bundler) => {
    bundler.onResolve({ filter: /^[^.]/ }, ({ path }) =>
      uncalled.has(path) ? { path, namespace } : undefined,
    );
    bundler.onLoad({ filter: /./, namespace }, ({ path }) => ({ contents: throwingModule(path) }));
  },
};

/** Returns the licence of an installed package, below its name and version. */
const licenceOf = async (name: string): Promise<string> => {
  const folder = join(rootFolder, 'node_modules', name);
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`The package ${name} has no licence file`);
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  return `${name} ${version}\n\n${(await readFile(join(folder, file), 'utf8')).trim()}\n`;
};

/** Bundles the package into a file, and returns the licences of all that is in it. */
export const bundleInto = async (outfile: string): Promise<string> => {
  const { metafile } = await build({
    absWorkingDir: rootFolder,
    entryPoints: [bundledPackage],
    outfile,
    bundle: true,
    minify: true,
    metafile: true,
    platform: 'node',
    target: 'node20',
    external,
    plugins: [leaveOutUncalled],
    logLevel: 'error',
  });
  const names = Object.keys(metafile.inputs).flatMap(
    (input) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? [],
  );
  const licences = await Promise.all([...new Set(names)].sort().map(licenceOf));
  return licences.join(`\n${'-'.repeat(72)}\n\n`);
};
