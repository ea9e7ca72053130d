/** Schemas with XML names, and values through a whole exchange: what they are in JSON and in XML; X01 to X30 and X33, W16 to W23. */

import { join } from 'node:path';
import { describe, test } from '@jest/globals';
import { casesOf } from '../support/text-cases';
import { exchangeCase } from './exchange-case';

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
const xsi = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';

/** Line ends and other characters are written with a backslash, XSI and NIL stand for what makes a null. */
const readXml = (text: string): string =>
  text
    .replaceAll('NIL', 'XSI xsi:nil="true"')
    .replaceAll('XSI', xsi)
    .replaceAll(/\\(?:[nt]|u....)/g, (escaped) => JSON.parse(`"${escaped}"`));

const runCase = exchangeCase('application/xml', (text) => declaration + readXml(text));

describe.each(['names', 'values', 'openapi-3.2'])('%s', (name) => {
  test.each(casesOf(join(__dirname, 'xml', `${name}.cases.txt`)))('%s', runCase);
});
