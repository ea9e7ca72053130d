/** Overlays: what they make of a document, and what is said of their faults. */

import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { makeFuel } from '../../../../src/base/fuel';
import { pointerOf } from '../../../../src/base/json-pointer';
import { resultOf } from '../../../../src/base/run-in-steps';
import { definitionJson } from '../../../../src/document/bundle/write-definition';
import { describeDiagnostic } from '../../../../src/document/diagnostics/diagnostic';
import { applyOverlays } from '../../../../src/document/overlay/apply-overlay';
import { readQuery, selectedPlaces } from '../../../../src/document/overlay/json-path';
import { overlaidText } from '../../../../src/document/overlay/overlaid-text';
import { readSource } from '../../../../src/document/source/read-source';
import type { SourceFile } from '../../../../src/document/source/source-files';
import { loadLimits, UnreadableDocument } from '../../../../src/document/source/source-text';
import { casesOf, fieldsOf, rowsOf } from '../../../support/text-cases';

const fileOf = (name: string, text: string): SourceFile => ({
  uri: `file:///specs/${name}`,
  name,
  ...readSource(name, text),
});

const overlayOf = (version: string, actions: string): SourceFile => {
  const list = actions.trimStart().replaceAll(/^(?!\n)/gm, '  ');
  return fileOf(
    'o.yaml',
    `overlay: ${version}\ninfo: {title: O, version: '1'}\nactions:\n${list}\n`,
  );
};

/** Applies overlays to a text; gives the result as JSON, and what is said. */
const apply = (document: string, overlays: readonly SourceFile[], limits = loadLimits) => {
  try {
    const file = fileOf('api.yaml', document);
    const { tree, warnings } = resultOf(applyOverlays(file, overlays, limits));
    return { json: definitionJson(tree.value), says: warnings.map(describeDiagnostic) };
  } catch (error) {
    if (!(error instanceof UnreadableDocument)) throw error;
    return { json: undefined, says: [describeDiagnostic(error.diagnostic)] };
  }
};

const cases = (file: string) =>
  casesOf(join(__dirname, file)).filter(([title]) => !title.startsWith('#'));

test.each(cases('overlay.cases.txt'))('%s', (_title, lines) => {
  const fields = fieldsOf(lines);
  const textOf = (wanted: string) => fields.find(([key]) => key === wanted)?.[1];
  const overlays = fields.flatMap(([key, text]) => {
    const [, version] = /^actions(?: (1\.0))?$/.exec(key) ?? ['', undefined];
    return key.startsWith('actions') ? [overlayOf(`${version ?? '1.1'}.0`, text)] : [];
  });
  const document = textOf('document') ?? '';
  const before = definitionJson(readSource('', document).value);
  const { json, says } = apply(document, overlays);
  const result = textOf('result');
  expect(says).toEqual(fields.flatMap(([key, text]) => (key === 'says' ? [text] : [])));
  expect(json).toBe(result && definitionJson(readSource('', result).value));
  expect(definitionJson(fileOf('api.yaml', document).value)).toBe(before);
});

test.each(cases('faults.cases.txt'))('%s', (_title, lines) => {
  const [[, overlay], [, says]] = fieldsOf(lines) as [[string, string], [string, string]];
  const said = says.replace(/^[\d:]+/, 'o.yaml:$& error:');
  expect(apply('{a: {b: 1}}', [fileOf('o.yaml', overlay)]).says).toEqual([said]);
});

test.each([
  ['1.0.0', ''],
  ['1.0.7', ''],
  ['1.1.0', ', description: D'],
  ['1.1.12', ', description: D'],
])('all fields that an overlay of %s may have', (version, more) => {
  const text = `overlay: ${version}
info: {title: O, version: '1'${more}, x-info: {a: 1}}
extends: api.yaml
x-overlay: null
actions: [{target: $.a, description: D, update: {c: 2}, remove: false, x-action: [1]}]`;
  expect(apply('{a: {b: 1}}', [fileOf('o.yaml', text)])).toEqual({
    json: '{"a":{"b":1,"c":2}}',
    says: [],
  });
});

describe('queries', () => {
  const rows = cases('json-path.cases.txt').flatMap(([title, lines]) =>
    rowsOf(lines).map(([value = '', query = '', places = '']) => [title, query, value, places]),
  );

  test.each(rows)('%s: %s of %s', (_title, text = '', value = '', places = '') => {
    const query = readQuery(text);
    if ('clause' in query) {
      expect(places).toBe('not');
      return;
    }
    const root = Object(readSource('', value).value);
    const found = resultOf(selectedPlaces(query, root, makeFuel(1000))).map(pointerOf);
    expect(found.sort()).toEqual(
      places === '""'
        ? ['']
        : places
            .split(' ')
            .filter((place) => place !== 'none')
            .sort(),
    );
  });
});

describe('bounds', () => {
  const numbers = JSON.stringify(Array.from({ length: 2000 }, (_, index) => index));

  test.each([
    // Exponential for an engine that tries all ways.
    [`["${'a'.repeat(60)}"]`, `{target: "$[?match(@, '(a+)+b')]", remove: true}`, '4:14 warning'],
    [`{a: ${numbers}}`, `{target: "$.a[?count($..*) > 1]", remove: true}`, 'steps'],
    [`{a: ${numbers}}`, `{target: "$..[?@..[?$..[?@]]]", remove: true}`, 'steps'],
    [`{a: ${numbers}}`, `{target: "$.a[?length($.a) > 1]", remove: true}`, '{"a":[]}'],
    [
      `{a: ${numbers}}`,
      `{target: "$..[?${'('.repeat(20_000)}@${')'.repeat(20_000)}]", remove: true}`,
      'too deeply',
    ],
  ])('%.20s: %.40s', (document, action, expected) => {
    const { json = '', says } = apply(document, [overlayOf('1.1.0', `- ${action}`)]);
    expect([json, ...says].join('\n')).toContain(expected);
  });

  test('copies that double the document', () => {
    const list = Array.from(
      { length: 40 },
      (_, index) => `- {target: $, update: {a${index}: {}}}\n- {target: $.a${index}, copy: $}`,
    );
    const { says } = apply('{x: 1}', [overlayOf('1.1.0', list.join('\n'))]);
    expect(says.join()).toMatch(/o.yaml:\d+:14 error: This goes beyond the \d+ steps/);
  });

  test('copies that double the depth', () => {
    const path = (count: number) => '.a'.repeat(count);
    const list = [1, 2, 4, 8, 16].map((count) => `- {target: $${path(count)}, copy: $}`);
    const limits = { ...loadLimits, depth: 20 };
    const { says } = apply('{a: {}}', [overlayOf('1.1.0', list.join('\n'))], limits);
    expect(says.join()).toMatch(
      /This nests the document deeper than 20 levels. \(.actions.\d.copy/,
    );
  });
});

test.each(cases('overlaid-text.cases.txt'))('%s', (_title, lines) => {
  const [document = '', actions = '', expected] = fieldsOf(lines).map(([, text]) => text);
  const { text } = overlaidText(fileOf('api.yaml', `${document}\n`), `${document}\n`, [
    overlayOf('1.1.0', actions),
  ]);
  expect(text).toBe(`${expected}\n`);
});
