/**
 * `npm run witness`: programs of others look at the server. Prism holds every operation's responses to the documents, and clients
 * that two generators write from the served documents compile and work.
 */

import { clientProblems } from './clients';
import { type PrismProxies, type PrismProxy, prismProxies } from './prism';
import { serve, type Witnessed } from './serve';
import { story } from './story';
import { sendStep, tellStory } from './tell-story';
import { responseViolations, unaskedOperations } from './violations';

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const definitionOf = async ({ origin }: Witnessed, basePath: string): Promise<string> => {
  const response = await fetch(`${origin}${basePath}/openapi.json`);
  if (!response.ok) throw new Error(`${response.url} answers ${response.status}`);
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

/** Lets Prism look at right responses with a wrong document in its hand: where it finds nothing then, it proves nothing. */
const unnoticedFaults = async (
  server: Witnessed,
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

const definitionsOf = async (server: Witnessed): Promise<Readonly<Record<string, string>>> => {
  const definitions: Record<string, string> = {};
  for (const { name, basePath } of server.documents) {
    definitions[name] = await definitionOf(server, basePath);
  }
  return definitions;
};

const storyProblems = async (
  server: Witnessed,
  definitions: Readonly<Record<string, string>>,
  proxies: PrismProxies,
): Promise<readonly string[]> => {
  const started: Record<string, PrismProxy> = {};
  for (const { name, basePath } of server.documents) {
    const upstream = `${server.origin}${basePath}`;
    started[name] = await proxies.start(definitions[name] ?? '', upstream);
  }
  return tellStory(story, { ...server, proxies: started });
};

const unasked = ({ documents }: Witnessed): readonly string[] =>
  unaskedOperations(
    documents.flatMap(({ name, operations }) =>
      operations.map(({ operationId }) => ({ service: name, operationId })),
    ),
    story,
  ).map((name) => `the story does not ask ${name}`);

const run = async (): Promise<readonly string[]> => {
  const server = await serve();
  const proxies = prismProxies(server.folder);
  try {
    const definitions = await definitionsOf(server);
    const prism = [
      ...unasked(server),
      ...(await unnoticedFaults(server, definitions['petstore'] ?? '', proxies)),
      ...(await storyProblems(server, definitions, proxies)),
    ];
    say(`Prism: ${story.length} requests, ${prism.length} problems`);
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
