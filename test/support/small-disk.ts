/** A small file system of a test's own, which can be filled and made read-only. Only root may mount one. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from '@jest/globals';

/** A mounted file system. */
export interface SmallDisk {
  readonly folder: string;
  /** Leaves no byte free. */
  fill(): Promise<void>;
  /** Takes back what filled it. */
  makeRoom(): Promise<void>;
  /** No file may be open for writing. */
  makeReadOnly(): void;
}

const mebibyte = 1024 * 1024;

const mountAt = (folder: string): void => {
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', folder], { stdio: 'ignore' });
};

const canMount = (): boolean => {
  const folder = mkdtempSync(join(tmpdir(), 'disk-'));
  try {
    mountAt(folder);
    execFileSync('umount', [folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  } finally {
    rmdirSync(folder);
  }
};

const isPossible = canMount();
if (!isPossible) process.stderr.write('Nothing can be mounted: tests of full disks are skipped\n');

/** `describe` where file systems can be mounted; else what is in it is skipped. */
export const describeOnSmallDisk = isPossible ? describe : describe.skip;

/** Mounts a file system for the tests of a describeOnSmallDisk. */
export const useSmallDisk = (): (() => SmallDisk) => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'disk-'));
    mountAt(folder);
  });
  afterAll(() => {
    execFileSync('umount', ['--lazy', folder]);
    rmdirSync(folder);
  });
  return () => {
    const filler = join(folder, 'filler');
    return {
      folder,
      async fill() {
        // A page more than is there; whatever fits is written.
        const { bavail, bsize } = await statfs(folder);
        await writeFile(filler, Buffer.alloc(bavail * bsize + mebibyte)).catch(() => undefined);
      },
      makeRoom: () => rm(filler),
      makeReadOnly: () => {
        execFileSync('mount', ['-o', 'remount,ro', folder]);
      },
    };
  };
};
