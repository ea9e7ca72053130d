/** What leads programs to the services: `/llms.txt` as llmstxt.org has it, and the API catalog (RFC 9727). */

import { describe, expect, test } from '@jest/globals';
import markdownIt from 'markdown-it';
import { startServices, useServices } from '../support/services';

const services = useServices();

const llms = '/llms.txt';
const catalogPath = '/.well-known/api-catalog';
const linkset = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

interface Target {
  readonly href: string;
  readonly type?: string;
}

type Context = { readonly anchor: string } & Readonly<Record<string, readonly Target[]>>;

const readCatalog = async ({ ask } = services()): Promise<readonly Context[]> =>
  JSON.parse((await ask(`GET ${catalogPath}`)).text).linkset;

test('llms.txt has a heading, a summary, and sections of links', async () => {
  const { text } = await services().ask(`GET ${llms}`);
  const tokens = markdownIt().parse(text, {});
  const headings = tokens.flatMap(({ type, tag }, at) =>
    type === 'heading_open' ? [`${tag} ${tokens[at + 1]?.content}`] : [],
  );
  expect(headings).toEqual([
    'h1 Services',
    'h2 Real-Estate Advertisements Service',
    'h2 Pet Store Service',
  ]);
  expect(tokens[3]?.type).toBe('blockquote_open');
  const { origin } = services();
  const links = [...text.matchAll(/^- \[[^\]]+\]\((\S+)\)$/gm)].map(([, href = '']) => href);
  expect(links).toEqual(
    ['ads', 'petstore'].flatMap((name) =>
      ['docs.md', 'docs/', 'openapi.json', 'openapi.yaml', 'mcp'].map(
        (file) => `${origin}/${name}/${file}`,
      ),
    ),
  );
});

test('the catalog names the services, and what belongs to each', async () => {
  const { origin } = services();
  const [own, ...contexts] = await readCatalog();
  expect(own?.anchor).toBe(origin + catalogPath);
  expect(own?.['item']?.map(({ href }) => href)).toEqual([`${origin}/ads`, `${origin}/petstore`]);
  expect(contexts.map(({ anchor }) => anchor)).toEqual([`${origin}/ads`, `${origin}/petstore`]);
  expect(contexts.map((context) => Object.keys(context))).toEqual(
    Array(2).fill(['anchor', 'service-doc', 'service-desc', 'item', 'status']),
  );
});

test('what the catalog links to is there, and of the type that it says', async () => {
  const { ask, origin } = services();
  const targets = (await readCatalog())
    .slice(1)
    // The endpoint for agents is no document.
    .flatMap(({ anchor: _, item: _endpoint, ...relations }) => Object.values(relations).flat());
  expect(targets).toHaveLength(10);
  for (const { href, type = '' } of targets) {
    const { status, headers } = await ask(`GET ${href.slice(origin.length)}`, { accept: type });
    expect([href, status, headers['content-type']?.split(';')[0]]).toEqual([href, 200, type]);
  }
});

describe.each([
  [llms, 'text/plain; charset=utf-8'],
  [catalogPath, linkset],
])('%s', (path, mediaType) => {
  test('is read by every origin, by HEAD, and sent once', async () => {
    const { ask } = services();
    const got = await ask(`GET ${path}`, { headers: { Origin: 'https://other.test' } });
    expect([got.status, got.headers['content-type']]).toEqual([200, mediaType]);
    expect(got.headers['access-control-allow-origin']).toBe('*');
    const head = await ask(`HEAD ${path}`);
    expect([head.status, head.text, head.headers['content-length']]).toEqual([
      200,
      '',
      String(got.bytes.length),
    ]);
    const link = path === catalogPath ? `<${catalogPath}>; rel="api-catalog"` : undefined;
    expect(head.headers['link']).toBe(link);
    const etag = String(got.headers['etag']);
    const again = await ask(`GET ${path}`, { headers: { 'If-None-Match': etag } });
    expect([again.status, again.text]).toEqual([304, '']);
  });
});

test('they are public, and at the root, where pages of the operator are elsewhere', async () => {
  const production = await startServices({
    ...{ NODE_ENV: 'production', OPERATOR_PATH: '/ops', METRICS_TOKEN: 'a-secret' },
    DEMO_DATA: 'true',
  });
  try {
    const [, ads] = await readCatalog(production);
    expect(ads?.['status']).toEqual([
      { href: `${production.origin}/ops/readyz`, type: 'text/plain' },
    ]);
    const { status, text } = await production.ask(`GET ${llms}`);
    expect([status, text]).toEqual([200, expect.stringContaining('/ads/docs.md')]);
  } finally {
    await production.stop();
  }
});
