/** Services that take the tokens of an OpenID provider, for all tests of a file. */

import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { Answered } from '../ask';
import { type Services, startServices } from '../services';
import { type Provider, useProvider } from './provider';

/** Both sides, and what lies between them. */
export interface IssuedServices {
  readonly provider: Provider;
  readonly services: Services;
  /** Claims of a good token for the pet store; others are put over them. */
  claims(others?: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /** A good token for the pet store, of the provider's own making. */
  petToken(): Promise<string>;
  /** Asks for what both scopes of the pet store are needed for. */
  call(token: string): Promise<Answered>;
  /** Lets time pass for the services. */
  pass(seconds: number): void;
  /** The time of the services in seconds, as claims have it. */
  now(): number;
}

/** Starts both; each test begins with the provider's clock. */
export const useIssuedServices = (
  environment: Readonly<Record<string, string>> = {},
): (() => IssuedServices) => {
  const provider = useProvider();
  let services: Services | undefined;
  let passed = 0;
  const clock = (): number => Date.now() + passed;
  const now = (): number => Math.floor(clock() / 1000);

  beforeAll(async () => {
    services = await startServices({ AUTH_ISSUER: provider().issuer, ...environment }, clock);
  });
  beforeEach(() => {
    passed = 0;
  });
  afterAll(() => services?.stop());

  return () => {
    const started = services;
    if (started === undefined) throw new Error('The services have not started');
    const audience = `${started.origin}/petstore`;
    return {
      provider: provider(),
      services: started,
      claims: (others = {}) => ({
        iss: provider().issuer,
        sub: 'shop',
        aud: audience,
        exp: now() + 600,
        scope: 'write:pets read:pets',
        ...others,
      }),
      petToken: () => provider().token(audience, 'write:pets read:pets'),
      call: (token) => started.ask('GET /petstore/pet/findByStatus', { token }),
      pass(seconds) {
        passed += seconds * 1000;
      },
      now,
    };
  };
};
