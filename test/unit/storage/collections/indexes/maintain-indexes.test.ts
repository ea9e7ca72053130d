import { describe, expect, test } from '@jest/globals';
import {
  type Piece,
  runMaintenance,
} from '../../../../../src/storage/collections/indexes/maintain-indexes';
import { DatabaseUnavailable } from '../../../../../src/storage/connections/database-errors';

describe('runMaintenance', () => {
  const pieceOf = (rounds: number, done: string[], name: string): Piece => {
    let left = rounds;
    return async () => {
      done.push(name);
      left -= 1;
      return left > 0;
    };
  };

  test('does each piece until nothing is left', async () => {
    const done: string[] = [];
    const pieces = [pieceOf(2, done, 'a'), pieceOf(1, done, 'b'), pieceOf(3, done, 'c')];
    await runMaintenance(pieces, new AbortController().signal);
    expect(done).toEqual(['a', 'a', 'b', 'c', 'c', 'c']);
  });

  test('stops when it is told to', async () => {
    const stopping = new AbortController();
    const done: string[] = [];
    const endless: Piece = async () => {
      if (done.push('again') === 3) stopping.abort();
      return true;
    };
    await runMaintenance([endless, pieceOf(1, done, 'later')], stopping.signal);
    expect(done).toEqual(['again', 'again', 'again']);
  });

  test('does a piece again for which there was no time', async () => {
    const done: string[] = [];
    const refused: Piece = async () => {
      if (done.push('tried') === 1) throw new DatabaseUnavailable('busy', undefined, 0);
      return false;
    };
    const pieces = [refused, pieceOf(1, done, 'later')];
    await runMaintenance(pieces, new AbortController().signal);
    expect(done).toEqual(['tried', 'tried', 'later']);
  });

  test('gives up at what a piece throws', async () => {
    const failing: Piece = () => Promise.reject(new Error('no disk'));
    const done: string[] = [];
    const running = runMaintenance(
      [failing, pieceOf(1, done, 'later')],
      new AbortController().signal,
    );
    await expect(running).rejects.toThrow('no disk');
    expect(done).toEqual([]);
  });
});
