import { describe, expect, test } from '@jest/globals';
import { loneCaller } from '../../../../src/server/http/lone-caller';

describe('loneCaller', () => {
  test.each<[string, string, boolean]>([
    ['is not known before anybody has called', '', false],
    ['is not known by the first requests', 'aaaa', false],
    ['is known by requests of one connection in a row', 'aaaaa', true],
    ['remains so', 'aaaaaaaaa', true],
    ['is nobody where two take turns', 'abababababab', false],
    ['is nobody where another has just called', 'aaaaaaaab', false],
    ['is nobody where another has called shortly before', 'aaaaaaaabaaaa', false],
    ['is known again when the other does not come back', 'aaaaaaaabaaaaa', true],
  ])('%s', (_, requests, isAlone) => {
    const connections = new Map([...requests].map((name) => [name, { name }]));
    const principal = loneCaller();
    for (const name of requests) principal.note(connections.get(name) ?? {});
    expect(principal.isAlone()).toBe(isAlone);
  });
});
