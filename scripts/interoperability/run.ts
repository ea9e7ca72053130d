/**
 * `npm run interoperability`: Prism validates the responses of every operation, clients that two generators write compile and work, and
 * the tools for agents pass the steps of official clients and the conformance suite of the Model Context Protocol.
 */

import { runMain, say, temporaryFolder } from '../machine/run-main';
import { rootFolder } from '../root-folder';
import { clientProblems } from './clients';
import { mcpConformanceProblems } from './mcp-conformance';
import { startPrism } from './prism';
import { responseViolations, sendStep, sendSteps } from './send-steps';
import { serve, type TestedServer } from './serve';
import { steps } from './steps';

const definitionAt = async (url: string): Promise<string> => {
  const response = await fetch(`${url}/openapi.json`);
  if (!response.ok) throw new Error(`${response.url} returns ${response.status}`);
  return response.text();
};

/** A document in which a pet's name is a number, and an unknown pet has no response. */
const spoil = (definition: string): string => {
  const document = JSON.parse(definition);
  document.components.schemas.Pet.properties.name = { type: 'integer' };
  const { responses } = document.paths['/pet/{petId}'].get;
  delete responses['404'];
  delete responses['default'];
  return JSON.stringify(document);
};

/** Lets Prism validate right responses by a wrong document: where it finds nothing then, it proves nothing. */
const unnoticedFaults = async (
  server: TestedServer,
  definition: string,
  folder: string,
): Promise<readonly string[]> => {
  const petstore = await startPrism(folder, spoil(definition), `${server.origin}/petstore`);
  const faults = [
    { title: 'a value of another type', status: 200, petId: 1 },
    { title: 'an undeclared status', status: 404, petId: 123_456_789 },
  ];
  const unnoticed: string[] = [];
  for (const { title, status, petId } of faults) {
    const step = { service: 'petstore', operationId: 'getPetById', status } as const;
    const keyed = { ...step, credential: 'key', path: { petId } } as const;
    const response = await sendStep(keyed, { ...server, proxies: { petstore } });
    const isNoticed = response.status === status && responseViolations(response).length > 0;
    if (!isNoticed) unnoticed.push(`Prism does not notice ${title}`);
  }
  return unnoticed;
};

/** Names the operations that no step requests. */
const unaskedOperations = ({ documents }: TestedServer): readonly string[] => {
  const asked = new Set(steps.map(({ service, operationId }) => `${service} ${operationId}`));
  return documents
    .flatMap(({ name, operations }) =>
      operations.map(({ operationId }) => `${name} ${operationId}`),
    )
    .filter((name) => !asked.has(name))
    .map((name) => `No step requests ${name}`);
};

/** The tools of the pet store's mocks on stdio. */
const mcpCommandLine = [
  ...[process.execPath, '--require', 'tsx/cjs', 'src/tool/main.ts'],
  ...['mcp', 'specs/petstore.yaml'],
];

runMain(async () => {
  const server = await serve();
  const { origin, tokens, apiKey, documents } = server;
  const folder = temporaryFolder('interoperability-');
  const definitions: Record<string, string> = {};
  const proxies: Record<string, string> = {};
  for (const { name, basePath } of documents) {
    const definition = await definitionAt(origin + basePath);
    definitions[name] = definition;
    proxies[name] = await startPrism(folder, definition, origin + basePath);
  }
  const prism = [
    ...unaskedOperations(server),
    ...(await unnoticedFaults(server, definitions['petstore'] ?? '', folder)),
    ...(await sendSteps(steps, { ...server, proxies })),
  ];
  say(`Prism: ${steps.length} requests, ${prism.length} problems`);
  const settings = { origin, tokens, apiKey, command: mcpCommandLine, root: rootFolder };
  const clients = await clientProblems(definitions, settings);
  const names = 'Clients of openapi-fetch, openapi-ts and MCP, and mocks behind msw';
  say(`${names}: ${clients.length} problems`);
  const problems = [...prism, ...clients, ...(await mcpConformanceProblems())];
  problems.forEach(say);
  return problems.length > 0 ? 1 : 0;
});
