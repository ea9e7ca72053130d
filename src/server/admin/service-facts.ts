/** What a document tells the admin commands: its scopes, and how its users are written. */

import type { OpenAPIV3 } from 'openapi-types';
import { type ApiDocument, type Shape, scalarReader, schemaContext } from '../../engine';
import { documentScopes } from '../services/document-scopes';
import { declaredSchema, textCodec } from '../services/item-schemas';
import type { CollectionDeclaration } from '../storage/collections/declaration';
import type { TextCodec } from '../storage/collections/lists/text-codec';
import type { IdentifiedUser } from '../storage/identity/users';
import { Refusal, type ServiceFacts } from './admin-context';

/** Where the handlers declare no users, a user is a name and an id. */
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

/**
 * Takes the facts from a document.
 *
 * @param accounts - the schema of users that its handlers declare
 */
export const serviceFacts = (
  document: ApiDocument,
  accounts: CollectionDeclaration | undefined,
): ServiceFacts => {
  const context = schemaContext(document);
  const { shapeOf, validators } = context;
  // Asked for only by commands that need it: a faulty schema must not keep the others from working.
  const schema = () => (accounts === undefined ? bareSchema : declaredSchema(document, accounts));
  const shape = (): Shape => shapeOf(schema());
  return {
    name: document.name,
    scopes: [...documentScopes(document).known.keys()].sort(),
    userCodec: () =>
      textCodec(schema(), document, context) as TextCodec<object> as TextCodec<IdentifiedUser>,
    readUser(fields) {
      const user = Object.fromEntries(
        [...fields].map(([name, text]) => [name, readField(name, text, shape())]),
      );
      const [fault] = validators.validatorOf(schema(), 'request')(user);
      if (fault) {
        throw new Refusal(
          `The ${document.name} document says of the field ${fault.path.slice(1)}: ${fault.message}.`,
        );
      }
      return user;
    },
  };
};
