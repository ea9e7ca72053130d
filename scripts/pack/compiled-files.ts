/** Compiles the modules that the entry points reach, and finds which files of the result a user's program can load. */

import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { compile } from '../compile/compiler';
import { rootFolder } from '../root-folder';
import { entryModules, modulesOfEntries } from './entries';

/** Compiles the entry points, and all that they import, into JavaScript and declarations. */
export const compileEntries = async (folder: string): Promise<void> => {
  const project = join(folder, 'tsconfig.json');
  const source = join(rootFolder, 'src');
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    stripInternal: true,
    rootDir: source,
    outDir: folder,
    typeRoots: [join(rootFolder, 'node_modules/@types')],
  };
  const files = entryModules.map((module) => join(source, `${module}.ts`));
  const settings = { extends: join(rootFolder, 'tsconfig.json'), compilerOptions, files };
  await mkdir(folder, { recursive: true });
  await writeFile(project, JSON.stringify({ ...settings, include: [] }));
  const errors = await compile(rootFolder, ['-p', project]).errors;
  const said = errors.map(({ file, line, text }) => `${file}:${line} ${text}`);
  if (said.length > 0) throw new Error(`The package cannot be compiled:\n${said.join('\n')}`);
};

/** The files of the package, and the packages that they import. */
export interface ReachedFiles {
  /** Paths in the folder of the compiled modules. */
  readonly files: readonly string[];
  readonly packages: ReadonlySet<string>;
}

/** Returns the name of the package that a module is in: `@scope/name` for `@scope/name/module`. */
const packageOf = (module: string): string => /^(@[^/]+\/)?[^/]+/.exec(module)?.[0] ?? module;

const isOfNode = (module: string): boolean => module.startsWith('node:');

const reachedModules = async (folder: string): Promise<ReachedFiles> => {
  const { metafile } = await build({
    absWorkingDir: folder,
    entryPoints: entryModules.map((module) => `${module}.js`),
    outdir: folder,
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    packages: 'external',
    logLevel: 'error',
  });
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
  const outside = imports.filter(({ external, path }) => external && !isOfNode(path));
  return {
    files: Object.keys(metafile.inputs),
    packages: new Set(outside.map(({ path }) => packageOf(path))),
  };
};

const importInDeclaration = /\b(?:from|import\()\s*["']([^"']+)["']/g;

/** Returns the declarations of a module that a declaration names, which may be a folder. */
const declarationsOf = (folder: string, module: string): string => {
  const file = `${module}.d.ts`;
  return existsSync(join(folder, file)) ? file : join(module, 'index.d.ts');
};

const reachedDeclarations = (folder: string): ReachedFiles => {
  const files = new Set(Object.values(modulesOfEntries).map((module) => `${module}.d.ts`));
  const packages = new Set<string>();
  // A set also gives what is added while it is read.
  for (const file of files) {
    const text = readFileSync(join(folder, file), 'utf8');
    for (const [, module = ''] of text.matchAll(importInDeclaration)) {
      if (module.startsWith('.')) files.add(declarationsOf(folder, join(dirname(file), module)));
      else if (!isOfNode(module)) packages.add(packageOf(module));
    }
  }
  return { files: [...files], packages };
};

/** The JavaScript and the declarations that the entry points reach. */
export interface Reached {
  readonly modules: ReachedFiles;
  readonly declarations: ReachedFiles;
}

/** Follows the imports of compiled modules and of their declarations from the entry points on. */
export const reachedFiles = async (folder: string): Promise<Reached> => ({
  modules: await reachedModules(folder),
  declarations: reachedDeclarations(folder),
});
