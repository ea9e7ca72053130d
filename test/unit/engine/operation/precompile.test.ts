/** Operations are compiled between requests, a part of one at a time, before anybody asks for them. */

import { createServer } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { type ApiDocument, parseApiDocument } from '../../../../src/engine/document/api-document';
import {
  type SchemaContext,
  schemaContext,
} from '../../../../src/engine/media-types/schema-context';
import {
  compileSteps,
  operationCompiler,
} from '../../../../src/engine/operation/compile-operation';
import { openApiService } from '../../../../src/engine/operation/service';
import { withDefaults } from '../../../../src/engine/operation/service-options';
import { nodeListener } from '../../../../src/http/exchange';
import { openMocks } from '../../../../src/mock';
import { anySchema, type Schema } from '../../../../src/model/schema';
import { largeDocument } from '../../../support/large-document';
import { listen } from '../../../support/listen';

const options = {
  handlers: new Map(),
  securityHandlers: {},
  maxBodyBytes: 1000,
  maxUploadBytes: 1000,
  validateResponses: true,
  log: { error: () => undefined },
};

/** A document of four operations, what of it has been compiled, and what compiles it. */
const compiling = () => {
  const text = JSON.stringify(largeDocument(4, 12));
  const document = parseApiDocument('specs/large.json', text);
  const context = schemaContext(document);
  const asked = new Set<Schema>();
  const shapeOf = (schema: Schema) => {
    asked.add(schema);
    return context.shapeOf(schema);
  };
  const tools = { ...context, shapeOf };
  const isCompiled = () =>
    document.operations.map(({ requestBody }) =>
      asked.has(requestBody?.content[0]?.schema ?? anySchema),
    );
  return { document, tools, isCompiled };
};

const compilerOf = (document: ApiDocument, tools: SchemaContext) =>
  operationCompiler(document, new Map(), [], withDefaults(document, { ...options, tools }));

describe('the steps', () => {
  test('compile one operation at most', () => {
    const { document, tools, isCompiled } = compiling();
    const compile = compilerOf(document, tools);
    const compiledAfter: number[] = [];
    for (const operation of document.operations) {
      for (const _ of compileSteps(operation, compile)) {
        compiledAfter.push(isCompiled().filter(Boolean).length);
      }
    }
    expect([...new Set(compiledAfter)]).toEqual([1, 2, 3, 4]);
  });

  test('pass over what cannot be compiled, and over operations that are not served', () => {
    const { document, tools, isCompiled } = compiling();
    const [first, second, ...others] = document.operations;
    if (first === undefined || second === undefined) throw new Error('There are operations');
    const operations = [{ ...first, invalidReason: 'Faulty' }, second, ...others];
    const compile = compilerOf(document, tools);
    const failing = (operation: typeof first) => {
      if (operation === second) throw new Error('It cannot be compiled');
      return compile(operation);
    };
    for (const operation of operations) {
      for (const _ of compileSteps(operation, failing));
    }
    expect(isCompiled()).toEqual([false, false, true, true]);
  });
});

describe('a service', () => {
  const serviceOf = ({ document, tools }: ReturnType<typeof compiling>) =>
    openApiService(document, {
      ...options,
      ...openMocks(document, new Map(), tools),
      tools,
    });

  test('has compiled nothing when it is made, and everything after a while, without a request', async () => {
    const parts = compiling();
    const service = serviceOf(parts);
    expect(parts.isCompiled()).toEqual([false, false, false, false]);
    await service.precompile();
    expect(parts.isCompiled()).toEqual([true, true, true, true]);
  });

  test('compiles no more when it is told to stop', async () => {
    const parts = compiling();
    await serviceOf(parts).precompile(AbortSignal.abort());
    expect(parts.isCompiled()).toEqual([false, false, false, false]);
  });

  test('answers an operation that is not compiled yet, having compiled that one alone', async () => {
    const parts = compiling();
    const origin = await listen(createServer(nodeListener(serviceOf(parts))));
    const answerStatus = async () => {
      const answer = await fetch(`${origin}/things3`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: '{"id": 1, "parent": {"id": 2}}',
      });
      return answer.status;
    };
    expect(await answerStatus()).toBe(200);
    expect(parts.isCompiled()).toEqual([false, false, false, true]);
  });
});
