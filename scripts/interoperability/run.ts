/** `npm run interoperability`: Prism validates the responses of every operation, and clients that two generators write compile and work. */

import { clientProblems } from './clients';
import { type PrismProxies, type PrismProxy, prismProxies } from './prism';
import { sendStep, sendSteps } from './send-steps';
import { serve, type TestedServer } from './serve';
import { steps } from './steps';
import { responseViolations, unaskedOperations } from './violations';

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const definitionOf = async ({ origin }: TestedServer, basePath: string): Promise<string> => {
  const response = await fetch(`${origin}${basePath}/openapi.json`);
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
  proxies: PrismProxies,
): Promise<readonly string[]> => {
  const proxy = await proxies.start(spoil(definition), `${server.origin}/petstore`);
  const route = { ...server, proxies: { petstore: proxy } };
  const faults = [
    { title: 'a value of another type', status: 200, petId: 1 },
    { title: 'an undeclared status', status: 404, petId: 123_456_789 },
  ];
  const unnoticed: string[] = [];
  for (const { title, status, petId } of faults) {
    const step = { service: 'petstore', operationId: 'getPetById', status } as const;
    const response = await sendStep({ ...step, credential: 'key', path: { petId } }, route);
    const isNoticed = response.status === status && responseViolations(response).length > 0;
    if (!isNoticed) unnoticed.push(`Prism does not notice ${title}`);
  }
  return unnoticed;
};

const definitionsOf = async (server: TestedServer): Promise<Readonly<Record<string, string>>> => {
  const definitions: Record<string, string> = {};
  for (const { name, basePath } of server.documents) {
    definitions[name] = await definitionOf(server, basePath);
  }
  return definitions;
};

const stepProblems = async (
  server: TestedServer,
  definitions: Readonly<Record<string, string>>,
  proxies: PrismProxies,
): Promise<readonly string[]> => {
  const started: Record<string, PrismProxy> = {};
  for (const { name, basePath } of server.documents) {
    const upstream = `${server.origin}${basePath}`;
    started[name] = await proxies.start(definitions[name] ?? '', upstream);
  }
  return sendSteps(steps, { ...server, proxies: started });
};

const unasked = ({ documents }: TestedServer): readonly string[] =>
  unaskedOperations(
    documents.flatMap(({ name, operations }) =>
      operations.map(({ operationId }) => ({ service: name, operationId })),
    ),
    steps,
  ).map((name) => `No step requests ${name}`);

const run = async (): Promise<readonly string[]> => {
  const server = await serve();
  const proxies = prismProxies(server.folder);
  try {
    const definitions = await definitionsOf(server);
    const prism = [
      ...unasked(server),
      ...(await unnoticedFaults(server, definitions['petstore'] ?? '', proxies)),
      ...(await stepProblems(server, definitions, proxies)),
    ];
    say(`Prism: ${steps.length} requests, ${prism.length} problems`);
    const { origin, tokens, apiKey } = server;
    const clients = await clientProblems(definitions, { origin, tokens, apiKey });
    say(`Clients of openapi-fetch and openapi-ts: ${clients.length} problems`);
    return [...prism, ...clients];
  } finally {
    await proxies.stop();
    await server.stop();
  }
};

run().then(
  (problems) => {
    for (const problem of problems) say(problem);
    process.exitCode = problems.length > 0 ? 1 : 0;
  },
  (error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  },
);
