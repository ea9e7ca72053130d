import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { printComponents, printSchemas } from '../../../../src/tool/types/print-components';
import { tableOf, writtenOut } from '../../../support/text-cases';
import { namedSchemas } from './named-schemas';

const cases = join(__dirname, 'print-components.cases.txt');

const readSchemas = (text: string): Readonly<Record<string, object>> => parse(writtenOut(text));

describe('printComponents', () => {
  test.each(tableOf(cases, 'printComponents'))('%s', (_, given = '', ...want) => {
    expect(printComponents(namedSchemas(readSchemas(given)))).toEqual(JSON.parse(want.join(' | ')));
  });
});

describe('printSchemas', () => {
  test.each(tableOf(cases, 'printSchemas'))('%s', (_, given = '', list = '') => {
    const members: string[] = JSON.parse(list);
    const lines = printSchemas(namedSchemas(readSchemas(given)), [])
      .split('\n')
      .slice(1);
    const block = members.length === 0 ? ['{}'] : ['{', ...members.map((one) => `  ${one}`), '}'];
    expect(lines).toEqual(`export interface Schemas ${block.join('\n')}`.split('\n'));
  });
});

test('required properties with a default are listed, through lists and references', () => {
  const flag = '{type: boolean, default: false}';
  const tag = `{type: object, properties: {flag: ${flag}, other: ${flag}}, required: [flag]}`;
  const pet = `{type: object, properties: {tags: {type: array, items: *Tag}, flag: ${flag}}, required: [flag]}`;
  const tagged = '{type: object, properties: {tag: *Tag}}';
  const schemas = namedSchemas(readSchemas(`{Tag: ${tag}, Pet: {allOf: [${pet}, ${tagged}]}}`));
  expect(printSchemas(schemas, [])).toContain(`
  /** Required properties with a default: demo data may leave them out. */
  $defaults: {
    Tag: 'flag';
    Pet: 'tags.flag' | 'flag' | 'tag.flag';
  };
`);
});
