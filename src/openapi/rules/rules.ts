/** Every rule, in the order in which their findings are reported. */

import { declaredSecurity } from './declared-security';
import { enforceableKeywords } from './enforceable-keywords';
import { fittingDefaults } from './fitting-defaults';
import { legalXmlNames } from './legal-xml-names';
import { parameterStyles } from './parameter-styles';
import { pathTemplates } from './path-templates';
import { resolvableReferences } from './resolvable-references';
import type { Rule } from './rule';
import { uniqueOperationIds } from './unique-operation-ids';
import { usableOperations } from './usable-operations';

export const rules: readonly Rule[] = [
  resolvableReferences,
  usableOperations,
  declaredSecurity,
  pathTemplates,
  uniqueOperationIds,
  parameterStyles,
  enforceableKeywords,
  fittingDefaults,
  legalXmlNames,
];
