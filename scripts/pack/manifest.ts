/** The package.json of the package, told from the entry points and from what the compiled files import. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootFolder } from '../root-folder';
import { isBundled } from './bundle';
import type { Reached } from './compiled-files';
import { mainModule, modulesOfEntries, packageName, programModule } from './entries';

/**
 * Packages that a user's program brings where it wants what they are for, with their versions: they are loaded where they are
 * needed alone. Types of Node.js are among them, as two versions of these in one program do not fit each other.
 */
const peers: Readonly<Record<string, string>> = {
  '@scalar/openapi-upgrader': '>=0.4.9',
  '@types/node': '>=20',
  'better-sqlite3': '>=12',
  fastify: '>=4',
  knex: '>=3',
  pg: '>=8',
  'pg-protocol': '>=1',
  tsx: '>=4.19',
};

const project = JSON.parse(readFileSync(join(rootFolder, 'package.json'), 'utf8'));

const versions: Readonly<Record<string, string>> = {
  ...project.dependencies,
  ...project.optionalDependencies,
};

/** Returns the dependencies: patches of the version that the tests ran with. */
const dependenciesOf = (packages: readonly string[]): Record<string, string> => {
  const dependencies: Record<string, string> = {};
  for (const name of packages) {
    const version = versions[name];
    if (version === undefined) throw new Error(`package.json lists no dependency ${name}`);
    dependencies[name] = `~${version}`;
  }
  return dependencies;
};

/** Returns the packages to install with this one. */
const neededPackages = ({ modules, declarations }: Reached): readonly string[] => {
  const missing = [...declarations.packages].filter(isBundled);
  if (missing.length > 0) {
    throw new Error(`Public declarations refer to ${missing.join(', ')}, which is not installed`);
  }
  return [...new Set([...modules.packages, ...declarations.packages])]
    .filter((name) => !isBundled(name) && peers[name] === undefined)
    .sort();
};

const entryPoint = (module: string) => ({
  types: `./dist/${module}.d.ts`,
  default: `./dist/${module}.js`,
});

/** The content of package.json, as far as it is asked here. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly dependencies: Readonly<Record<string, string>>;
  /** The name in the registry of MCP servers. */
  readonly mcpName?: string;
  readonly homepage?: string;
  readonly [field: string]: unknown;
}

/**
 * Returns the repository on GitHub, `OWNER/REPO`, that package.json names; undefined where it names none.
 * @throws Error where it is named in another form
 */
export const repositoryOf = (named: unknown = project.repository): string | undefined => {
  if (named === undefined) return undefined;
  const [, repository] = /^github:([\w-]+\/[\w.-]+)$/.exec(String(named)) ?? [];
  if (repository !== undefined) return repository;
  throw new Error('The repository of package.json is to be "github:OWNER/REPO"');
};

/** Returns the fields that follow from the place of the repository. */
const placesOf = (repository: string | undefined): object => {
  if (repository === undefined) return {};
  const url = `https://github.com/${repository}`;
  return {
    repository: { type: 'git', url: `git+${url}.git` },
    homepage: `${url}#readme`,
    bugs: { url: `${url}/issues` },
    // The registry knows who may publish below this name by the owner of the repository.
    mcpName: `io.github.${repository.split('/')[0]}/${packageName}`,
  };
};

/** Returns the content of package.json. */
export const manifest = (
  version: string,
  reached: Reached,
  repository: string | undefined,
): Manifest => {
  const { types, default: main } = entryPoint(mainModule);
  const exports = Object.entries(modulesOfEntries).map(
    ([name, module]) => [name, entryPoint(module)] as const,
  );
  return {
    name: packageName,
    version,
    description:
      'Serve, mock and test APIs straight from their OpenAPI documents: routing, validation, security, JSON, XML and forms',
    keywords: ['openapi', 'spec-first', 'router', 'validation', 'mock', 'contract-test', 'xml'],
    license: project.license,
    ...placesOf(repository),
    type: 'commonjs',
    engines: project.engines,
    main,
    types,
    exports: { ...Object.fromEntries(exports), './package.json': './package.json' },
    bin: { [packageName]: `dist/${programModule}.js` },
    dependencies: dependenciesOf(neededPackages(reached)),
    peerDependencies: peers,
    peerDependenciesMeta: Object.fromEntries(
      Object.keys(peers).map((name) => [name, { optional: true }]),
    ),
  };
};
