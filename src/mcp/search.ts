/** Few tools in place of many: agents search the operations of a large document, read about those that they need, and call them. */

import { groupBy } from '../base/group-by';
import { memoize } from '../base/memoize';
import { isPlainObject } from '../base/plain-object';
import { nearestName } from '../base/text/nearest-name';
import { requestMethod } from '../model/operation';
import { type ToolResult, textResult } from './result';
import { plainText } from './tool-schema';
import type { OperationTool, ToolDefinition } from './tools';

/** Operations beyond which the list of tools would fill the context of an agent. */
export const mostListed = 20;

const nameProperty = {
  type: 'string',
  description: 'the name of an operation, as a search gives it',
};

const callSchema = {
  type: 'object',
  properties: {
    name: nameProperty,
    arguments: { type: 'object', description: 'as the description of the operation says' },
  },
  required: ['name'],
  additionalProperties: false,
};

/** The tools that stand for all operations; reading and changing apart, so that people can allow the one without the other. */
export const searchTools: Readonly<Record<string, ToolDefinition>> = {
  search_operations: {
    name: 'search_operations',
    title: 'Search operations',
    description:
      'Finds operations of this API by words of their names, paths, tags and descriptions. Without words it lists the tags.',
    inputSchema: {
      type: 'object',
      properties: {
        words: { type: 'string', description: 'such as: create order' },
        tag: { type: 'string', description: 'a tag that the operations must have' },
      },
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  describe_operation: {
    name: 'describe_operation',
    title: 'Describe an operation',
    description: 'Says what an operation does, and gives the schema of its arguments.',
    inputSchema: {
      type: 'object',
      properties: { name: nameProperty },
      required: ['name'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  call_reading_operation: {
    name: 'call_reading_operation',
    title: 'Call an operation that reads',
    description: 'Calls an operation that changes nothing. Describe it first.',
    inputSchema: callSchema,
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  call_changing_operation: {
    name: 'call_changing_operation',
    title: 'Call an operation that changes',
    description: 'Calls an operation that may create, change or delete. Describe it first.',
    inputSchema: callSchema,
    annotations: {
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: false,
    },
  },
};

const fillers = new Set('a all an and by for from in into my of on or the to with'.split(' '));

const wordsIn = (text: string): string[] =>
  text
    .replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .match(/[\p{L}\d]+/gu) ?? [];

/** Lists the words by which an operation is found: those of its name and path count most, those of its description least. */
const fieldsOf = memoize(({ name, operation }: OperationTool) => {
  const { path, method, tags, summary, description } = operation;
  return [
    { weight: 4, words: wordsIn(`${name} ${method} ${path}`) },
    { weight: 2, words: wordsIn(`${summary} ${tags.join(' ')}`) },
    { weight: 1, words: wordsIn(description.slice(0, 2000)) },
  ];
});

const weightOf = (tool: OperationTool, word: string): number => {
  // `order` finds `orders`, and the other way round.
  const isLike = (other: string): boolean =>
    other === word ||
    (word.length > 2 && other.startsWith(word)) ||
    (other.length > 3 && word.startsWith(other));
  const found = fieldsOf(tool).filter(({ words }) => words.some(isLike));
  // Of two that have the word, the shorter text is more about it.
  return found.reduce((sum, { weight, words }) => sum + weight / (1 + words.length / 20), 0);
};

/** Orders the operations that have some of the words; a word counts the more, the fewer have it. */
const rank = (tools: readonly OperationTool[], words: readonly string[]): OperationTool[] => {
  const scores = new Map(tools.map((tool) => [tool, 0]));
  for (const word of words) {
    const weights = tools.map((tool) => [tool, weightOf(tool, word)] as const);
    const having = weights.filter(([, weight]) => weight > 0);
    const rarity = Math.log(1 + tools.length / Math.max(1, having.length));
    for (const [tool, weight] of having)
      scores.set(tool, (scores.get(tool) ?? 0) + weight * rarity);
  }
  return [...scores]
    .filter(([, score]) => score > 0)
    .sort(([, one], [, other]) => other - one)
    .map(([tool]) => tool);
};

const search = (
  tools: readonly OperationTool[],
  given: Readonly<Record<string, unknown>>,
): ToolResult => {
  const { words: text = '', tag } = given;
  const said = wordsIn(String(text)).filter((word) => !fillers.has(word));
  const words = [...new Set(said)].slice(0, 20);
  const tagged = tools.filter(
    ({ operation }) => tag === undefined || operation.tags.some((one) => one === tag),
  );
  if (words.length === 0 && tag === undefined) {
    const byTag = groupBy(
      tools.flatMap((tool) => (tool.operation.tags.length > 0 ? tool.operation.tags : ['(none)'])),
      (name) => name,
    );
    const lines = [...byTag].map(([name, all]) => `${name}: ${all.length} operations`);
    return textResult(`${tools.length} operations. Tags:\n${lines.join('\n')}`);
  }
  const found = words.length === 0 ? tagged : rank(tagged, words);
  if (found.length === 0) {
    return textResult(
      'No operation has these words. Search for others, or for none to see the tags.',
    );
  }
  const most = words.length === 0 ? 50 : 10;
  const left = found.length - most;
  const more = left > 0 ? `\n${left} more have some of these words` : '';
  const lines = found
    .slice(0, most)
    .map(({ name, isReading, operation: { method, path, summary } }) => {
      const kind = isReading ? 'reads' : 'changes';
      return `${name} (${kind}): ${requestMethod(method)} ${path} ${plainText(summary, 120)}`.trim();
    });
  return textResult(lines.join('\n') + more);
};

/**
 * Answers a call of one of these tools; undefined where it is none.
 * @param call calls an operation
 */
export const callSearchTool = async (
  tools: readonly OperationTool[],
  name: string,
  given: unknown,
  call: (tool: OperationTool, given: unknown) => Promise<ToolResult>,
): Promise<ToolResult | undefined> => {
  const input = isPlainObject(given) ? given : {};
  if (name === 'search_operations') return search(tools, input);
  if (!Object.hasOwn(searchTools, name)) return undefined;
  const wanted = String(input['name']);
  const tool = tools.find((one) => one.name === input['name']);
  if (tool === undefined) {
    const names = tools.map((one) => one.name);
    const near = nearestName(wanted, names);
    const advice =
      near === undefined ? 'Search for it with search_operations.' : `Did you mean ${near}?`;
    return textResult(`There is no operation ${plainText(wanted, 64)}. ${advice}`, true);
  }
  if (name === 'describe_operation') {
    const { title = tool.name, description, inputSchema } = tool.definition;
    return textResult(`${title}\n${description}\nArguments:\n${JSON.stringify(inputSchema)}`);
  }
  if (tool.isReading === (name === 'call_reading_operation')) return call(tool, input['arguments']);
  const [does, other] = tool.isReading
    ? ['reads', 'call_reading_operation']
    : ['changes', 'call_changing_operation'];
  return textResult(`${tool.name} ${does}: call it with ${other}`, true);
};
