/** The report on the resources of documents, on which mocks act. */

import { resourcesOf } from '../document/resources/resources';
import { loadApiDocument, schemaContext } from '../engine';
import { type Operation, requestMethod } from '../model/operation';
import { loadSettings, type Project, type ReferenceOptions } from './command/command';

/** Lists the resources of a document, and the operations of none, which mocks answer by a sample. */
const resourcesIn = async (file: string, project: Project, options: ReferenceOptions) => {
  const document = await loadApiDocument(file, loadSettings(project, options));
  const nameOf = ({ method, path, operationId }: Operation) => ({
    operationId,
    method: requestMethod(method),
    path,
  });
  const found = resourcesOf(document, schemaContext(document).shapeOf);
  const used = found.flatMap(({ operations }) => operations.map(({ operation }) => operation));
  const resources = found.map(({ name, item, identity, operations }) => ({
    name,
    item,
    identity,
    operations: operations.map(({ role, operation }) => ({ role, ...nameOf(operation) })),
  }));
  const sampled = document.operations.filter((one) => !used.includes(one)).map(nameOf);
  return { file, resources, sampled };
};

type FoundResources = Awaited<ReturnType<typeof resourcesIn>>;

const resourcesText = ({ file, resources, sampled }: FoundResources): string => {
  const lines = [
    file,
    ...resources.flatMap(({ name, item, identity, operations }) => [
      `  ${name}: ${item}, identity ${identity}`,
      ...operations.map(({ role, method, path }) => `    ${role.padEnd(8)}${method} ${path}`),
    ]),
    ...(sampled.length > 0 ? ['  sampled'] : []),
    ...sampled.map(({ method, path }) => `    ${method} ${path}`),
  ];
  return lines.map((line) => `${line}\n`).join('');
};

/**
 * Writes the report on the resources of files, as text or JSON.
 * @throws Error for any other format
 */
export const resourcesReport = async (
  files: readonly string[],
  format: string,
  project: Project,
  options: ReferenceOptions,
): Promise<string> => {
  if (format !== 'text' && format !== 'json') {
    throw new Error('Choose the format text or json for --resources.');
  }
  const found: FoundResources[] = [];
  for (const file of files) found.push(await resourcesIn(file, project, options));
  return format === 'json'
    ? `${JSON.stringify({ files: found }, undefined, 2)}\n`
    : found.map(resourcesText).join('\n');
};
