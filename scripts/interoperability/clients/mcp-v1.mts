/** The official client of the Model Context Protocol up to 2025-11-25 (version 1 of the SDK), over HTTP and stdio. */

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { endpoint, program, requestInit, takeSteps } from './mcp-steps.mjs';

const transports = {
  HTTP: () => new StreamableHTTPClientTransport(endpoint, { requestInit }),
  stdio: () => new StdioClientTransport(program),
};

for (const [name, makeTransport] of Object.entries(transports)) {
  const client = new Client({ name: 'interoperability', version: '1.0.0' });
  await takeSteps(name, client, () => client.connect(makeTransport()));
}
