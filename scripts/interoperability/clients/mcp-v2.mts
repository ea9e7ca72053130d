/** The official client of the Model Context Protocol since 2026-07-28 (version 2 of the SDK), in each of its ways to agree on a revision, over HTTP and stdio. */

import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { endpoint, program, requestInit, takeSteps } from './mcp-steps.mjs';

const transports = {
  HTTP: () => new StreamableHTTPClientTransport(endpoint, { requestInit }),
  stdio: () => new StdioClientTransport(program),
};

const modes = [
  { mode: 'auto', revision: '2026-07-28' },
  { mode: { pin: '2026-07-28' }, revision: '2026-07-28' },
  { mode: 'legacy', revision: '2025-11-25' },
] as const;

for (const [transport, makeTransport] of Object.entries(transports)) {
  for (const { mode, revision } of modes) {
    const name = `${transport}, ${JSON.stringify(mode)}`;
    const about = { name: 'interoperability', version: '1.0.0' };
    const client = new Client(about, { versionNegotiation: { mode } });
    await takeSteps(name, client, async () => {
      await client.connect(makeTransport());
      const agreed = client.getNegotiatedProtocolVersion();
      assert.equal(agreed, revision, `They agree on the revision ${agreed}, not ${revision}`);
    });
  }
}
