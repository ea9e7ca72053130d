/** Validators over a document that consists of nothing but component schemas. */

import type { Schema } from '../../../../../src/engine/schema/shape';
import {
  compileValidators,
  type Validators,
} from '../../../../../src/engine/schema/validation/compile-validators';

const PREFIX = '#/components/schemas/';

/** Validators whose references lead to these components. */
export const validatorsOf = (components: Readonly<Record<string, Schema>> = {}): Validators =>
  compileValidators({
    resolve(ref) {
      const component = ref.slice(PREFIX.length);
      const schema = components[component];
      if (schema === undefined) throw new Error(`The reference "${ref}" leads nowhere.`);
      return { schema, component };
    },
  });

/** A reference to a component. */
export const refTo = (component: string): Schema => ({ $ref: PREFIX + component });
