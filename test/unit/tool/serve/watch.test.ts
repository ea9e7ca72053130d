/** Documents and handlers that are saved are taken up at once; what is broken leaves what was good. */

import { rmSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { until } from '../../../../scripts/machine/until';
import type { Ask } from '../../../support/ask';
import { greeting, useServing } from './serving';

const { folder, write, serve } = useServing();

/** Waits until a request is answered by a text. */
const untilAnswered = (ask: Ask, target: string, text: string): Promise<string> =>
  until(`${target} answers ${text}`, async () => {
    const answer = (await ask(`GET ${target}`)).text;
    return answer.includes(text) ? answer : undefined;
  });

const untilSaid = (said: () => string, text: string | RegExp): Promise<true> =>
  until(`it says ${text}`, () => (new RegExp(text).test(said()) ? true : undefined));

test('documents, and the files that they refer to', async () => {
  const referring = greeting('first').replace(
    'type: object, example: { text: hello }',
    "$ref: 'parts/part.yaml'",
  );
  write({
    'specs/a.yaml': referring,
    'specs/parts/part.yaml': 'type: object\nexample: { text: part }',
  });
  const { ask, out, err } = await serve({ sources: [folder('specs')], watch: true });
  await untilAnswered(ask, '/first/x', '"part"');
  const warned = referring.replace("{ $ref: 'parts/part.yaml' }", "{ $ref: 'later.yaml' }");
  write({
    'specs/c.yaml': warned
      .replaceAll('first', 'third')
      .replace('paths', 'servers: [{ url: /c }]\npaths'),
  });
  await untilSaid(err, 'c\\.yaml:\\d+:\\d+ error: .*later\\.yaml');
  write({ 'specs/later.yaml': 'type: object\nexample: { text: later }' });
  await untilAnswered(ask, '/c/third/x', '"later"');
  write({ 'specs/parts/part.yaml': 'type: object\nexample: { text: changed }' });
  await untilAnswered(ask, '/first/x', '"changed"');
  write({ 'specs/b.yaml': greeting('second', 'servers: [{ url: /b }]') });
  await untilAnswered(ask, '/b/second/x', 'hello');

  write({ 'specs/b.yaml': 'openapi: 3.0.3\ninfo: [' });
  await untilSaid(err, 'b\\.yaml:2:\\d+ error: ');
  write({ 'specs/a.yaml': referring.replace('maxLength: 5', 'maxLength: -5') });
  await untilSaid(err, 'a\\.yaml:\\d+:\\d+ error: ');
  expect(err().match(/its last good version is served/g)).toHaveLength(2);
  await untilAnswered(ask, '/b/second/x', 'hello');
  await untilAnswered(ask, '/first/x', '"changed"');

  write({ 'specs/a.yaml': referring.replaceAll('first', 'renamed') });
  await untilAnswered(ask, '/renamed/x', '"changed"');
  expect((await ask('GET /first/x')).status).toBe(404);
  rmSync(folder('specs/b.yaml'));
  await untilSaid(out, 'b\\.yaml: no longer served');
  expect((await ask('GET /b/second/x')).status).toBe(404);
  expect(out().match(/a\.yaml: http/g)).toHaveLength(3);
});

test('an edit of a document is told by what it means for callers', async () => {
  write({ 'a.yaml': greeting('first') });
  const { out } = await serve({ sources: [folder('a.yaml')], watch: true });
  const served = 'a\\.yaml: http.*\\n';
  write({ 'a.yaml': greeting('first').replace('maxLength: 5', 'maxLength: 3') });
  await untilSaid(
    out,
    `${served}a: changed\\n  breaking: .*a\\.yaml:9:\\d+ .*maxLength.* \\(first\\)\\n`,
  );
  write({ 'a.yaml': greeting('first').replace('maxLength: 5', 'maxLength: 4') });
  await untilSaid(out, `${served}a: changed\\n  compatible: .*a\\.yaml:9:\\d+ .* \\(first\\)\\n`);
  write({
    'a.yaml': greeting('first').replace('maxLength: 5', 'maxLength: 4').replace('A greeting', 'Hi'),
  });
  await untilSaid(out, `${served}a: changed, texts only\\n$`);
});

test('overlays: those beside the documents of a folder, and those that are named', async () => {
  const overlay = (path: string) =>
    `overlay: 1.1.0\ninfo: {title: O, version: '1'}\nactions:\n  - {target: $.paths, update: {/${path}: {}}}\n  - {target: "$.paths['/${path}']", copy: "$.paths['/first/{name}']"}\n  - {target: "$.paths['/${path}'].get", update: {operationId: ${path}}}\n  - {target: "$.paths['/${path}'].get.parameters", remove: true}\n`;
  write({
    'specs/a.yaml': greeting('first'),
    'specs/single.overlay.yaml': overlay('never'),
    'named.yaml': overlay('one'),
  });
  const sources = [folder('specs')];
  const { ask, err } = await serve({ sources, overlay: [folder('named.yaml')], watch: true });
  await untilAnswered(ask, '/one', 'hello');
  write({ 'specs/a.overlay.yaml': overlay('two') });
  await untilAnswered(ask, '/two', 'hello');
  await untilAnswered(ask, '/one', 'hello');
  expect((await ask('GET /never')).status).toBe(404);
  expect((await ask('GET /openapi.json')).text).toContain('"/two"');
  expect((await ask('GET /openapi.json?original')).text).not.toContain('"/two"');
  expect((await ask('GET /openapi.yaml?original')).text).toBe(greeting('first'));
  write({ 'specs/a.overlay.yaml': overlay('three').replace('$.paths,', '"$.paths[",') });
  await untilSaid(err, 'a\\.overlay\\.yaml:4:\\d+ error: ');
  await untilAnswered(ask, '/two', 'hello');
  write({ 'named.yaml': overlay('four'), 'specs/a.overlay.yaml': overlay('three') });
  await untilAnswered(ask, '/four', 'hello');
  await untilAnswered(ask, '/three', 'hello');
  rmSync(folder('specs/a.overlay.yaml'));
  await until('/three is gone', async () =>
    (await ask('GET /three')).status === 404 ? true : undefined,
  );
});

test.each([
  [
    'ES modules',
    'mjs',
    (text: string) => `export const word = '${text}';`,
    (text: string) =>
      `import { word } from './word.mjs';
       export const first = () => ({ status: 200, body: { text: word + ' ${text}' } });`,
  ],
  [
    'CommonJS',
    'cjs',
    (text: string) => `exports.word = '${text}';`,
    (text: string) =>
      `const { word } = require('./word.cjs');
       exports.first = () => ({ status: 200, body: { text: word + ' ${text}' } });`,
  ],
])('handlers in %s, and what they import', async (_, ending, word, handler) => {
  write({
    'a.yaml': greeting('first'),
    [`handlers/word.${ending}`]: word('one'),
    [`handlers/a.${ending}`]: handler('a'),
  });
  const settings = { sources: [folder('a.yaml')], handlers: folder('handlers'), watch: true };
  const { ask, err } = await serve(settings);
  await untilAnswered(ask, '/first/x', 'one a');
  write({ [`handlers/a.${ending}`]: handler('b') });
  await untilAnswered(ask, '/first/x', 'one b');
  write({ [`handlers/word.${ending}`]: word('two') });
  await untilAnswered(ask, '/first/x', 'two b');
  write({ [`handlers/a.${ending}`]: 'nonsense nonsense' });
  await untilSaid(err, `a\\.${ending}:1 cannot be loaded: .*; its last good version is used`);
  await untilAnswered(ask, '/first/x', 'two b');
  rmSync(folder(`handlers/a.${ending}`));
  await untilAnswered(ask, '/first/x', 'hello');
});

test('requests under way end as they began', async () => {
  const slow = (text: string) => `
    let go;
    const gone = new Promise((resolve) => { go = resolve; });
    exports.first = async () => { await gone; return { status: 200, body: { text: '${text}' } }; };
    exports.second = () => { go(); return { status: 200, body: { text: '${text}' } }; };`;
  write({
    'a.yaml': greeting('first'),
    'b.yaml': greeting('second', 'servers: [{ url: /b }]'),
    'handlers/a.cjs': slow('old'),
  });
  const { ask } = await serve({ handlers: folder('handlers'), watch: true });
  const early = ask('GET /first/x');
  write({ 'handlers/b.cjs': '' });
  await ask('GET /b/second/x');
  write({ 'handlers/a.cjs': slow('new') });
  expect((await early).text).toContain('old');
  await untilAnswered(ask, '/b/second/x', 'new');
  expect((await ask('GET /first/x')).text).toContain('new');
});
