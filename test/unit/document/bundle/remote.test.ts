/** References to other servers: refused unless they are allowed, and then within bounds of time and size. */

import { createServer } from 'node:http';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { describeDiagnostic } from '../../../../src/document/diagnostics/diagnostic';
import { loadLimits } from '../../../../src/document/source/source-text';
import { loadApiDocument } from '../../../../src/engine';
import { listen } from '../../../support/listen';
import { head, loadFiles } from './source-folder';

let origin = '';
const asked: string[] = [];

const contents: Readonly<Record<string, string>> = {
  '/pet.yaml': "properties: {tag: {$ref: 'dir/tag.json#/Tag'}, back: {$ref: '#'}}",
  '/dir/tag.json': '{"Tag": {"type": "string", "default": 5}}',
  '/thief.yaml': 'properties: {a: {$ref: "file:///etc/passwd"}}',
  '/large.yaml': `a: ${'x'.repeat(2000)}`,
  '/api/openapi': `openapi: 3.2.0
$self: /api/openapi
info: {title: Example API, version: '1.0'}
paths: {/foo: {post: {requestBody: {$ref: 'shared/foo#/components/requestBodies/Foo'}}}}`,
  '/api/shared/foo': `openapi: 3.2.0
$self: /api/shared/foo
info: {title: Shared components for all APIs, version: '1.0'}
components:
  requestBodies: {Foo: {content: {application/json: {schema: {$ref: ../schemas/foo}}}}}
  schemas:
    Foo: {$id: /api/schemas/foo, properties: {bar: {$ref: bar}}}
    Bar: {$id: /api/schemas/bar, type: string}`,
};

beforeAll(async () => {
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    // What never ends is ended by the caller's limit.
    if (path === '/slow.yaml') return void response.writeHead(200).write('a: ');
    const content = contents[path];
    response.writeHead(content === undefined ? 404 : 200).end(content);
  });
  origin = await listen(server);
});

const documentOf = (path: string) => ({
  'api.yaml': `${head}paths: {/a: {get: {responses: {'200': {description: A}}}}}\ncomponents: {schemas: {Pet: {$ref: '${origin}${path}'}}}\n`,
});

describe('D10 remote references', () => {
  test('D10 are refused, without a request', async () => {
    asked.length = 0;
    const { diagnostics } = await loadFiles(documentOf('/pet.yaml'));
    expect(diagnostics.map(describeDiagnostic)).toEqual([
      `specs/api.yaml:4:36 warning: The reference ${origin}/pet.yaml cannot be resolved: it leads to another server, which --allow-remote or ALLOW_REMOTE_REFERENCES must allow. Operations that need it are not served. Correct the reference, or add its target. (/components/schemas/Pet/$ref)`,
    ]);
    expect(asked).toEqual([]);
  });

  test('D10 are followed where that is allowed, each file once', async () => {
    asked.length = 0;
    const { definition, diagnostics } = await loadFiles(documentOf('/pet.yaml'), {
      allowRemote: true,
    });
    expect(definition.components?.schemas).toEqual({
      Pet: {
        properties: {
          tag: { $ref: '#/components/schemas/Tag' },
          back: { $ref: '#/components/schemas/Pet' },
        },
      },
      Tag: { type: 'string', default: 5 },
    });
    expect(diagnostics.map(describeDiagnostic)).toEqual([
      `${origin}/dir/tag.json:1:39 warning: The default does not fit its schema: it must be a string. Change it, or leave it out. (/Tag/default)`,
    ]);
    expect(asked).toEqual(['/pet.yaml', '/dir/tag.json']);
  });

  test('W41 appendix F: relative $self and $id on another server', async () => {
    asked.length = 0;
    const address = `${origin}/api/openapi`;
    const { operations, diagnostics } = await loadApiDocument(address, { allowRemote: true });
    const [content] = operations[0]?.requestBody?.content ?? [];
    expect(diagnostics).toEqual([]);
    expect(content?.schema?.properties?.get('bar')?.types).toEqual(['string']);
    expect(asked).toEqual(['/api/openapi', '/api/shared/foo']);
  });

  test.each<[title: string, path: string, reason: string]>([
    ['one that is not there', '/nope.yaml', ' answers 404'],
    ['one that is too large', '/large.yaml', ' is larger than 1000 bytes'],
    ['one that does not come', '/slow.yaml', ' does not answer within 200 ms'],
  ])('D10 %s', async (_title, path, reason) => {
    const limits = { ...loadLimits, fileBytes: 1000, remoteMilliseconds: 200 };
    const { diagnostics } = await loadFiles(documentOf(path), { allowRemote: true, limits });
    expect(diagnostics.map(({ message }) => message)).toEqual([
      `The reference ${origin}${path} cannot be resolved: ${origin}${path}${reason}. Operations that need it are not served. Correct the reference, or add its target.`,
    ]);
  });

  test('D10 a server that is not there', async () => {
    const files = {
      'api.yaml': `${head}paths: {/a: {get: {responses: {'200': {description: A}}}}}\ncomponents: {schemas: {Pet: {$ref: 'http://127.0.0.1:1/a.yaml'}}}\n`,
    };
    const { diagnostics } = await loadFiles(files, { allowRemote: true });
    expect(diagnostics.map(({ message }) => message)).toEqual([
      expect.stringMatching(/: http:\/\/127\.0\.0\.1:1\/a\.yaml does not answer\. /),
    ]);
  });

  test('D10 what comes from elsewhere cannot read local files', async () => {
    const { diagnostics } = await loadFiles(documentOf('/thief.yaml'), { allowRemote: true });
    expect(diagnostics.map(describeDiagnostic)).toEqual([
      `${origin}/thief.yaml:1:24 warning: The reference file:///etc/passwd cannot be resolved: a remote document may not name local files. Operations that need it are not served. Correct the reference, or add its target. (/properties/a/$ref)`,
    ]);
  });
});
