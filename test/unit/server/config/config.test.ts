import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readConfig } from '../../../../src/server/config/config';
import { readText, tableOf, valuesOf } from '../../../support/text-cases';

const cases = join(__dirname, 'config.cases.txt');

describe('readConfig', () => {
  test('an empty environment gives the defaults', () => {
    expect(readConfig({})).toMatchObject({
      port: 8080,
      host: '127.0.0.1',
      workers: 1,
      databaseUrl: 'sqlite:./data/services.sqlite',
      demoData: true,
      rateLimitPerHour: 5000,
      minPasswordLength: 0,
      tokenTtlSeconds: 3600,
      authUrl: undefined,
      issuer: undefined,
      validateResponses: true,
      mockMissingHandlers: true,
      logLevel: 'info',
    });
  });

  test('production turns the demo data, the checking of responses, mocks and MCP off, unless told', () => {
    const config = readConfig({ NODE_ENV: 'production' });
    const { demoData, validateResponses, mockMissingHandlers, mcp } = config;
    expect([demoData, validateResponses, mockMissingHandlers, mcp]).toEqual(Array(4).fill(false));
    const environment = { NODE_ENV: 'production', MOCK_MISSING_HANDLERS: 'true' };
    expect(readConfig(environment).mockMissingHandlers).toBe(true);
  });

  test.each(tableOf(cases, 'refused'))(
    '%s=%s is refused',
    (name = '', value = '', sentence = '') => {
      expect(() => readConfig({ [name]: readText(value) })).toThrow(sentence);
    },
  );

  test.each([
    ...['*, https://a.example', 'https://a.example/', 'https://A.example', 'https://a.example:443'],
    ...['a.example', 'null', 'https://*.example'],
  ])('CORS_ORIGINS=%s is refused', (value) => {
    expect(() => readConfig({ CORS_ORIGINS: value })).toThrow('CORS_ORIGINS must be *');
  });

  test('an issuer is kept to the letter, and documents lead to it', () => {
    const AUTH_ISSUER = 'https://issuer.example/';
    expect(readConfig({ AUTH_ISSUER })).toMatchObject({
      authUrl: 'https://issuer.example',
      issuer: {
        issuer: AUTH_ISSUER,
        jwksUrl: undefined,
        audience: undefined,
        untypedTokens: false,
      },
    });
    const AUTH_URL = 'https://sign-in.example/';
    expect(readConfig({ AUTH_ISSUER, AUTH_URL }).authUrl).toBe('https://sign-in.example');
  });

  test.each([
    ['http://localhost:8080/realms/a', undefined],
    ['http://127.0.0.1:8080', undefined],
    ['http://[::1]:8080', undefined],
    ['http://issuer.example', 'http://issuer.internal/keys/?app=7'],
  ])('the issuer %s may do without TLS', (AUTH_ISSUER, AUTH_JWKS_URL) => {
    expect(readConfig({ AUTH_ISSUER, AUTH_JWKS_URL }).issuer).toMatchObject({
      issuer: AUTH_ISSUER,
      jwksUrl: AUTH_JWKS_URL,
    });
  });

  test.each(['http://localhost.example', 'http://127.0.0.1.example'])('but not %s', (url) => {
    expect(() => readConfig({ AUTH_ISSUER: url })).toThrow('AUTH_ISSUER must be an https URL');
  });

  test.each<[string, readonly string[]]>([
    ['*', ['*']],
    ['https://a.example', ['https://a.example']],
    ['https://a.example, http://localhost:3000', ['https://a.example', 'http://localhost:3000']],
  ])('CORS_ORIGINS=%s is taken', (value, want) => {
    expect(readConfig({ CORS_ORIGINS: value }).corsOrigins).toEqual(want);
    expect(readConfig({}).corsOrigins).toEqual([]);
  });

  test('every fault is reported at once', () => {
    expect(() => readConfig({ PORT: 'x', DEMO_DATA: 'x', LOG_LEVEL: 'x' })).toThrow(
      /PORT.*\n.*DEMO_DATA.*\n.*LOG_LEVEL/,
    );
  });

  test('a trailing slash of a URL is dropped', () => {
    expect(readConfig({ PUBLIC_URL: 'https://example.org/' }).publicUrl).toBe(
      'https://example.org',
    );
  });
});

test('a variable that is nearly called like a known one is named', () => {
  const environment = { DATABSE_URL: 'sqlite:a', LOG_LEVELS: 'info', HOME: '/', PATH: '/bin' };
  const others = { PWD: '/', TERM: 'x', USER: 'a', PGHOST: 'db', PGPORT: '5432', NODE_ENV: 'test' };
  expect(readConfig({ ...environment, ...others })).toEqual(
    expect.objectContaining({
      misspelt: [
        'DATABSE_URL is unknown: did you mean DATABASE_URL?',
        'LOG_LEVELS is unknown: did you mean LOG_LEVEL?',
      ],
    }),
  );
});

test.each(
  valuesOf<[string, Record<string, string>, string[] | undefined]>(
    cases,
    'the names of a server on',
  ),
)('the names of a server on %s', (_, environment, names) => {
  const { knownHosts } = readConfig(environment);
  expect(knownHosts && [...knownHosts]).toEqual(names);
});
