/** Rules for every page of a report, and the text of a page. */

import { expect } from '@jest/globals';
import { hashSource } from '../../../../src/base/html/html';
import { unescapeHtml } from '../../../support/browser';

/** The text that a reader meets, blanks closed up. */
export const textOf = (page: string): string =>
  unescapeHtml(
    page
      .replaceAll(/<style>.*?<\/style>/gs, '')
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' '),
  );

/** A text as {@link textOf} gives it. */
export const closedUp = (text: string): string => text.replaceAll(/\s+/g, ' ');

/** The names of the elements. */
export const elementsOf = (page: string): readonly string[] =>
  [...new Set([...page.matchAll(/<([a-z][a-z\d]*)/gi)].map(([, name = '']) => name))].sort();

/** One style, which the policy names, and no script; headings in order; every link leads to an id of the page. */
export const expectSound = (page: string): void => {
  const markup = page.replaceAll(/<style>.*?<\/style>/gs, '');
  const [style = '', ...styles] = [...page.matchAll(/<style>(.*?)<\/style>/gs)].map(
    ([, text = '']) => text,
  );
  expect([...styles, ...(markup.match(/<(script|style)/gi) ?? [])]).toEqual([]);
  const policy = unescapeHtml(/Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? '');
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('script-src');
  expect(policy).toContain(`style-src ${hashSource(style)};`);

  const tags = [...markup.matchAll(/<[^>]*>/g)].map(([tag]) => tag.replaceAll(/"[^"]*"/g, '""'));
  expect(tags.filter((tag) => /\s(on\w+|style|src|srcset|action)=/i.test(tag))).toEqual([]);
  const ids = [...markup.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
  expect(ids).toEqual([...new Set(ids)]);
  const targets = [...markup.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, target = '']) => target);
  expect(targets.filter((target) => !ids.includes(target.slice(1)))).toEqual([]);

  const levels = [...markup.matchAll(/<h(\d)[ >]/g)].map(([, level]) => Number(level));
  expect(levels.filter((level) => level === 1)).toHaveLength(1);
  expect(levels.filter((level, index) => level - (levels[index - 1] ?? 0) > 1)).toEqual([]);
};
