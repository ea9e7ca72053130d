/** The sender of a request is the one that Express names, with any claims of proxies. */

import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import express, { type Request } from 'express';
import { clientBehind } from '../../../../src/server/http/client-of';

const messageFrom = (headers: Record<string, string>, encrypted: boolean): IncomingMessage => {
  const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: '192.0.2.9' });
  return Object.assign(new IncomingMessage(Object.assign(socket, { encrypted })), { headers });
};

/** Reads the same message by Express. */
const byExpress = (message: IncomingMessage, trustedProxies: number) => {
  const app = express().set('trust proxy', trustedProxies);
  const request: Request = Object.setPrototypeOf(message, app.request);
  return { address: request.ip, secure: request.secure };
};

describe.each([0, 1, 2, 3])('behind %i trusted proxies', (trustedProxies) => {
  test.each<[headers: Record<string, string>, encrypted: boolean]>([
    [{}, false],
    [{}, true],
    [{ 'x-forwarded-for': '198.51.100.1' }, false],
    [{ 'x-forwarded-for': '203.0.113.5, 198.51.100.1 ,198.51.100.2' }, false],
    [{ 'x-forwarded-for': ',' }, false],
    [{ 'x-forwarded-for': 'unknown, 198.51.100.1' }, true],
    [{ 'x-forwarded-proto': 'https' }, false],
    [{ 'x-forwarded-proto': ' https , http' }, false],
    [{ 'x-forwarded-proto': 'http' }, true],
    [{ 'x-forwarded-proto': '' }, true],
    [{ 'x-forwarded-proto': 'HTTPS' }, false],
  ])('%j, encrypted: %s', (headers, encrypted) => {
    const told = clientBehind(trustedProxies)(messageFrom(headers, encrypted));
    expect(told).toEqual(byExpress(messageFrom(headers, encrypted), trustedProxies));
  });
});
