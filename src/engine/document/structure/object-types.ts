/** The objects of OpenAPI 3.0.3 as one table: their fields, what each must hold, and which are required. */

import { documentKinds } from './document-types';
import type { ObjectName, ObjectType } from './field-type';
import { messageKinds } from './message-types';
import { schemaKinds } from './schema-types';

export const objectKinds: Readonly<Record<ObjectName, ObjectType>> = {
  ...documentKinds,
  ...messageKinds,
  ...schemaKinds,
};
