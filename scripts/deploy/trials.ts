/** Runs the image as compose.yaml does, and the program as its unit does, and tells each the story. */

import assert from 'node:assert';
import { chmodSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { newSecret } from '../../src/identity/token';
import { freePort } from '../machine/free-port';
import { atEnd, temporaryFolder } from '../machine/run-main';
import { until } from '../machine/until';
import { type Container, podman, startContainer } from './podman';
import { type Deployed, tellStory } from './story';

const metricsToken = newSecret();

/** Writes files that containers read, into a folder that is removed at the end. */
const secretFiles = (files: Readonly<Record<string, string>>): string => {
  const folder = temporaryFolder('spec-first-secrets-', '/var/tmp');
  chmodSync(folder, 0o755);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), `${text}\n`);
  return folder;
};

/** The part of a service in compose.yaml that says how its container is held. */
interface Held {
  readonly read_only: boolean;
  readonly cap_drop: readonly string[];
  readonly security_opt: readonly string[];
  readonly mem_limit: string;
  readonly pids_limit: number;
}

/** Returns the options of `podman run` that hold the container as compose.yaml says. */
const heldAsComposed = async (): Promise<string[]> => {
  const text = await readFile(join(__dirname, 'compose.yaml'), 'utf8');
  const server: Held = parse(text).services.server;
  assert.equal(server.read_only, true);
  return [
    // Podman would put a writable /tmp into it.
    ...['--read-only', '--read-only-tmpfs=false'],
    ...server.cap_drop.map((name) => `--cap-drop=${name}`),
    ...server.security_opt.map((option) => `--security-opt=${option.replace(/:true$/, '')}`),
    `--memory=${server.mem_limit}`,
    `--pids-limit=${server.pids_limit}`,
  ];
};

/** Returns the error codes of writing a file into each folder; an empty text where it was written. */
const writesInto = async (
  { exec }: Container,
  folders: readonly string[],
  ...enter: string[]
): Promise<string[]> => {
  const script = `
    const { rmSync, writeFileSync } = require('node:fs');
    for (const folder of process.argv.slice(1)) {
      let code = '';
      try { writeFileSync(folder + '/written', ''); rmSync(folder + '/written'); } catch (error) { code = error.code; }
      console.log(folder + ' ' + code);
    }`;
  const lines = await exec([...enter, 'node', '-e', script, '--', ...folders]);
  return lines.split('\n').map((line) => line.split(' ')[1] ?? '');
};

/** Runs the image with its data in a volume. */
export const tryImage = async (image: string): Promise<string> => {
  const port = await freePort();
  const secrets = secretFiles({ 'metrics-token': metricsToken });
  const container = await startContainer([
    ...(await heldAsComposed()),
    ...['--volume', `${secrets}:/run/secrets:ro`, '--env', `PORT=${port}`],
    ...['--env', 'METRICS_TOKEN_FILE=/run/secrets/metrics-token', image],
  ]);
  const server: Deployed = {
    url: `http://127.0.0.1:${port}`,
    metricsToken,
    admin: (args, environment) =>
      container.exec(['node', 'dist/src/admin.js', ...args], environment),
    reload: () => container.podman('kill', '--signal=HUP'),
    async stop() {
      await container.podman('stop', '--time=20');
      assert.equal(await container.podman('inspect', '--format={{.State.ExitCode}}'), '0');
    },
    start: () => container.podman('start'),
    log: container.log,
  };
  return tellStory(server, async () => {
    await container.podman('healthcheck', 'run');
    assert.equal(await container.exec(['id', '-u']), '10001');
    const folders = ['/', '/app', '/app/dist', '/app/specs', '/tmp', '/app/data'];
    const codes = await writesInto(container, folders);
    assert.deepEqual(codes, ['EROFS', 'EROFS', 'EROFS', 'EROFS', 'EROFS', '']);
  });
};

const unit = 'spec-first.service';

/** The folders in which the unit expects the project, its settings and its data. */
const places = {
  project: '/opt/spec-first',
  settings: '/etc/spec-first',
  data: '/var/lib/spec-first',
};

/**
 * Runs the program of an image by systemd, in a container that boots it.
 *
 * @param base - the image with systemd
 * @param image - the image with the program
 */
export const tryUnit = async (base: string, image: string): Promise<string> => {
  const port = await freePort();
  const secrets = {
    'metrics-token': metricsToken,
    'database-url': `sqlite:${places.data}/services.sqlite`,
    settings: `PORT=${port}`,
  };
  const files = await podman('image', 'mount', image);
  atEnd(() => podman('image', 'unmount', image));
  const container = await startContainer([
    // systemd makes namespaces and control groups for the unit.
    ...['--privileged', '--systemd=always'],
    ...['--volume', `${files}/app:${places.project}:ro`],
    ...['--volume', `${secretFiles(secrets)}:${places.settings}:ro`],
    ...['--volume', `${join(__dirname, unit)}:/etc/systemd/system/${unit}:ro`],
    // Outside of containers systemd shares mounts by itself; credentials reach the unit by one.
    ...[base, 'sh', '-c', 'mount --make-rshared / && exec /lib/systemd/systemd'],
  ]);
  const { exec } = container;
  const systemctl = (...args: string[]) => exec(['systemctl', ...args]);
  const show = (property: string) => systemctl('show', '--value', `--property=${property}`, unit);
  // It is degraded where a unit of the container itself has failed.
  await until('systemd has started', async () =>
    /^(running|degraded)$/.test(await systemctl('show', '--value', '--property=SystemState')),
  );
  await exec(['systemd-analyze', 'verify', unit]);
  const security = await exec(['systemd-analyze', 'security', unit]);
  await systemctl('start', unit);
  const server: Deployed = {
    url: `http://127.0.0.1:${port}`,
    metricsToken,
    admin: (args, environment) =>
      exec(['node', `${places.project}/dist/src/admin.js`, ...args], {
        DATABASE_URL: secrets['database-url'],
        SPECS_DIRECTORY: `${places.project}/specs`,
        ...environment,
      }),
    reload: () => systemctl('reload', unit),
    async stop() {
      await systemctl('stop', unit);
      assert.deepEqual([await show('Result'), await show('ExecMainStatus')], ['success', '0']);
    },
    start: () => systemctl('start', unit),
    log: () => exec(['journalctl', '--no-pager', '--lines=20']),
  };
  const told = await tellStory(server, async () => {
    const enter = ['nsenter', '--mount', `--target=${await show('MainPID')}`];
    const folders = ['/', '/etc', '/usr', places.project, places.settings, places.data];
    const codes = await writesInto(container, folders, ...enter);
    assert.deepEqual(codes, ['EROFS', 'EROFS', 'EROFS', 'EROFS', 'EROFS', '']);
  });
  assert.equal(await show('NRestarts'), '0');
  const [, exposure] = /exposure level for .*?: ([\d.]+)/.exec(security) ?? [];
  return `${told}; exposure ${exposure}`;
};
