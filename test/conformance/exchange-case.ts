/** Cases of a schema, and of values that are sent to it and come back in JSON and in another format. */

import { expect } from '@jest/globals';
import { parse } from 'yaml';
import { type TextCase, writtenOut } from '../support/text-cases';
import { refused, type SendTo, serveSchemas } from './serve-schemas';

const json = 'application/json';

/** Serves `schema`, or under any other name the object of that XML name, of which the properties alone are shown; `openapi` is the version. */
const serve = (lines: readonly string[]): Promise<SendTo> => {
  const {
    components = {},
    encoding = {},
    schema,
    openapi,
    ...rest
  } = parse(writtenOut(lines.join('\n')));
  const [name = '', properties] = Object.entries(rest)[0] ?? [];
  const object = { type: 'object', properties, xml: { name } };
  return serveSchemas({ echo: schema ?? object }, components, { echo: encoding }, openapi);
};

const isStep = (line: string): boolean => /^(json|both|read|written|refused): /.test(line);

/**
 * Runs a case: a schema, then `json: VALUE`, and below it `read: TEXT` that is read as that value, `written: TEXT` as which the
 * value is written, or `both: TEXT`; `refused: TEXT` is a bad body that no handler sees.
 * @param textOf what is sent and expected for a TEXT
 */
export const exchangeCase = (mediaType: string, textOf: (given: string) => string) => {
  const exchange = async (send: SendTo, verb: string, text: string, value: string) => {
    if (verb === 'refused') {
      const echo = await send('echo', text, mediaType, json);
      expect([text, echo.status, echo.received]).toEqual([text, 400, refused]);
      expect(JSON.parse(echo.text).type).toBe('invalid-body');
    }
    if (verb === 'read' || verb === 'both') {
      const echo = await send('echo', text, mediaType, json);
      expect([text, echo.status, echo.text]).toEqual([text, 200, value]);
    }
    if (verb === 'written' || verb === 'both') {
      const echo = await send('echo', value, json, mediaType);
      expect([echo.status, echo.text]).toEqual([200, text]);
      expect(echo.headers['content-type']).toBe(`${mediaType}; charset=utf-8`);
    }
  };

  return async (...[, lines]: TextCase): Promise<void> => {
    const send = await serve(lines.filter((line) => !isStep(line)));
    let value = '';
    for (const line of lines.filter(isStep)) {
      const [, verb = '', text = ''] = /^(\w+): (.*)$/.exec(line) ?? [];
      if (verb === 'json') value = text;
      else await exchange(send, verb, textOf(text), value);
    }
  };
};
