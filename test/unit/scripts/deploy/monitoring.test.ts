/** The alerts and the dashboard: their queries are PromQL, and name metrics that a server has; the dashboard is well-formed. */

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { rootFolder } from '../../../../scripts/root-folder';
import { httpMetrics } from '../../../../src/server/observability/metrics';
import { useTemporaryFolder } from '../../../support/temporary-folder';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly datasource?: { readonly uid: string };
  readonly gridPos: Readonly<Record<'x' | 'y' | 'w' | 'h', number>>;
  readonly targets?: readonly { readonly expr: string; readonly refId: string }[];
  readonly fieldConfig?: { readonly defaults: { readonly unit: string } };
}

interface Dashboard {
  readonly schemaVersion: number;
  readonly panels: readonly Panel[];
  readonly templating: {
    readonly list: readonly { readonly name: string; readonly query: unknown }[];
  };
}

const folder = join(rootFolder, 'scripts', 'deploy');
const textOf = (...path: readonly string[]): string => readFileSync(join(folder, ...path), 'utf8');

const { groups }: { groups: readonly { readonly rules: readonly Rule[] }[] } = parse(
  textOf('prometheus', 'alerts.yml'),
);
const rules = groups.flatMap((group) => group.rules);
const dashboard: Dashboard = JSON.parse(textOf('grafana', 'dashboard.json'));
const { panels } = dashboard;

/** The queries of a panel, as Grafana sends them. */
const queriesOf = ({ targets = [] }: Panel): readonly string[] =>
  targets.map(({ expr }) => expr.replaceAll(/\$__\w+/g, '5m').replaceAll(/\$\w+/g, '.*'));

const queries = [...rules.map(({ expr }) => expr), ...panels.flatMap(queriesOf)];

/** The metrics that a query names: each has its labels in braces, or stands as the operand of `offset`. */
const metricsIn = (query: string): string[] =>
  [...query.matchAll(/\b([a-z][a-z0-9_]*)(?=\{| offset )/g)].map(([, name = '']) => name);

let served: ReadonlySet<string>;

beforeAll(async () => {
  const { text } = await httpMetrics('process').expose();
  const named = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)];
  served = new Set(
    named.flatMap(([, name = '', type]) =>
      type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name],
    ),
  );
});

test('the queries name metrics that a server has', () => {
  const names = new Set(queries.flatMap(metricsIn));
  expect(names.size).toBeGreaterThan(15);
  expect([...names].filter((name) => name !== 'up' && !served.has(name))).toEqual([]);
  expect(queries.filter((query) => metricsIn(query).length === 0)).toEqual([]);
});

describe('alerts', () => {
  test.each(rules)('$alert says how bad it is, what it is, and where to read on', (rule) => {
    expect(['critical', 'warning']).toContain(rule.labels['severity']);
    expect(rule.annotations).toEqual({
      summary: expect.stringMatching(/\S/),
      description: expect.stringMatching(/\.$/),
      runbook_url: `src/server/operating.md#${rule.alert.toLowerCase()}`,
    });
  });

  test('each is tested', () => {
    const tested = textOf('prometheus', 'alerts.test.yml');
    expect(rules.filter(({ alert }) => !tested.includes(`alertname="${alert}"`))).toEqual([]);
  });
});

describe('the dashboard', () => {
  const shown = panels.filter(({ type }) => type !== 'row');

  test('has what Grafana reads: a version, panels of their own ids, and a data source to choose', () => {
    expect(dashboard.schemaVersion).toBe(39);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(dashboard.templating.list[0]).toMatchObject({ name: 'datasource', query: 'prometheus' });
    const fixed = shown.filter(
      ({ datasource }) => !/^\$\{datasource\}$/.test(datasource?.uid ?? ''),
    );
    expect(fixed).toEqual([]);
    const variables = new Set(dashboard.templating.list.map(({ name }) => name));
    const used = JSON.stringify(panels).matchAll(/\$\{?((?!__)\w+)/g);
    expect([...used].filter(([, name = '']) => !variables.has(name))).toEqual([]);
  });

  test.each(shown)('$title has queries and a unit', ({ targets = [], fieldConfig, title }) => {
    expect(title).toMatch(/^[A-Z]/);
    expect(fieldConfig?.defaults.unit).toMatch(/^(s|short|reqps|cps|bytes|percentunit)$/);
    expect(targets.length).toBeGreaterThan(0);
    expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length);
  });

  test('no panel lies on another, or beyond the edge', () => {
    const taken = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)}/${y + Math.floor(at / w)}`),
    );
    expect(new Set(taken).size).toBe(taken.length);
    expect(panels.filter(({ gridPos: { x, w } }) => x + w > 24)).toEqual([]);
  });
});

const promtool = spawnSync('promtool', ['--version']).error === undefined;

// Where Prometheus is not installed, its own checks are skipped.
describe(promtool ? 'by promtool' : 'by promtool, which is not installed', () => {
  const check = promtool ? test : test.skip;
  const fileIn = useTemporaryFolder();
  const run = (...args: readonly string[]) =>
    spawnSync('promtool', args, { cwd: join(folder, 'prometheus'), encoding: 'utf8' });

  check('the alerts are rules, and their tests pass', () => {
    expect(run('check', 'rules', 'alerts.yml')).toMatchObject({ status: 0 });
    expect(run('test', 'rules', 'alerts.test.yml')).toMatchObject({ status: 0 });
    expect(run('check', 'config', '--syntax-only', 'prometheus.yml')).toMatchObject({ status: 0 });
  });

  check('the queries of the dashboard are PromQL', () => {
    const asRules = panels.flatMap(queriesOf).map((expr, at) => ({ record: `panel:${at}`, expr }));
    writeFileSync(
      fileIn('rules.json'),
      JSON.stringify({ groups: [{ name: 'all', rules: asRules }] }),
    );
    expect(run('check', 'rules', fileIn('rules.json'))).toMatchObject({ status: 0 });
  });
});
