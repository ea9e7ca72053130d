import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { describe, expect, test } from '@jest/globals';
import { watchEventLoop } from '../../../src/storage/event-loop';

describe('nobody waited', () => {
  test.each<[string, readonly (number | undefined)[], readonly boolean[]]>([
    ['while the count stays', [3, 3, 3], [false, true, true]],
    ['but when it has grown', [3, 4, 4, 9], [false, false, true, false]],
    ['is never said where nobody counts', [undefined, undefined], [false, false]],
  ])('%s', (_, counts, said) => {
    const readings = counts.values();
    const nobodyWaited = watchEventLoop(() => readings.next().value);
    expect(counts.map(nobodyWaited)).toEqual(said);
  });

  test('is not said for ever where messages come', async () => {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    const { port } = socket.address();
    const nobodyWaited = watchEventLoop();
    nobodyWaited();
    // Most are there before the event loop looks, but not all of them.
    let isSaid = true;
    for (let count = 0; count < 1000 && isSaid; count += 1) {
      socket.send('hello', port, '127.0.0.1');
      await once(socket, 'message');
      isSaid = nobodyWaited();
    }
    expect(isSaid).toBe(false);
    socket.close();
  });
});
