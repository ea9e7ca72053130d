/** A host below a folder, on which the commands of documentation run as they are: paths and ports alone are others. */

import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import {
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { freePort } from '../../scripts/machine/free-port';
import { until } from '../../scripts/machine/until';
import { rootFolder } from '../../scripts/root-folder';
import { describeOnPostgres } from './private-postgres';
import { type StartedProcess, startProcess } from './process';
import { isOpen } from './raw-socket';
import { hasPgbouncer, pgbouncerBinary, pgbouncerOwner } from './run/pgbouncer';

const nginxBinary = '/usr/sbin/nginx';
const promtoolBinary = '/usr/bin/promtool';

const isInstalled = [nginxBinary, promtoolBinary].every((file) => existsSync(file)) && hasPgbouncer;
const isPossible = process.getuid?.() === 0 && isInstalled;
const isWanted = isPossible || process.env['REQUIRE_NGINX'] === 'true';
if (!isWanted) {
  process.stderr.write(
    'nginx, PgBouncer or promtool is not installed, or the user is not root: the guide for operators is not run\n',
  );
}

/** `describe` where root runs the tests, and nginx, promtool, PgBouncer and PostgreSQL are installed; fails elsewhere where REQUIRE_NGINX=true. */
export const describeOnHost = isWanted ? describeOnPostgres : describe.skip;

/** The outcome of commands. */
export interface Ran {
  readonly exitCode: number | null;
  /** What they wrote to both outputs. */
  readonly output: string;
}

/** The host. */
export interface StandInHost {
  /** Gives the place of a path on it. */
  path(path: string): string;
  /** Runs commands of Bash until the first one fails. */
  run(commands: string): Promise<Ran>;
  /** Starts PgBouncer as systemd would. */
  startPooler(): Promise<void>;
  /** Has PgBouncer read its files again. */
  reloadPooler(): void;
  /** Starts an instance of the server, named by its port, and waits until it serves. */
  startInstance(port: number): Promise<void>;
  /** Ends it in order; resolves to the exit code. */
  stopInstance(port: number): Promise<number | null>;
  /** Starts nginx, and waits until it takes connections. */
  startNginx(): Promise<void>;
}

const isReady = (origin: string): Promise<boolean> =>
  fetch(`${origin}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

/** The part of Debian's own file that matters. */
const nginxConfiguration = (root: string): string => `
daemon off;
pid ${root}/run/nginx.pid;
error_log ${root}/var/log/nginx/error.log;
events { worker_connections 768; }
http {
  client_body_temp_path ${root}/var/lib/nginx/body;
  proxy_temp_path ${root}/var/lib/nginx/proxy;
  access_log off;
  include ${root}/etc/nginx/conf.d/*.conf;
}
`;

/** Folders that packages of Debian and systemd make. */
const folders = [
  ...[
    'etc/nginx/conf.d',
    'etc/nginx/sites-enabled',
    'etc/pgbouncer',
    'etc/prometheus',
    'etc/systemd/system',
  ],
  ...['opt/spec-first/scripts/deploy', 'run/lock', 'usr/local/sbin'],
  ...[
    'var/lib/nginx',
    'var/lib/spec-first',
    'var/log/nginx',
    'var/log/postgresql',
    'var/run/postgresql',
  ],
];

/** The ports of the guide, and those in their place. */
const portsInPlaceOf = async (ports: readonly number[]): Promise<Map<string, string>> => {
  const free = new Set<number>();
  while (free.size < ports.length) free.add(await freePort());
  return new Map([...free].map((port, index) => [String(ports[index]), String(port)]));
};

const makeHost = async (build: string, postgresUrl: string) => {
  const root = await mkdtemp(join(tmpdir(), 'host-'));
  await chmod(root, 0o755);
  const ports = await portsInPlaceOf([80, 443, 6432, 8081, 8082]);
  const { port: postgresPort } = new URL(postgresUrl);
  ports.set('5432', postgresPort);
  const portOf = (port: number | string): string => ports.get(String(port)) ?? String(port);
  const children = new Map<string, ChildProcess>();

  /** Where paths and ports lie here. */
  const place = (text: string): string =>
    text
      .replaceAll(/^ *listen \[::\]:.*\n/gm, '')
      .replaceAll(/(?<=\blisten )(?:80|443)\b/g, (port) => `127.0.0.1:${portOf(port)}`)
      .replaceAll(/(?<=[:= ])(?:5432|6432|808[12])\b/g, portOf)
      .replaceAll(/(?<![\w.}/])\/(?=(?:etc|opt|run|usr\/local|var)\/)/g, `${root}/`);

  const path = (text: string): string => place(` ${text}`).trim();

  for (const folder of folders) await mkdir(path(`/${folder}`), { recursive: true });
  const { uid = 0, gid = 0 } = pgbouncerOwner();
  for (const folder of ['log', 'run']) await chown(path(`/var/${folder}/postgresql`), uid, gid);
  const program = path('/opt/spec-first');
  await cp(join(rootFolder, 'specs'), join(program, 'specs'), { recursive: true });
  await symlink(build, join(program, 'dist'));
  for (const name of ['node_modules', 'package.json']) {
    await symlink(join(rootFolder, name), join(program, name));
  }
  const deploy = join(rootFolder, 'scripts/deploy');
  await cp(deploy, join(program, 'scripts/deploy'), { recursive: true });
  const files = await readdir(join(program, 'scripts/deploy'), { recursive: true });
  for (const file of files.filter((name) => /\.(?:conf|ini|service|yml)$/.test(name))) {
    const copied = join(program, 'scripts/deploy', file);
    await writeFile(copied, place(await readFile(copied, 'utf8')));
  }
  await writeFile(path('/etc/nginx/nginx.conf'), nginxConfiguration(root));
  // The name leads here, as it will once it is registered.
  await writeFile(
    join(root, '.curlrc'),
    `silent\nshow-error\nconnect-to = "api.example:443:127.0.0.1:${portOf(443)}"\n`,
  );

  const environment = {
    PATH: [
      path('/usr/local/sbin/').replace(/\/$/, ''),
      dirname(process.execPath),
      ...['/usr/sbin', '/usr/bin', '/bin', process.env['PATH']],
    ].join(delimiter),
    CURL_HOME: root,
    PASSWORD_COST: '10',
  };

  const launch = (
    command: string,
    args: readonly string[],
    options: SpawnOptions = {},
  ): StartedProcess => startProcess(command, args, { env: environment, ...options });

  /** Commands that are others here: each user is trusted by PostgreSQL, and the configuration of nginx lies elsewhere. */
  const standIns = `set -euo pipefail
sudo() { shift 2; PGHOST=127.0.0.1 PGPORT=${postgresPort} PGUSER=postgres "$@"; }
nginx() { command nginx -c ${root}/etc/nginx/nginx.conf "$@"; }
`;

  const run = async (commands: string): Promise<Ran> => {
    const { ended, output } = launch('bash', ['-c', standIns + place(commands)], { cwd: root });
    return { exitCode: await ended, output: output() };
  };

  /** Waits until a service that was started serves at a port. */
  const serve = async (
    name: string,
    { child, output }: StartedProcess,
    port: number,
    serves: (origin: string) => Promise<boolean> = isOpen,
  ): Promise<void> => {
    children.set(name, child);
    const look = async (): Promise<true | undefined> => {
      if (child.exitCode !== null) throw new Error(`${name} ended: ${output()}`);
      return (await serves(`http://127.0.0.1:${portOf(port)}`)) || undefined;
    };
    await until(`${name} serves`, look, { timeoutMilliseconds: 60_000 });
  };

  const end = async (name: string): Promise<number | null> => {
    const child = children.get(name);
    if (child === undefined) throw new Error(`${name} does not run`);
    children.delete(name);
    child.kill('SIGTERM');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
    return child.exitCode;
  };

  const host: StandInHost = {
    path,
    run,
    startPooler: () =>
      serve(
        'PgBouncer',
        launch(pgbouncerBinary, [path('/etc/pgbouncer/pgbouncer.ini')], { uid, gid, cwd: '/' }),
        6432,
      ),
    reloadPooler: () => {
      children.get('PgBouncer')?.kill('SIGHUP');
    },
    startInstance(port) {
      const start = `set -a; . /etc/spec-first/settings; cd /opt/spec-first
        NODE_ENV=production PORT=${port} exec node dist/src/main.js`;
      const variables = {
        DATABASE_URL_FILE: path('/etc/spec-first/database-url'),
        METRICS_TOKEN_FILE: path('/etc/spec-first/metrics-token'),
      };
      const started = launch('bash', ['-c', place(start)], {
        env: { ...environment, ...variables },
      });
      return serve(`${port}`, started, port, isReady);
    },
    stopInstance: (port) => end(`${port}`),
    startNginx: () =>
      serve('nginx', launch(nginxBinary, ['-c', path('/etc/nginx/nginx.conf')]), 443),
  };
  const remove = async (): Promise<void> => {
    for (const name of [...children.keys()].reverse()) await end(name);
    await rm(root, { recursive: true });
  };
  return { host, remove };
};

/** Makes a host for the tests of a describeOnHost. */
export const useStandInHost = (
  build: () => string,
  postgresUrl: () => string,
): (() => StandInHost) => {
  let made: Awaited<ReturnType<typeof makeHost>> | undefined;
  beforeAll(async () => {
    made = await makeHost(build(), postgresUrl());
  });
  afterAll(() => made?.remove());
  return () => {
    if (made === undefined) throw new Error('There is no host');
    return made.host;
  };
};
