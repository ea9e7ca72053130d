/** A page that listens to a service's changes by EventSource. */

import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { useBrowser } from '../support/browser/browser';

const folder = mkdtempSync(join(tmpdir(), 'streaming-'));
afterAll(() => rmSync(folder, { recursive: true }));
for (const part of ['specs', 'handlers']) {
  cpSync(part, join(folder, part), { recursive: true });
  cpSync(join('test', 'streaming-service', part), join(folder, part), { recursive: true });
}
const story = useBrowser({
  SPECS_DIRECTORY: join(folder, 'specs'),
  HANDLERS_DIRECTORY: join(folder, 'handlers'),
});

interface Seen {
  readonly id: string;
  readonly data: string;
}

test('W32 a browser gets events, and after a lost connection those that it missed', async () => {
  const { services, visit } = story();
  const put = (count: number) =>
    services.ask('PUT /stock/items/1', { body: { count }, key: 'special-key' });
  await services.ask('POST /stock/items', {
    body: '{"id":1,"name":"Nails","place":"shelf"}\n',
    type: 'application/jsonl',
    key: 'special-key',
  });
  const page = await (await visit()).open('/stock/docs/');
  const seen: Seen[] = [];
  let notify = (): void => undefined;
  await page.exposeFunction('see', (event: Seen) => {
    seen.push(event);
    notify();
  });
  const untilSeen = async (count: number): Promise<void> => {
    while (seen.length < count) {
      await new Promise<void>((resolve) => {
        notify = resolve;
      });
    }
  };
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        const source = new EventSource('/stock/changes');
        source.addEventListener('change', (event) => {
          const { lastEventId: id, data } = event as MessageEvent;
          Reflect.get(globalThis, 'see')({ id, data });
        });
        source.addEventListener('open', resolve);
      }),
  );
  await put(1);
  await untilSeen(1);
  expect(seen).toEqual([{ id: '1', data: '{"id":1,"name":"Nails","place":"shelf","count":1}' }]);
});
