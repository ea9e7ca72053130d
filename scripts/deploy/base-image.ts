/** Makes the image that stands for the base images of the Dockerfile, since no registry is asked: Debian with Node.js and npm. */

import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { cp, mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../pack/run-program';
import { rootFolder } from '../root-folder';
import { type Cleanup, podman } from './podman';

/** The base images of a Dockerfile, and what their tags say. */
export interface Bases {
  readonly images: readonly string[];
  /** The version of Node.js. */
  readonly node: string;
  /** The name of Debian's version. */
  readonly debian: string;
}

/** Reads the base images from the text of a Dockerfile. */
export const basesOf = (dockerfile: string): Bases => {
  const images = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image = '']) => image);
  const [, node, debian] = /^node:([\d.]+)-([a-z]+)/.exec(images.at(-1) ?? '') ?? [];
  if (node === undefined || debian === undefined) {
    throw new Error('The last base image of the Dockerfile is not node:VERSION-DEBIAN');
  }
  return { images, node, debian };
};

/** Debian's packages beside the smallest system: systemd runs the unit, the compiler is for `--exact` alone. */
const packages = ['systemd'];
const compiler = ['g++', 'make', 'python3'];

/** The packages that are compiled, where npm finds them already compiled, and how prebuild-install calls that. */
const compiled = [
  {
    folder: 'better-sqlite3-12',
    name: 'better-sqlite3',
    file: 'better_sqlite3.node',
    abi: `node-v${process.versions.modules}`,
  },
  { folder: 'sqlite3', name: 'sqlite3', file: 'node_sqlite3.node', abi: 'napi-v6' },
];

/** Puts what the checkout has compiled where prebuild-install looks before it asks the network or compiles. */
const copyCompiled = async (root: string): Promise<string[]> => {
  const folder = join(root, 'prebuilds');
  await mkdir(folder);
  const variables: string[] = [];
  for (const { folder: home, name, file, abi } of compiled) {
    const installed = join(rootFolder, 'node_modules', home);
    const { version } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
    const tarball = `${name}-v${version}-${abi}-${process.platform}-${process.arch}.tar.gz`;
    await run(['tar', '-czf', join(folder, tarball), join('build/Release', file)], installed);
    variables.push(`npm_config_${name.replace('-', '_')}_local_prebuilds=/prebuilds`);
  }
  return variables;
};

/** Returns the folder with the Node.js of that version, as the tests of the package have it. */
const exactNode = async (version: string): Promise<string> => {
  const [major] = version.split('.');
  const folder = join(rootFolder, 'scripts/pack/node_modules', `node${major}`);
  const found = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')).version;
  if (found !== version) throw new Error(`scripts/pack has Node.js ${found}, not ${version}`);
  return folder;
};

const copyNode = async (root: string, exact: string | undefined): Promise<string[]> => {
  const local = join(root, 'usr/local');
  const npm = process.env['npm_execpath'];
  if (npm === undefined) throw new Error('Start this by npm run deploy-test');
  await cp(join(npm, '../..'), join(local, 'lib/npm'), { recursive: true });
  await symlink('../lib/npm/bin/npm-cli.js', join(local, 'bin/npm'));
  await cp(
    exact === undefined ? process.execPath : join(exact, 'bin/node'),
    join(local, 'bin/node'),
  );
  await symlink('/usr/local/bin/node', join(root, 'usr/bin/node'));
  if (exact === undefined) return copyCompiled(root);
  await cp(join(exact, 'include'), join(local, 'include'), { recursive: true });
  return ['npm_config_nodedir=/usr/local'];
};

const make = async (
  tag: string,
  debian: string,
  exact: string | undefined,
  cleanup: Cleanup,
): Promise<void> => {
  // Not below /tmp, which may be in memory, or without devices.
  const folder = mkdtempSync('/var/tmp/spec-first-base-');
  cleanup.push(() => rmSync(folder, { recursive: true }));
  const root = join(folder, 'root');
  const tarball = join(folder, 'root.tar');
  const included = [...packages, ...(exact === undefined ? [] : compiler)].join();
  const debootstrap = ['debootstrap', '--variant=minbase', `--include=${included}`];
  // What it mounts is gone with its namespace, however it ends.
  await run(['unshare', '--mount', ...debootstrap, debian, root], rootFolder);
  const variables = await copyNode(root, exact);
  await run(['tar', '-cf', tarball, '--exclude=./var/cache/apt/archives/*.deb', '.'], root);
  const changes = [
    ...variables,
    'npm_config_prefer_offline=true',
    'npm_config_cafile=/etc/ssl/certs/ca-certificates.crt',
  ].flatMap((variable) => ['--change', `ENV ${variable}`]);
  await podman('import', '--quiet', ...changes, tarball, tag);
};

/**
 * Makes the image, unless an earlier run has left the same one.
 *
 * @param isExact - true for the version of Node.js that the Dockerfile names, with a compiler; false for the one that runs
 * @returns its name
 */
export const baseImage = async (
  { node, debian }: Bases,
  isExact: boolean,
  cleanup: Cleanup,
): Promise<string> => {
  const exact = isExact ? await exactNode(node) : undefined;
  const hash = createHash('sha256').update(await readFile(__filename));
  hash.update(await readFile(join(rootFolder, 'package-lock.json')));
  hash.update(`${debian} ${exact} ${node} ${process.version}`);
  const tag = `localhost/spec-first-base:${hash.digest('hex').slice(0, 12)}`;
  const known = await podman('images', '--quiet', tag);
  if (known === '') await make(tag, debian, exact, cleanup);
  return tag;
};
