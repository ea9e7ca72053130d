/** Makes the tarball of the package. */

import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { transform } from 'esbuild';
import { run } from '../machine/run-program';
import { rootFolder } from '../root-folder';
import { writeBeside, writeJson } from './beside';
import { bundleInto, licencesOf, withBundles } from './bundle';
import { compileEntries, reachedFiles } from './compiled-files';
import { packageName } from './entries';
import { type Manifest, manifest, repositoryOf } from './manifest';
import { versionOf } from './release';
import { bomOf } from './sbom';

/** Copies declarations as they are, and modules without comments; where these load bundled packages, they load them by their files. */
const copyCompiled = async (compiled: string, staged: string, file: string): Promise<void> => {
  const text = await readFile(join(compiled, file), 'utf8');
  const target = join('dist', file);
  await mkdir(join(staged, dirname(target)), { recursive: true });
  const { code } = file.endsWith('.js') ? await transform(text) : { code: text };
  await writeFile(join(staged, target), withBundles(code, posix.relative(dirname(target), '')));
};

/** The places of pages in the package, by their paths in the repository. */
const pages: Readonly<Record<string, string>> = {
  'scripts/pack/README.md': 'README.md',
  'scripts/pack/CHANGELOG.md': 'CHANGELOG.md',
  'src/contract/README.md': 'docs/contract.md',
  'src/contract/testing.md': 'docs/testing.md',
  'src/contract/diff/rules.md': 'docs/rules.md',
  'src/contract/diff/oasdiff.md': 'docs/oasdiff.md',
  'src/engine/README.md': 'docs/engine.md',
  'src/package/README.md': 'docs/package.md',
  'src/engine/migrating/from-express-openapi-validator.md':
    'docs/from-express-openapi-validator.md',
  'src/engine/migrating/from-openapi-backend.md': 'docs/from-openapi-backend.md',
  'src/engine/migrating/from-prism.md': 'docs/from-prism.md',
  'src/engine/migrating/from-ts-rest.md': 'docs/from-ts-rest.md',
  'src/engine/clients.md': 'docs/clients.md',
  'specs/mocks.md': 'docs/mocks.md',
  'src/tool/README.md': 'docs/tool.md',
  'src/mcp/README.md': 'docs/mcp.md',
};

const relativeLinks = /\[([^\]]*)\]\((?![a-z]+:|#)([^)#\s]+)(#[^)\s]*)?\)/g;

/**
 * Writes the pages into the folder of the package, with links that lead to each other alone: what else the repository has is not in the
 * tarball. Of a link to anything else its text remains.
 */
const writePages = async (folder: string): Promise<void> => {
  await mkdir(join(folder, 'docs'), { recursive: true });
  for (const [source, target] of Object.entries(pages)) {
    const text = await readFile(join(rootFolder, source), 'utf8');
    const linked = text.replaceAll(relativeLinks, (_link, label, path, anchor = '') => {
      const page = pages[posix.join(posix.dirname(source), path)];
      if (page === undefined) return label;
      return `[${label}](${posix.relative(posix.dirname(target), page)}${anchor})`;
    });
    await writeFile(join(folder, target), linked);
  }
};

/** Writes the schemas of files that commands read, for editors. The rules that a list may name are those of their page. */
const writeSchemas = async (folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true });
  const tables = await readFile(join(rootFolder, 'src/contract/diff/rules.md'), 'utf8');
  const schema = JSON.parse(await readFile(join(__dirname, 'schemas/allow-list.json'), 'utf8'));
  const rules = [...tables.matchAll(/^\| ([a-z\d-]+) \|/gm)].map(([, rule]) => rule);
  schema.properties.allow.items.properties.rule.enum = rules;
  await writeJson(join(folder, 'allow-list.json'), schema);
};

const stage = async (compiled: string, staged: string): Promise<Manifest> => {
  await compileEntries(compiled);
  const reached = await reachedFiles(compiled);
  const files = [...reached.modules.files, ...reached.declarations.files];
  await Promise.all(files.map((file) => copyCompiled(compiled, staged, file)));
  const bundled = await bundleInto(staged);
  await writeFile(join(staged, 'THIRD-PARTY-LICENSES'), await licencesOf(bundled));
  await cp(join(rootFolder, 'LICENSE'), join(staged, 'LICENSE'));
  await writeSchemas(join(staged, 'schemas'));
  await writePages(staged);
  const changes = await readFile(join(__dirname, 'CHANGELOG.md'), 'utf8');
  const content = manifest(versionOf(changes), reached, repositoryOf());
  await writeJson(join(staged, 'package.json'), content);
  await writeJson(join(staged, 'sbom.cdx.json'), await bomOf(content, bundled));
  return content;
};

/**
 * Compiles the package and packs it: the same files give the same tarball, byte for byte. Beside it is written what is published
 * elsewhere.
 *
 * @param out - the folder of the tarball, which is made where it is not there
 * @returns the path of the tarball
 */
export const pack = async (out: string): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'pack-'));
  const staged = join(folder, 'package');
  try {
    const content = await stage(join(folder, 'compiled'), staged);
    await mkdir(out, { recursive: true });
    await writeBeside(out, content);
    const options = ['--pack-destination', out, '--ignore-scripts', '--loglevel', 'error'];
    await run(['npm', 'pack', ...options], staged);
    return join(out, `${packageName}-${content.version}.tgz`);
  } finally {
    await rm(folder, { recursive: true });
  }
};
