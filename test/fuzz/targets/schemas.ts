/** The schemas that the readers are compiled from: generated ones, and those of the documents that the project serves. */

import fc from 'fast-check';
import { valueArbitrary } from '../../../src/contract/tester/values/values';
import { loadApiDocument } from '../../../src/engine/document/api-document';
import { type SchemaContext, schemaContext } from '../../../src/engine/media-types/schema-context';
import type { MediaType, Operation } from '../../../src/model/operation';
import type { Schema } from '../../../src/model/schema';
import { planOf } from '../../../src/schema/samples/sample-plan';
import type { Shape } from '../../../src/schema/shape';
import { schemasOf } from '../../support/schemas';
import type { Sample } from '../../unit/engine/media-types/schema-arbitrary';

/** A schema, compiled, and values of it. */
export interface Subject {
  readonly shape: Shape;
  readonly accepts: (value: unknown) => boolean;
  readonly value: fc.Arbitrary<unknown>;
  /** True where every such value is read back as it was, in each format that can carry it. */
  readonly isExact: boolean;
}

/** A document and what its operations are compiled with. */
export interface LoadedDocument {
  readonly operations: readonly Operation[];
  readonly tools: SchemaContext;
}

const files = ['specs/petstore.yaml', 'specs/ads.yaml'];

/** The documents that the project serves. */
export const loadDocuments = (): Promise<LoadedDocument[]> =>
  Promise.all(
    files.map(async (file) => {
      const document = await loadApiDocument(file, {
        variables: () => ({ auth_url: 'http://127.0.0.1' }),
      });
      return { operations: document.operations, tools: schemaContext(document) };
    }),
  );

const tools = schemaContext();
const readSchema = schemasOf();

const generatedSubject = ({ schema: given, value }: Sample): Subject => {
  const schema = readSchema(given);
  const accepts = tools.validators.accepts(schema, 'request');
  return { shape: tools.shapeOf(schema), accepts, value, isExact: true };
};

/** As many as a byte can name beside the documents'. */
const generated = 192;

const generatedSubjects = (sample: fc.Arbitrary<Sample>): Subject[] =>
  fc.sample(sample, { seed: 31, numRuns: generated }).map(generatedSubject);

/** Bodies of bytes, or with parts of bytes, have no text. */
const isText = ({ key }: MediaType): boolean => !/^(?:multipart\/|application\/octet)/.test(key);

const bodySchemas = ({ operations }: LoadedDocument): Schema[] =>
  operations.flatMap(({ requestBody }) =>
    (requestBody?.content ?? []).filter(isText).flatMap(({ schema }) => schema ?? []),
  );

/** The schemas of the bodies of a document. */
const documentSubjects = (document: LoadedDocument): Subject[] =>
  [...new Set(bodySchemas(document))].flatMap((schema) => {
    const { shapeOf, validators } = document.tools;
    const options = { tools: document.tools, alphabet: 'any', optional: true, depth: 5 } as const;
    const value = valueArbitrary(planOf([schema]), options);
    if (value === undefined) return [];
    const accepts = validators.accepts(schema, 'request');
    return { shape: shapeOf(schema), accepts, value, isExact: false };
  });

/** Those of the documents, and the generated ones. */
export const subjectsOf = async (sample: fc.Arbitrary<Sample>): Promise<Subject[]> => {
  const documents = await loadDocuments();
  return [...documents.flatMap(documentSubjects), ...generatedSubjects(sample)].slice(0, 256);
};
