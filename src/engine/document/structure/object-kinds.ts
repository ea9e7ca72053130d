/** The objects of OpenAPI 3.0.3 as one table: their fields, what each must hold, and which are required. */

import { documentKinds } from './document-kinds';
import type { ObjectKind, ObjectName } from './kind';
import { messageKinds } from './message-kinds';
import { schemaKinds } from './schema-kinds';

export const objectKinds: Readonly<Record<ObjectName, ObjectKind>> = {
  ...documentKinds,
  ...messageKinds,
  ...schemaKinds,
};
