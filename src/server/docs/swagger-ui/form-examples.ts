/** Puts the examples of forms where Swagger UI looks for them: into the properties, instead of beside the schema. */

import type { OpenAPIV3 } from 'openapi-types';
import type { ApiDocument, References } from '../../../engine';

type Schema = OpenAPIV3.SchemaObject | OpenAPIV3.ReferenceObject;
type Content = Readonly<Record<string, OpenAPIV3.MediaTypeObject>>;

const formTypes = /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i;

/** The first example that is an object. */
const exampleOf = (
  { example, examples = {} }: OpenAPIV3.MediaTypeObject,
  references: References,
): Readonly<Record<string, unknown>> | undefined => {
  const named = Object.values(examples).map(
    (entry) => references.find<OpenAPIV3.ExampleObject>(entry)?.value,
  );
  return [example, ...named].find((value) => typeof value === 'object' && value !== null);
};

/** A property with the example's value as its own. What the example leaves out starts empty: else it would start as 0. */
const withExample = (schema: Schema, value: unknown, references: References): Schema => {
  const followed = references.find<OpenAPIV3.SchemaObject>(schema);
  return followed === undefined ? schema : { ...followed, example: value ?? '' };
};

const formWithExample = (
  mediaType: OpenAPIV3.MediaTypeObject,
  references: References,
): OpenAPIV3.MediaTypeObject => {
  const example = exampleOf(mediaType, references);
  const schema = references.find<OpenAPIV3.SchemaObject>(mediaType.schema);
  if (example === undefined || schema?.properties === undefined) return mediaType;
  const properties = Object.entries(schema.properties).map(([name, property]) => [
    name,
    withExample(property, example[name], references),
  ]);
  return { ...mediaType, schema: { ...schema, properties: Object.fromEntries(properties) } };
};

const bodyWithExamples = (
  body: OpenAPIV3.RequestBodyObject,
  references: References,
): OpenAPIV3.RequestBodyObject => {
  const content: Content = body.content ?? {};
  const changed = Object.entries(content).map(([key, mediaType]) => [
    key,
    formTypes.test(key) ? formWithExample(mediaType, references) : mediaType,
  ]);
  return { ...body, content: Object.fromEntries(changed) };
};

const isOperation = (value: unknown): value is OpenAPIV3.OperationObject =>
  typeof value === 'object' && value !== null && 'requestBody' in value;

const operationWithExamples = (value: unknown, references: References): unknown => {
  if (!isOperation(value)) return value;
  const body = references.find<OpenAPIV3.RequestBodyObject>(value.requestBody);
  if (body === undefined) return value;
  return { ...value, requestBody: bodyWithExamples(body, references) };
};

/** The document's paths, with the examples of forms in their properties. */
export const pathsWithFormExamples = ({ definition, references }: ApiDocument): object =>
  Object.fromEntries(
    Object.entries(definition.paths).map(([path, item]) => [
      path,
      Object.fromEntries(
        Object.entries(item ?? {}).map(([key, value]) => [
          key,
          operationWithExamples(value, references),
        ]),
      ),
    ]),
  );
