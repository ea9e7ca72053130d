/** The conformance suite of the Model Context Protocol, against the tools of a small document that has what the suite calls. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { errorMessage } from '../../src/base/error-message';
import { loadApiDocument } from '../../src/engine';
import { listen } from '../../src/http/listening';
import { mcpFetch } from '../../src/mcp';
import { openApiFetch } from '../../src/package/fetch';
import { atEnd, say, temporaryFolder } from '../machine/run-main';
import { run } from '../machine/run-program';
import { rootFolder } from '../root-folder';

const suite = join(__dirname, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

/** The revisions of the protocol that the suite has cases for, of those that are served. */
const revisions = ['2026-07-28', '2025-11-25', '2025-06-18'];

/** The results that the suite wants of the tools in `mcp-tools.yaml`. */
const handlers = {
  test_simple_text: () => ({ status: 200, body: 'This is a simple text response for testing.' }),
  test_image_content: () => ({ status: 200, body: Buffer.from('\x89PNG\r\n\x1a\n', 'latin1') }),
  test_audio_content: () => ({ status: 200, body: Buffer.from('RIFF\x04\0\0\0WAVE', 'latin1') }),
  test_error_handling: () => ({ status: 409, body: 'This tool fails for testing.' }),
  test_streaming_elicitation: () => ({ status: 204 }),
  test_logging_tool: () => ({ status: 204 }),
};

/** Serves the tools as programs with the Fetch API do, whose URLs come from the header Host; gives the URL. */
const serveTestTools = async (): Promise<string> => {
  const document = await loadApiDocument(join(__dirname, 'mcp-tools.yaml'));
  const mcp = mcpFetch(document, await openApiFetch(document, handlers));
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = request;
    const body = await buffer(request);
    const fields = Object.entries(headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    const given = { method, headers: fields, ...(body.length > 0 && { body }) };
    const answered = await mcp(new Request(`http://${headers.host}${url}`, given));
    response.writeHead(answered.status, Object.fromEntries(answered.headers));
    response.end(await answered.text());
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => response.destroy(error));
  });
  atEnd(() => server.close());
  return `${await listen(server, 0, '127.0.0.1')}/mcp`;
};

/** Finds a Node.js that the suite runs under: this one, or that of `scripts/pack`. */
const nodeForSuite = (): string | undefined => {
  if (Number.parseInt(process.versions.node, 10) >= 22) return process.execPath;
  const packed = join(rootFolder, 'scripts/pack/node_modules/node22/bin/node');
  return existsSync(packed) ? packed : undefined;
};

/** A check of the suite, as its report has it. */
interface SuiteCheck {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

/** Says why a check failed, or each of a scenario without expected failures. */
const reasonsOf = (report: string, failure: string): string => {
  const [scenario, id] = failure.split(':');
  return readdirSync(report)
    .filter((name) => name.startsWith(`server-${scenario}-20`))
    .flatMap((name): SuiteCheck[] =>
      JSON.parse(readFileSync(join(report, name, 'checks.json'), 'utf8')),
    )
    .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
    .filter((check) => id === undefined || check.id === id)
    .map((check) => `${check.id}: ${check.errorMessage ?? check.status}`)
    .join('; ');
};

/** Runs the cases of a revision; what fails or passes against the list of expected failures is a problem. */
const problemsIn = async (revision: string, node: string, url: string) => {
  const report = temporaryFolder('mcp-conformance-');
  const cases = ['--url', url, '--suite', 'all', '--spec-version', revision];
  const expected = ['--expected-failures', join(__dirname, 'mcp-expected-failures.yaml')];
  const command = [node, suite, 'server', ...cases, ...expected, '--output-dir', report];
  const said = await run(command, report).then(() => undefined, errorMessage);
  if (said === undefined) return [];
  const problems = [...said.matchAll(/^ {2}([✗✓]) (\S+)$/gm)].map(([, mark, failure = '']) =>
    mark === '✓'
      ? `${failure} passes; take it out of mcp-expected-failures.yaml`
      : `${failure} fails: ${reasonsOf(report, failure)}`,
  );
  return (problems.length > 0 ? problems : [said]).map((problem) => `MCP ${revision}: ${problem}`);
};

/** Runs the suite; returns a sentence for each problem. Without a Node.js for it that is one where REQUIRE_NODE_22=true, else it is said. */
export const mcpConformanceProblems = async (): Promise<readonly string[]> => {
  const node = nodeForSuite();
  if (node === undefined) {
    const skipped = 'The conformance suite of MCP needs Node.js 22 (npm ci --prefix scripts/pack)';
    if (process.env['REQUIRE_NODE_22'] === 'true') return [skipped];
    say(`Skipped: ${skipped}`);
    return [];
  }
  const url = await serveTestTools();
  const problems: string[] = [];
  for (const revision of revisions) problems.push(...(await problemsIn(revision, node, url)));
  say(`The conformance suite of MCP for ${revisions.join(', ')}: ${problems.length} problems`);
  return problems;
};
