/** An operation as the contract tests see it: read from the document's text alone, with its good request. */

import { parseApiDocument, type SchemaContext, schemaContext } from '../../src/engine';
import type { Operation } from '../../src/model/operation';
import {
  documentText,
  list,
  type Node,
  node,
  operationsOf,
  readSpec,
  resolved,
  responsesOf,
} from './document-facts';

/** A good request as the document's own examples make it, before it is encoded. */
export interface Example {
  readonly path: Node;
  readonly query: Node;
  readonly header: Node;
  /** The value is the first example of the first media type. */
  readonly body: { readonly mediaType: string; readonly value: unknown } | undefined;
}

/** The promises of one operation. */
export interface ContractOperation {
  readonly id: string;
  /** Upper case. */
  readonly method: string;
  /** The mount path and the path template. */
  readonly template: string;
  readonly document: Node;
  readonly parameters: readonly Node[];
  /** Undefined where the operation takes no body. */
  readonly body: ContractBody | undefined;
  readonly success: ContractSuccess;
  /** The document's text for each status that it names. */
  readonly texts: ReadonlyMap<number, string>;
  readonly security: readonly Node[];
  /** `x-logged-in-user`. */
  readonly login: string | undefined;
  readonly example: Example;
  /** The operation as the tester of servers reads it, which makes wrong values and writes bodies. */
  readonly declared: Operation;
  readonly tools: SchemaContext;
}

/** The request body that an operation declares. */
export interface ContractBody {
  readonly required: boolean;
  readonly media: readonly string[];
  readonly schema: Node;
  /** `x-identifier`. */
  readonly identifier: string | undefined;
}

/** The answer of an operation that went well. */
export interface ContractSuccess {
  readonly status: number;
  readonly media: readonly string[];
  readonly schema: Node;
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** All media types of one body share a schema; `document-facts` sees to that. */
const contentOf = (holder: Node) => {
  const content = node(holder['content']);
  const [first] = Object.values(content);
  return { media: Object.keys(content), schema: node(node(first)['schema']) };
};

const bodyOf = (document: Node, operation: Node): ContractBody | undefined => {
  if (!('requestBody' in operation)) return undefined;
  const body = resolved(document, operation['requestBody']);
  return {
    required: body['required'] === true,
    identifier: text(body['x-identifier']),
    ...contentOf(body),
  };
};

const successOf = (document: Node, operation: Node): ContractSuccess => {
  const [[status, response] = ['default', node()]] = responsesOf(document, operation).success;
  return { status: status === 'default' ? 200 : Number(status), ...contentOf(response) };
};

const textsOf = (document: Node, operation: Node): ReadonlyMap<number, string> =>
  new Map(
    Object.entries(node(operation['responses']))
      .filter(([status]) => /^\d+$/.test(status))
      .map(([status, response]) => [
        Number(status),
        String(resolved(document, response)['description']),
      ]),
  );

/** Makes up a value where a document gives no example; undefined where it cannot. */
export type Sampler = (schema: Node) => unknown;

const exampleIn = (document: Node, holder: Node, sample: Sampler): unknown => {
  const { example, examples } = holder;
  const [first] = Object.values(node(examples));
  return example ?? resolved(document, first)['value'] ?? sample(node(holder['schema']));
};

const exampleOf = (document: Node, operation: Node, sample: Sampler): Example => {
  const parameters = list(operation['parameters']).map((value) => resolved(document, value));
  const valuesIn = (place: string): Node =>
    Object.fromEntries(
      parameters
        .filter((parameter) => parameter['in'] === place)
        .map((parameter) => [parameter['name'], exampleIn(document, parameter, sample)]),
    );
  const { content } = resolved(document, operation['requestBody']);
  const [body] = Object.entries(node(content)).map(([mediaType, entry]) => ({
    mediaType,
    value: exampleIn(document, node(entry), sample),
  }));
  return { path: valuesIn('path'), query: valuesIn('query'), header: valuesIn('header'), body };
};

/** Every operation of specs/NAME.yaml. */
export const contractOperations = (
  name: string,
  sample: Sampler = () => undefined,
): readonly ContractOperation[] => {
  const document = readSpec(name);
  const api = parseApiDocument(`${name}.yaml`, documentText(name));
  const tools = schemaContext(api);
  const declaredOf = (id: unknown): Operation => {
    const declared = api.operations.find(({ operationId }) => operationId === id);
    if (declared === undefined) throw new Error(`The engine finds no operation ${id}`);
    return declared;
  };
  const [server] = list(document['servers']);
  return operationsOf(document).map(({ method, path, operation }) => ({
    id: String(operation['operationId']),
    method: method.toUpperCase(),
    template: `${node(server)['url']}${path}`,
    document,
    parameters: list(operation['parameters']).map((value) => resolved(document, value)),
    body: bodyOf(document, operation),
    success: successOf(document, operation),
    texts: textsOf(document, operation),
    security: list(operation['security'] ?? document['security']).map(node),
    login: text(operation['x-logged-in-user']),
    example: exampleOf(document, operation, sample),
    declared: declaredOf(operation['operationId']),
    tools,
  }));
};

/** The status that answers a fault of the request: the first of the preferred ones that is declared, else 400. */
export const faultStatus = ({ texts }: ContractOperation, kind: 'parameter' | 'body'): number => {
  const preferred = kind === 'parameter' ? [400, 405, 422] : [405, 422];
  return preferred.find((status) => texts.has(status)) ?? 400;
};
