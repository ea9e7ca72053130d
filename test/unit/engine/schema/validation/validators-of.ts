/** Validators over a document that consists of nothing but component schemas. */

import { referencesOf } from '../../../../../src/engine/document/references/references';
import { fragmentOf, pointerOf } from '../../../../../src/engine/lang/json-pointer';
import type { Schema } from '../../../../../src/engine/schema/shape';
import {
  compileValidators,
  type Validators,
} from '../../../../../src/engine/schema/validation/compile-validators';

/** Validators whose references lead to these components. */
export const validatorsOf = (components: Readonly<Record<string, Schema>> = {}): Validators =>
  compileValidators(referencesOf({ components: { schemas: components } }));

/** A reference to a component. */
export const refTo = (component: string): Schema => ({
  $ref: `#${fragmentOf(pointerOf(['components', 'schemas', component]))}`,
});
