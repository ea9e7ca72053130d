/** A document as large services have them: many operations over deep, shared and recursive schemas. */

const propertiesOf = (index: number, components: number): Record<string, object> => {
  const ref = (step: number) => ({
    $ref: `#/components/schemas/C${(index * 7 + step * 13 + 1) % components}`,
  });
  const properties: Record<string, object> = {
    id: { type: 'integer', format: 'int64' },
    state: { type: 'string', enum: ['open', 'closed', `state${index}`] },
    parent: ref(0),
    children: { type: 'array', items: ref(1) },
    labels: { type: 'object', additionalProperties: ref(2) },
    owner: { oneOf: [ref(3), { type: 'object', properties: { by: ref(4) }, required: ['by'] }] },
    merged: { allOf: [ref(5), { type: 'object', properties: { extra: { type: 'string' } } }] },
  };
  for (let more = 0; more < 20; more += 1) {
    properties[`text${more}`] = { type: 'string', maxLength: 100 + more, nullable: true };
    properties[`deep${more}`] = {
      type: 'object',
      properties: { at: { type: 'string', format: 'date-time' }, count: { type: 'integer' } },
    };
  }
  return properties;
};

/** The document: each operation reads and writes one component, which leads to all others. */
export const largeDocument = (operations: number, components: number): object => {
  const schemas: Record<string, object> = {};
  for (let index = 0; index < components; index += 1) {
    schemas[`C${index}`] = { type: 'object', properties: propertiesOf(index, components) };
  }
  const paths: Record<string, object> = {};
  for (let index = 0; index < operations; index += 1) {
    const content = {
      'application/json': { schema: { $ref: `#/components/schemas/C${index % components}` } },
    };
    paths[`/things${index}`] = {
      post: {
        operationId: `change${index}`,
        parameters: [{ name: 'page', in: 'query', schema: { type: 'integer' } }],
        requestBody: { content },
        responses: { 200: { description: 'Fine', content } },
      },
    };
  }
  return {
    openapi: '3.0.3',
    info: { title: 'Large', version: '1' },
    paths,
    components: { schemas },
  };
};
