/** Plants mistakes in a server: a test of its contract finds each, and nothing in a server without them. */

import { describe, expect, test } from '@jest/globals';
import { type Failure, type TestOptions, testServer } from '../../../src/contract';
import { type Fault, faultGroups } from './faults';
import { shopDocument, startShop } from './shop-server';

const credentials = [
  { scheme: 'oauth', scopes: undefined, value: 'full-token' },
  { scheme: 'oauth', scopes: ['read:items'], value: 'reader-token' },
  { scheme: 'key', scopes: undefined, value: 'good-key' },
];

const testShop = async (faults: readonly Fault[], options: Partial<TestOptions>) => {
  const shop = await startShop(faults);
  try {
    return await testServer({ document: shopDocument, url: shop.url, credentials, ...options });
  } finally {
    shop.stop();
  }
};

const isFound = ({ operation, rule, place = '' }: Fault, failure: Failure): boolean =>
  failure.operation === operation && failure.rule === rule && (failure.place ?? '').includes(place);

/** Groups of faults that show at a boundary, or of one style among many: a sample of everything would miss some. */
const hidden = /^(?:bounds of numbers|styles of parameters|checks of parameters)$/;

/** Those that the test has not found; it ends as soon as there is none. */
const missedIn = async (group: string, faults: readonly Fault[]): Promise<readonly string[]> => {
  const missed = new Set(faults);
  const creators = faults.some(({ operation }) =>
    /^(?:list(?:Items|Boxes)|(?:get|replace|change|delete)(?:Item|Box|Image))$/.test(operation),
  );
  const only = [
    ...new Set([
      ...(creators ? ['createItem', 'createBox', 'putImage'] : []),
      ...faults.map(({ operation }) => operation),
    ]),
  ];
  await testShop(faults, {
    only,
    depth: hidden.test(group) ? 'normal' : 'quick',
    shrink: false,
    onFailure(failure) {
      for (const fault of missed) if (isFound(fault, failure)) missed.delete(fault);
      return missed.size === 0;
    },
  });
  return [...missed].map(({ name }) => name);
};

test.each(Object.entries(faultGroups))('every fault is found: %s', async (group, faults) => {
  expect(await missedIn(group, faults)).toEqual([]);
});

test('there are at least forty faults, of every rule', () => {
  const faults = Object.values(faultGroups).flat();
  expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
  expect(faults.length).toBeGreaterThanOrEqual(40);
});

describe('a sound server', () => {
  test('has no failure', async () => {
    const { failures, coverage } = await testShop([], { depth: 'normal' });
    expect(failures).toEqual([]);
    expect(coverage.percent).toBe(100);
  });

  test('may read of a deepObject what it likes where the document leaves that open', async () => {
    // OAS 3.0.4, Style Values: a plain text is no deepObject, and nested values are undefined.
    const undefinedParts = /([?&])range(?:%5B\w+%5D%5B[^=&]*)?=[^&]*/gi;
    const lenient: Fault = {
      name: 'range without a member is no parameter at all',
      operation: 'searchItems',
      rule: 'invalid-accepted',
      request: (request) => {
        request.url = request.url.replaceAll(undefinedParts, '$1');
      },
    };
    const { failures } = await testShop([lenient], { only: ['searchItems'] });
    expect(failures).toEqual([]);
  });
});
