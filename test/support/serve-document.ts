/** Serves a small document given inline, over real HTTP, for tests that speak of one rule. */

import type { RequestListener } from 'node:http';
import express from 'express';
import { stringify } from 'yaml';
import { type ApiDocument, parseApiDocument } from '../../src/engine/document/api-document';
import type { Codec } from '../../src/engine/media-types/codec/codec';
import { type SchemaContext, schemaContext } from '../../src/engine/media-types/schema-context';
import type { UntypedHandler } from '../../src/engine/operation/handler';
import { openApiService } from '../../src/engine/operation/service';
import type { SecurityHandlers } from '../../src/engine/security/credentials';
import { nodeListener } from '../../src/http/exchange';
import { bodyMemory } from '../../src/http/request';
import { type MemoryOptions, openMocks } from '../../src/mock';
import { httpServer } from '../../src/server/http/http-server';
import { csvCodec } from './csv';
import { listen } from './listen';

/** The service of a test. */
export interface ServedDocument {
  /** `paths`, `components` …; `openapi` and `info` are filled in. YAML text stands for itself. */
  readonly document: object | string;
  /** By operationId. */
  readonly handlers?: Readonly<Record<string, UntypedHandler>>;
  readonly securityHandlers?: SecurityHandlers;
  readonly maxBodyBytes?: number;
  readonly maxUploadBytes?: number;
  readonly maxBodyNames?: number;
  readonly maxBodiesBytes?: number;
  readonly validateResponses?: boolean;
  /** Serves mocks for operations without a handler. */
  readonly mocks?: boolean;
  readonly memory?: MemoryOptions;
  /** The name of the file that the document is said to come from. */
  readonly file?: string;
  /** Formats beside the engine's; CSV unless given. */
  readonly codecs?: readonly Codec[];
}

/** The service of a document, and what it was made of. */
interface ServedParts {
  readonly listener: RequestListener;
  readonly document: ApiDocument;
  /** The tools that compile the document's operations. */
  readonly tools: SchemaContext;
  /** The faults that the service logged. */
  readonly errors: readonly object[];
}

/** A document that is being served. */
export interface ServedOrigin extends Omit<ServedParts, 'listener'> {
  /** The origin and the document's base path. */
  readonly url: string;
}

/** The document's base path as Express takes it: what would be a pattern there is escaped (path-to-regexp). */
export const mountPath = ({ basePath }: Pick<ApiDocument, 'basePath'>): string =>
  basePath.replaceAll(/[{}()[\]+?!:*\\]/g, '\\$&') || '/';

const documentText = (document: object | string): string =>
  typeof document === 'string'
    ? document
    : stringify({
        openapi: '3.0.3',
        info: { title: 'Test', version: '1' },
        paths: {},
        ...document,
      });

/** Makes the service of a document. */
export const serviceOf = ({
  document,
  handlers = {},
  securityHandlers = {},
  maxBodyBytes = 100_000,
  maxUploadBytes = 100_000,
  maxBodyNames = 1000,
  maxBodiesBytes = 100_000_000,
  validateResponses = true,
  mocks = false,
  memory,
  file = 'specs/test.yaml',
  codecs = [csvCodec],
}: ServedDocument): ServedParts => {
  const parsed = parseApiDocument(file, documentText(document), { codecs });
  const tools = schemaContext(parsed);
  const written = new Map(Object.entries(handlers));
  const errors: object[] = [];
  const service = openApiService(parsed, {
    ...(mocks ? openMocks(parsed, written, tools, memory) : { handlers: written }),
    securityHandlers,
    tools,
    maxBodyBytes,
    maxUploadBytes,
    maxBodyNames,
    bodies: bodyMemory(maxBodiesBytes),
    validateResponses,
    log: { error: (fields) => errors.push(fields) },
  });
  return { listener: nodeListener(service), document: parsed, tools, errors };
};

/** Serves until the tests of the file are done. */
export const serveDocument = async (served: ServedDocument): Promise<ServedOrigin> => {
  const { listener, ...parts } = serviceOf(served);
  const app = express();
  app.disable('etag');
  app.use(mountPath(parts.document), listener);
  const origin = await listen(httpServer(app));
  return { url: `${origin}${parts.document.basePath}`, ...parts };
};
