/** The commands of src/server/operating.md, in their order, on a host of their own. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { rootFolder } from '../../scripts/root-folder';
import { usePrivatePostgres } from '../support/private-postgres';
import { useProgram } from '../support/program';
import { describeOnHost, type StandInHost, useStandInHost } from '../support/stand-in-host';

const guide = readFileSync(join(rootFolder, 'src/server/operating.md'), 'utf8');

const blocks = [...guide.matchAll(/^```sh(?: run=(\S+))?\n([\s\S]*?)^```$/gm)].map(
  ([, name, text = '']) => ({ name, text }),
);

/** The first lines of blocks that are not run: they need a package manager, systemd or a public name. */
const notRun = [
  'apt-get update',
  'systemctl daemon-reload',
  'git clone REPOSITORY /opt/spec-first.new',
  'systemctl reload spec-first@8081',
];

test('a block is run, or is known not to be', () => {
  const others = blocks.filter(({ name }) => name === undefined);
  expect(others.map(({ text }) => text.split('\n')[0])).toEqual(notRun);
});

/** A step of the story: what happens on the host before and after its block. */
interface Step {
  readonly before?: (host: StandInHost) => Promise<unknown>;
  readonly after?: (host: StandInHost) => Promise<unknown>;
  readonly prints?: RegExp;
}

/** Runs commands of the test, which succeed; resolves to their output. */
const sh = async (host: StandInHost, commands: string): Promise<string> => {
  const { exitCode, output } = await host.run(commands);
  expect([exitCode, output]).toEqual([0, output]);
  return output;
};

const onSqlite = `
mv /etc/spec-first/database-url /etc/spec-first/postgres-url
echo sqlite:/var/lib/spec-first/services.sqlite > /etc/spec-first/database-url
echo long-password | spec-first-admin user create --service petstore --username bob --password -
`;
const onPostgres = 'mv /etc/spec-first/postgres-url /etc/spec-first/database-url';
const makeKey = 'spec-first-admin api-key create --service petstore --label test > test-key';
const readPet =
  'curl --fail-with-body --retry 3 --cacert /etc/ssl/spec-first/ca.crt -H "api_key: $(cat test-key)" https://api.example/petstore/pet/1';

const makeCredentials = `
spec-first-admin token create --service petstore --user ann --scope 'read:pets' > token &
spec-first-admin api-key create --service petstore --label partner > key
wait
`;
/** The statuses of requests with the credentials that leaked. */
const useCredentials = `
ask() { curl --cacert /etc/ssl/spec-first/ca.crt -o /dev/null -w '%{http_code} ' "$@"; }
ask -H "Authorization: Bearer $(cat token)" https://api.example/petstore/pet/findByStatus?status=available
ask -H "api_key: $(cat key)" https://api.example/petstore/pet/1
`;

/** By the names of their blocks. */
const steps: Readonly<Record<string, Step>> = {
  certificates: {
    after: (host) =>
      host.run(
        'openssl verify -CAfile /etc/ssl/spec-first/ca.crt /etc/ssl/spec-first/postgres.crt',
      ),
  },
  database: { after: (host) => host.startPooler() },
  settings: {},
  proxy: {
    prints: /test is successful/,
    async after(host) {
      await Promise.all([host.startInstance(8081), host.startInstance(8082)]);
      await host.startNginx();
    },
  },
  'first-request': {
    prints: /^ready\nads: current\npetstore: current\n[\s\S]*PUBLIC_URL[\s\S]*"name":"Rex"/,
    after: (host) => sh(host, makeKey),
  },
  prometheus: { prints: /SUCCESS: .* rule/ },
  dump: {},
  drill: { prints: /^pets\|1\npets\|1\n$/ },
  swap: {
    async before(host) {
      await sh(host, "sudo -u postgres psql -d spec_first -c 'truncate items cascade'");
      await Promise.all([host.stopInstance(8081), host.stopInstance(8082)]);
    },
    prints: /^All \d+ stored items fit the document\.$/m,
    async after(host) {
      await host.startInstance(8081);
      expect(await sh(host, readPet)).toMatch(/"name":"Rex"/);
    },
  },
  backup: {
    before: (host) => sh(host, onSqlite),
    prints: /verified|rows/i,
  },
  restore: {
    before: (host) => sh(host, 'echo lost > /var/lib/spec-first/services.sqlite'),
    async after(host) {
      const database = await sh(host, 'head -c 15 /var/lib/spec-first/services.sqlite');
      expect(database).toBe('SQLite format 3');
      await sh(host, onPostgres);
    },
  },
  'leaked-credential': {
    before: (host) => sh(host, makeCredentials),
    async after(host) {
      expect(await sh(host, useCredentials)).toBe('401 401 ');
    },
  },
  'leaked-secret': {
    async after(host) {
      host.reloadPooler();
      expect(await host.stopInstance(8081)).toBe(0);
      await host.startInstance(8081);
      expect(await sh(host, readPet)).toMatch(/"name":"Rex"/);
    },
  },
};

describeOnHost('the guide', () => {
  const program = useProgram();
  const postgres = usePrivatePostgres();
  const host = useStandInHost(
    () => program().build,
    () => postgres().url(),
  );

  const named = blocks.flatMap(({ name, text }) => (name === undefined ? [] : [{ name, text }]));

  test('each of its steps is known', () => {
    expect(named.map(({ name }) => name)).toEqual(Object.keys(steps));
  });

  test.each(named)('$name', async ({ name, text }) => {
    const { before, after, prints = /^/ } = steps[name] ?? {};
    await before?.(host());
    const ran = await host().run(text);
    expect(ran).toEqual({ exitCode: 0, output: expect.stringMatching(prints) });
    await after?.(host());
  });
});
