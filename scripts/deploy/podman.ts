/** Runs containers by podman, and removes what it made. */

import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { run } from '../pack/run-program';
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

/** The options of `podman build` and `podman run` that all take: the machine's network, and lower limits than podman's own, which not every machine lets it set. */
export const ofThisMachine = [
  '--network=host',
  ...['--ulimit', 'nofile=16384:16384', '--ulimit', 'nproc=4096:4096'],
];

/** A container that runs until it is removed. */
export interface Container {
  /** Runs a program in it; resolves to what that prints. */
  exec(command: readonly string[], environment?: Readonly<Record<string, string>>): Promise<string>;
  /** Resolves to the exit code of a program in it. */
  exitCode(command: readonly string[]): Promise<number>;
  /** Runs a command of podman on it. */
  podman(command: string, ...options: string[]): Promise<string>;
}

let count = 0;

/**
 * Starts a container.
 *
 * @param options - those of `podman run`, the image, and the command
 * @param cleanup - gets what removes the container with its volumes
 */
export const startContainer = async (
  options: readonly string[],
  cleanup: (() => void)[],
): Promise<Container> => {
  count += 1;
  const name = `spec-first-try-${process.pid}-${count}`;
  // Without a pause, since the process may be exiting.
  cleanup.push(() => {
    const [file = '', ...args] = [...program, 'rm', '--force', '--volumes', '--time=2', name];
    execFileSync(file, args, { stdio: 'ignore' });
  });
  await podman('run', '--detach', '--name', name, ...ofThisMachine, ...options);
  const command = (one: readonly string[], environment = {}): string[] => [
    'exec',
    ...Object.entries(environment).flatMap(([key, value]) => ['--env', `${key}=${value}`]),
    name,
    ...one,
  ];
  return {
    exec: (one, environment) => podman(...command(one, environment)),
    exitCode: (one) =>
      new Promise((resolve) => {
        const child = execFile('podman', [...program.slice(1), ...command(one)], () =>
          resolve(child.exitCode ?? 1),
        );
      }),
    podman: (one, ...more) => podman(one, ...more, name),
  };
};
