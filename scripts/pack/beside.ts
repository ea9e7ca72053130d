/** Writes what is published beside the tarball: the entry of the registry of MCP servers, and files for the root of a repository. */

import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rootFolder } from '../root-folder';
import type { Manifest } from './manifest';

const templates = join(rootFolder, 'scripts/ci');

/** Writes a value as a file of JSON. */
export const writeJson = (file: string, value: unknown): Promise<void> =>
  writeFile(file, `${JSON.stringify(value, undefined, 2)}\n`);

/** Returns the content of server.json, of its schema of 2025-12-11; undefined where the repository is not known. */
export const serverEntry = (manifest: Manifest): object | undefined => {
  const { name, version, mcpName, homepage } = manifest;
  if (mcpName === undefined) return undefined;
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: mcpName,
    title: name,
    description:
      'The operations of an OpenAPI document as tools: of a server, or of mocks that remember',
    version,
    websiteUrl: homepage,
    repository: { url: homepage?.replace(/#.*$/, ''), source: 'github' },
    packages: [
      {
        registryType: 'npm',
        identifier: name,
        version,
        runtimeHint: 'npx',
        transport: { type: 'stdio' },
        packageArguments: [
          { type: 'positional', value: 'mcp' },
          {
            type: 'positional',
            valueHint: 'document',
            description: 'The OpenAPI document, YAML or JSON',
            format: 'filepath',
            isRequired: true,
          },
          {
            type: 'named',
            name: '--url',
            description: 'The server that is called; without it, mocks answer',
          },
        ],
      },
    ],
  };
};

/**
 * Writes the folder `root`: the content of a repository whose action and hooks others use, as both are looked for at the root alone.
 * Its package.json is for pre-commit, which installs the folder, and the package with it.
 */
const writeRoot = async (root: string, { name, version, license }: Manifest): Promise<void> => {
  await mkdir(root, { recursive: true });
  await cp(join(rootFolder, 'LICENSE'), join(root, 'LICENSE'));
  for (const file of ['action.yml', 'problem-matcher.json']) {
    await cp(join(templates, file), join(root, file));
  }
  const hooks = await readFile(join(templates, 'pre-commit-hooks.yaml'), 'utf8');
  const pinned = hooks.replace(/^#.*\n/, '').replaceAll('@VERSION', `@${version}`);
  await writeFile(join(root, '.pre-commit-hooks.yaml'), pinned);
  await writeJson(join(root, 'package.json'), { name: `${name}-hooks`, version, license });
};

/** Writes them into the folder of the tarball. */
export const writeBeside = async (out: string, manifest: Manifest): Promise<void> => {
  const entry = serverEntry(manifest);
  if (entry !== undefined) await writeJson(join(out, 'server.json'), entry);
  await writeRoot(join(out, 'root'), manifest);
};
