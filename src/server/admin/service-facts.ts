/** What a document tells the admin commands: its scopes, and how its users are written. */

import type { OpenAPIV3 } from 'openapi-types';
import {
  type ApiDocument,
  type SerializedItems,
  type SerializedJson,
  type Shape,
  scalarReader,
  schemaContext,
} from '../../engine';
import { documentScopes } from '../services/document-scopes';
import { textCodecOf } from '../services/text-codecs';
import type { TextCodec } from '../storage/collections/text-codec';
import type { IdentifiedUser } from '../storage/identity/users';
import { Refusal, type ServiceFacts } from './admin-context';

/** Where a document has no schema of that name, a user is a name and an id. */
const bareSchema: OpenAPIV3.SchemaObject = {
  type: 'object',
  properties: { id: { type: 'integer', format: 'int64' }, username: { type: 'string' } },
};

/** What every user has, whether or not the schema declares it. */
const credentials: ReadonlySet<string> = new Set(['username', 'password']);

const readField = (name: string, text: string, shape: Shape): unknown => {
  const property = shape.properties.get(name);
  if (property) return scalarReader(property)(text);
  if (credentials.has(name)) return text;
  const known = [...shape.properties.keys()].filter((key) => !credentials.has(key)).join(', ');
  throw new Refusal(`A user has no field "${name}"; there are: ${known || 'none'}.`);
};

/** Takes the facts from a document. */
export const serviceFacts = (document: ApiDocument): ServiceFacts => {
  const { shapeOf, validators } = schemaContext(document);
  const schema = document.definition.components?.schemas?.['User'] ?? bareSchema;
  // Asked for only by commands that need it: a faulty schema must not keep the others from working.
  const shape = (): Shape => shapeOf(schema);
  const codec = (): TextCodec<unknown> => textCodecOf(shape(), document);
  return {
    name: document.name,
    scopes: [...documentScopes(document).known.keys()].sort(),
    userCodec: {
      get format() {
        return codec().format;
      },
      read: (text) => codec().read(text) as IdentifiedUser,
      write: (user) => codec().write(user),
      kept: (text, format) => codec().kept(text, format) as SerializedJson<IdentifiedUser>,
      keptItems: (texts) => codec().keptItems(texts) as SerializedItems<IdentifiedUser>,
    },
    readUser(fields) {
      const user = Object.fromEntries(
        [...fields].map(([name, text]) => [name, readField(name, text, shape())]),
      );
      const [fault] = validators.validatorOf(schema, 'request')(user);
      if (fault) {
        throw new Refusal(
          `The ${document.name} document says of the field ${fault.path.slice(1)}: ${fault.message}.`,
        );
      }
      return user;
    },
  };
};
