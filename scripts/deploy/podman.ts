/** Runs containers by podman, and removes what it made. */

import { existsSync } from 'node:fs';
import { atEnd } from '../machine/run-main';
import { run } from '../machine/run-program';
import { rootFolder } from '../root-folder';

/** Without runc podman takes crun, which refuses machines that have both versions of control groups. */
const program = ['podman', '--runtime', 'runc'];

/**
 * Tells what is missing on this machine.
 * @returns a sentence; undefined where containers can be run
 */
export const missingForContainers = (): string | undefined => {
  if (process.getuid?.() !== 0) return 'Only root can make the images and run systemd in one';
  const folders = ['/usr/bin', '/usr/sbin'];
  const missing = ['debootstrap', 'podman', 'runc', 'unshare'].filter(
    (name) => !folders.some((folder) => existsSync(`${folder}/${name}`)),
  );
  return missing.length > 0
    ? `Not installed: apt-get install --no-install-recommends ${missing.join(' ')}`
    : undefined;
};

/** Runs podman to its end; resolves to what it prints. */
export const podman = (...args: string[]): Promise<string> =>
  run([...program, ...args], rootFolder);

/**
 * The options that `podman build` and `podman run` always get: the machine's network, and lower limits than podman's own, which not
 * every machine lets it set.
 */
export const ofThisMachine = [
  '--network=host',
  ...['--ulimit', 'nofile=16384:16384', '--ulimit', 'nproc=4096:4096'],
];

/** A container that runs until it is removed. */
export interface Container {
  /** Runs a program in it; resolves to what that prints. */
  exec(command: readonly string[], environment?: Readonly<Record<string, string>>): Promise<string>;
  /** Runs a command of podman on it. */
  podman(command: string, ...options: string[]): Promise<string>;
  /** Resolves to the last lines of both its outputs. */
  log(): Promise<string>;
}

let count = 0;

/**
 * Starts a container, which is removed at the end with its volumes.
 *
 * @param options - those of `podman run`, the image, and the command
 */
export const startContainer = async (options: readonly string[]): Promise<Container> => {
  count += 1;
  const name = `spec-first-try-${process.pid}-${count}`;
  atEnd(() => podman('rm', '--force', '--volumes', '--time=2', name));
  await podman('run', '--detach', '--name', name, ...ofThisMachine, ...options);
  return {
    exec(command, environment = {}) {
      const variables = Object.entries(environment).map(([key, value]) => `--env=${key}=${value}`);
      return podman('exec', ...variables, name, ...command);
    },
    podman: (command, ...more) => podman(command, ...more, name),
    log: () => run(['sh', '-c', `${program.join(' ')} logs --tail=20 ${name} 2>&1`], rootFolder),
  };
};
