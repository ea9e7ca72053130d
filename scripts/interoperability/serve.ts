/** The server under test, on a new database with the demo data. */

import type { ApiDocument } from '../../src/engine';
import { demoCredentials } from '../../src/host/demo-data';
import { startOwnServer } from '../contract/own-server';
import { atEnd } from '../machine/run-main';

/** A running server. */
export interface TestedServer {
  readonly origin: string;
  readonly documents: readonly ApiDocument[];
  /** Access tokens of the demo user with all scopes, by service. */
  readonly tokens: Readonly<Record<string, string>>;
  /** The API key of the demo data. */
  readonly apiKey: string;
}

/** Starts the server on a free port; it ends with this program. */
export const serve = async (): Promise<TestedServer> => {
  const { targets, stop } = await startOwnServer(undefined);
  atEnd(stop);
  // The first credential with scopes has all of them.
  const tokens = targets.map(({ document, credentials }) => [
    document.name,
    credentials.find(({ scopes }) => scopes !== undefined)?.value ?? '',
  ]);
  return {
    origin: new URL(targets[0]?.url ?? '').origin,
    documents: targets.map(({ document }) => document),
    tokens: Object.fromEntries(tokens),
    apiKey: demoCredentials.apiKey,
  };
};
