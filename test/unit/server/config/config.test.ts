import { describe, expect, test } from '@jest/globals';
import { readConfig } from '../../../../src/server/config/config';

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

  test('production turns the demo data, the checking of responses and mocks off, unless told', () => {
    const config = readConfig({ NODE_ENV: 'production' });
    const { demoData, validateResponses, mockMissingHandlers } = config;
    expect([demoData, validateResponses, mockMissingHandlers]).toEqual([false, false, false]);
    const environment = { NODE_ENV: 'production', MOCK_MISSING_HANDLERS: 'true' };
    expect(readConfig(environment).mockMissingHandlers).toBe(true);
  });

  test.each([
    ['PORT', '65536', 'PORT must be a whole number from 0 to 65535'],
    ['PORT', '0x10', 'PORT must be a whole number from 0 to 65535'],
    ['PORT', '', 'PORT must be a whole number from 0 to 65535'],
    ['HOST', ' ', 'HOST must not be empty'],
    ['DATABASE_URL', 'mysql://x', 'DATABASE_URL must be sqlite:PATH'],
    ['WORKERS', '0', 'WORKERS must be a whole number from 1 to 64'],
    ['WORKERS', '65', 'WORKERS must be a whole number from 1 to 64'],
    ['CORS_ORIGINS', '', 'CORS_ORIGINS must be *, or origins such as https://example.org'],
    ['DEMO_DATA', 'yes', 'DEMO_DATA must be true or false'],
    ['AUTH_URL', 'not a url', 'AUTH_URL must be an http or https URL'],
    ['PUBLIC_URL', 'ftp://x', 'PUBLIC_URL must be an http or https URL'],
    ['AUTH_ISSUER', 'issuer', 'AUTH_ISSUER must be an http or https URL without query'],
    ['AUTH_ISSUER', 'https://a.example?b', 'AUTH_ISSUER must be an http or https URL without'],
    ['AUTH_ISSUER', 'http://a.example', 'AUTH_ISSUER must be an https URL, unless AUTH_JWKS_URL'],
    ['AUTH_JWKS_URL', 'https://a.example', 'AUTH_JWKS_URL needs AUTH_ISSUER'],
    ['AUTH_AUDIENCE', 'a', 'AUTH_AUDIENCE needs AUTH_ISSUER'],
    ['AUTH_UNTYPED_TOKENS', 'true', 'AUTH_UNTYPED_TOKENS needs AUTH_ISSUER'],
    ['MAX_BODIES_BYTES', '10000000', 'MAX_BODIES_BYTES must not be less than MAX_BODY_BYTES'],
    ['MAX_ITEM_FILES_BYTES', '4095', 'MAX_ITEM_FILES_BYTES must be a whole number from 4096'],
    ['MAX_USER_FILES_BYTES', '1GiB', 'MAX_USER_FILES_BYTES must be a whole number from 4096'],
    ['MAX_CONNECTIONS', '0', 'MAX_CONNECTIONS must be a whole number from 1'],
    ['MISFITTING_ITEMS', 'hide', 'MISFITTING_ITEMS must be include or leave-out'],
    ['MISFITTING_ITEMS', 'include', 'MISFITTING_ITEMS=include needs VALIDATE_RESPONSES=false'],
    ['LOG_LEVEL', 'loud', 'LOG_LEVEL must be one of silent, fatal, error, warn, info, debug, tr'],
    ['MIN_PASSWORD_LENGTH', '-1', 'MIN_PASSWORD_LENGTH must be a whole number from 0 to 128'],
    ['RATE_LIMIT_PER_HOUR', '0', 'RATE_LIMIT_PER_HOUR must be a whole number from 1 to 1000000000'],
  ])('%s=%s is refused', (name, value, sentence) => {
    expect(() => readConfig({ [name]: value })).toThrow(sentence);
  });

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
  expect(readConfig({ ...environment, PWD: '/', TERM: 'x', USER: 'a', NODE_ENV: 'test' })).toEqual(
    expect.objectContaining({
      misspelt: [
        'DATABSE_URL is unknown: did you mean DATABASE_URL?',
        'LOG_LEVELS is unknown: did you mean LOG_LEVEL?',
      ],
    }),
  );
});

test.each<[string, Record<string, string>, string[] | undefined]>([
  ['an address of the machine alone', {}, ['localhost', '127.0.0.1', '[::1]']],
  ['its name', { HOST: 'localhost' }, ['localhost', '127.0.0.1', '[::1]']],
  [
    'a public address as well',
    { PUBLIC_URL: 'https://Shop.example:8443/x' },
    ['localhost', '127.0.0.1', '[::1]', 'shop.example'],
  ],
  ['every address', { HOST: '0.0.0.0' }, undefined],
  ['production', { NODE_ENV: 'production' }, undefined],
])('the names of a server on %s', (_, environment, names) => {
  const { knownHosts } = readConfig(environment);
  expect(knownHosts && [...knownHosts]).toEqual(names);
});
