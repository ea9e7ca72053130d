/** A file system of a test's own that becomes read-only by itself, as after a fault of the device. Only root may mount one. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from '@jest/globals';

/** A mounted file system. */
export interface BreakingDisk {
  readonly folder: string;
  /** From now on nothing can be written, also to files that are open. */
  break(): void;
}

const run = (command: string, ...args: string[]): void => {
  execFileSync(command, args, { stdio: 'ignore' });
};

const mount = (): { readonly place: string; readonly folder: string } => {
  const place = mkdtempSync(join(tmpdir(), 'device-'));
  const [image, folder] = [join(place, 'image'), join(place, 'disk')];
  mkdirSync(folder);
  run('truncate', '-s', '16m', image);
  run('mkfs.ext4', '-q', '-F', image);
  run('mount', '-o', 'loop', image, folder);
  return { place, folder };
};

const unmount = ({ place, folder }: { place: string; folder: string }): void => {
  run('umount', '--lazy', folder);
  rmSync(place, { recursive: true });
};

const canMount = (): boolean => {
  try {
    unmount(mount());
    return true;
  } catch {
    return false;
  }
};

const isPossible = canMount();
if (!isPossible)
  process.stderr.write('No device can be mounted: tests of its faults are skipped\n');

/** `describe` where devices can be mounted; else what is in it is skipped. */
export const describeOnBreakingDisk = isPossible ? describe : describe.skip;

/** Mounts a file system for the tests of a describeOnBreakingDisk. */
export const useBreakingDisk = (): (() => BreakingDisk) => {
  let mounted = { place: '', folder: '' };
  beforeAll(() => {
    mounted = mount();
  });
  afterAll(() => unmount(mounted));
  return () => ({
    folder: mounted.folder,
    // What ext4 does where its journal cannot be written.
    break: () => run('mount', '-o', 'remount,abort', mounted.folder),
  });
};
