/** The objects of OpenAPI 3.0.3 as one table: their fields, what each must hold, and which are required. */

import { documentTypes } from './document-types';
import type { ObjectName, ObjectType } from './field-type';
import { messageTypes } from './message-types';
import { schemaTypes } from './schema-types';

export const objectTypes: Readonly<Record<ObjectName, ObjectType>> = {
  ...documentTypes,
  ...messageTypes,
  ...schemaTypes,
};
