/** Documents with overlays: where their faults are said to be, and which text is served of them. */

import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { describeDiagnostic } from '../../../../src/document/diagnostics/diagnostic';
import type { LoadOptions } from '../../../../src/document/document';
import { originalJson, usableJson, usableYaml } from '../../../../src/document/document-texts';
import { loadLimits } from '../../../../src/document/source/source-text';
import { loadApiDocument } from '../../../../src/engine/document/api-document';
import { type Files, head, writeFiles } from '../bundle/source-folder';

const overlay = (actions: string, more = ''): string =>
  `overlay: 1.1.0\ninfo: {title: O, version: '1'}\n${more}actions:\n${actions}\n`;

/** Loads `api.yaml`, or `api.json`, with the overlays among the files. */
const load = async (files: Files, options: Partial<LoadOptions> = {}) => {
  const folder = writeFiles(files);
  const names = Object.keys(files);
  const overlays = names
    .filter((name) => name.includes('overlay'))
    .map((name) => join(folder, name));
  const document = await loadApiDocument(join(folder, names[0] ?? ''), { overlays, ...options });
  const says = document.diagnostics.map((one) =>
    describeDiagnostic(one).replaceAll(folder, 'specs'),
  );
  return { document, says, folder };
};

const ok = `responses: {'200': {description: OK}}`;
const api = `${head}servers: [{url: /a}, {url: /b}]
paths:
  /one: {get: {operationId: one, ${ok}}}
  /two: {get: {operationId: two, ${ok}}}
`;

describe('places', () => {
  test.each([
    [
      'a value that is merged in, and what is within it',
      api,
      '  - {target: $.paths.*.get, update: {parameters: [{name: q, in: qery}]}}',
      /^specs\/a.overlay.yaml:4:65 error: .*qery.*\(\/actions\/0\/update\/parameters\/0\/in\)$/m,
    ],
    [
      'a single value',
      api,
      '  - {target: $.openapi, update: 4.0.0}',
      /^specs\/a.overlay.yaml:4:33 error: OpenAPI 4.0.0 is not known here/,
    ],
    [
      'a missing field of what is new',
      api,
      '  - target: $.paths\n    update:\n      /three:\n        get:\n          operationId: three',
      /^specs\/a.overlay.yaml:8:11 error: Add the required field `responses`.*\(\/actions\/0\/update\/~1three\/get\)$/m,
    ],
    [
      'what was copied',
      api,
      `  - {target: $.paths, update: {/three: {}}}\n  - {target: "$.paths['/three']", copy: "$.paths['/one']"}`,
      /^specs\/a.overlay.yaml:5:41 error: .*operationId "?one.*\(\/actions\/1\/copy\/get\/operationId\)$/m,
    ],
    [
      'an item of the document that moved in its list',
      api.replace('/b}', '/b, x: 1}'),
      `  - {target: '$.servers[0]', remove: true}`,
      /^specs\/api.yaml:3:32 \w+: .*\(\/servers\/1\/x\)$/m,
    ],
    [
      'what was removed, and written again by another action',
      api,
      '  - {target: $, update: {externalDocs: {url: [1]}}}\n  - {target: $.externalDocs, remove: true}\n  - {target: $, update: {externalDocs: {url: 5}}}',
      /^specs\/a.overlay.yaml:6:46 error: .*\(\/actions\/2\/update\/externalDocs\/url\)$/m,
    ],
    [
      'a reference of an overlay that leads nowhere',
      api,
      `  - {target: "$.paths['/one'].get.responses['200']", update: {content: {text/plain: {schema: {$ref: '#/components/schemas/No'}}}}}`,
      /^specs\/a.overlay.yaml:4:101 warning: .*No.*\(\/actions\/0\/update\/content\/text~1plain\/schema\/\$ref\)$/m,
    ],
    [
      'what a misplaced reference stands for, where that comes from an overlay',
      api.replace(`get: {operationId: one, ${ok}}`, `get: {$ref: '#/x-get'}`),
      `  - {target: $, update: {x-get: {operationId: one, ${ok}, summary: 5}}}`,
      /^specs\/a.overlay.yaml:4:\d+ error: .*\(\/actions\/0\/update\/x-get\/summary\)$/m,
    ],
  ])('%s', async (_title, document, actions, expected) => {
    const files = { 'api.yaml': document, 'a.overlay.yaml': overlay(actions) };
    const said = await load(files).then(
      ({ says }) => says.join('\n'),
      (error: Error) => error.message.replace(/^.*\/(?=a\.overlay)/, 'specs/'),
    );
    expect(said).toMatch(expected);
  });

  test('what stays as it is has its place in the document', async () => {
    const document = `${api}unknown: 1\n`;
    const actions = '  - {target: $.info, update: {title: B}}';
    const { says } = await load({ 'api.yaml': document, 'a.overlay.yaml': overlay(actions) });
    expect(says).toEqual([expect.stringMatching(/^specs\/api.yaml:7:\d+ warning: /)]);
  });

  test('an overlay that is called as its document is', async () => {
    const folder = writeFiles({
      'api.yaml': api,
      'api.overlay.yaml': overlay('  - {target: $.no}'),
    });
    const { diagnostics } = await loadApiDocument(join(folder, 'api.yaml'), {
      calledAs: 'main:specs/api.yaml',
      overlays: [join(folder, 'api.overlay.yaml')],
    });
    expect(diagnostics.map(({ file }) => file)).toEqual(['main:specs/api.overlay.yaml']);
  });
});

test.each([
  ['api.yaml', true],
  ['./api.yaml', true],
  ['https://example.com/self.yaml', true],
  ['other.yaml', false],
  ['https://example.com/api.yaml', false],
  ['http://[', false],
])('extends: %s', async (named, isMeant) => {
  const document = api.replace('3.0.3', '3.2.0\n$self: https://example.com/self.yaml');
  const file = overlay('  - {target: $.info, update: {title: B}}', `extends: '${named}'\n`);
  const { says } = await load({ 'api.yaml': document, 'a.overlay.yaml': file });
  expect(says).toEqual(
    isMeant
      ? []
      : [
          `specs/a.overlay.yaml:3:10 warning: The overlay is meant for ${named}, and is applied to specs/api.yaml. (/extends)`,
        ],
  );
});

describe('what is served', () => {
  const retitled = overlay('  - {target: $.info.title, update: B}');

  test.each([
    ['YAML', 'api.yaml', api],
    [
      'JSON',
      'api.json',
      JSON.stringify({ openapi: '3.1.0', info: { title: 'Test', version: '1' }, paths: {} }),
    ],
  ])('the result, and the text of the author: %s', async (_title, name, text) => {
    const { document } = await load({ [name]: text, 'a.overlay.yaml': retitled });
    const titleOf = (parts: Iterable<string>) => JSON.parse([...parts].join('')).info.title;
    expect(titleOf(usableJson(document))).toBe('B');
    expect([...usableYaml(document)].join('')).toContain('title: B\n');
    expect(titleOf(originalJson(document))).toBe('Test');
    expect(document.original.text).toBe(text);
    expect(document.text).not.toBe(text);
  });

  test('several files: references stay relative to their own, those of an overlay to the document', async () => {
    const content = (ref: string) => `{content: {application/json: {schema: {$ref: '${ref}'}}}}`;
    const actions = `  - {target: "$.paths['/one'].get.responses['200']", update: ${content('parts/a.yaml')}}`;
    const { document, says, folder } = await load({
      'api.yaml': api.replace(
        `two, responses: {'200': {description: OK}`,
        `two, responses: {'200': {description: OK, content: {text/plain: {schema: {$ref: parts/b.yaml}}}}`,
      ),
      'parts/a.yaml': '{type: array, items: {$ref: b.yaml}}',
      'parts/b.yaml': '{type: string}',
      'elsewhere/overlay.yaml': overlay(actions),
    });
    expect(says).toEqual([]);
    expect(document.definition.components?.schemas).toEqual({
      a: { type: 'array', items: { $ref: '#/components/schemas/b' } },
      b: { type: 'string' },
    });
    expect(Object(document.original.definition).components.schemas).toEqual({
      b: { type: 'string' },
    });
    expect([...document.files].sort()).toEqual(
      ['elsewhere/overlay.yaml', 'parts/a.yaml', 'parts/b.yaml'].map(
        (name) => `file://${folder}/${name}`,
      ),
    );
  });

  test('a version that an overlay raises', async () => {
    const { document, says } = await load({
      'api.yaml': api,
      'a.overlay.yaml': overlay(
        '  - {target: $.openapi, update: 3.1.0}\n  - {target: $, update: {webhooks: {}}}',
      ),
    });
    expect([document.definition.openapi, says]).toEqual(['3.1.0', []]);
  });
});

test.each([
  ['no overlay', 'openapi: 3.0.3', 'specs/a.overlay.yaml:1:1 error: This is no overlay'],
  ['no YAML', 'overlay: [', 'specs/a.overlay.yaml:1:10 error: The [ of line 1'],
  [
    'too large',
    `overlay: 1.0.0 # ${'x'.repeat(5000)}`,
    'specs/a.overlay.yaml:1:1 error: The file is larger',
  ],
])('a file that cannot be applied: %s', async (_title, text, expected) => {
  const loading = load(
    { 'api.yaml': api, 'a.overlay.yaml': text },
    { limits: { ...loadLimits, fileBytes: 4000 } },
  );
  const message = await loading.then(
    () => 'applied',
    (error: Error) => error.message.replace(/^.*\/(?=a\.overlay)/, 'specs/'),
  );
  expect(message).toContain(expected);
});
