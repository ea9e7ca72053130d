/** Every rule, in the order in which their findings are reported. */

import { checkedBodies } from './rules/messages/checked-bodies';
import { meaningfulBodies } from './rules/messages/meaningful-bodies';
import { parameterObjects } from './rules/messages/parameter-objects';
import { parameterStyles } from './rules/messages/parameter-styles';
import { reachableResponses } from './rules/messages/reachable-responses';
import { uniqueParameters } from './rules/messages/unique-parameters';
import { declaredSecurity } from './rules/paths/declared-security';
import { exclusiveFields } from './rules/paths/exclusive-fields';
import { oauthFlows } from './rules/paths/oauth-flows';
import { pathTemplates } from './rules/paths/path-templates';
import { resolvableReferences } from './rules/paths/resolvable-references';
import { servedOperations } from './rules/paths/served-operations';
import { uniqueOperationIds } from './rules/paths/unique-operation-ids';
import { uniqueTags } from './rules/paths/unique-tags';
import { usableOperations } from './rules/paths/usable-operations';
import { usableServers } from './rules/paths/usable-servers';
import type { Rule } from './rules/rule';
import { declaredProperties } from './rules/schemas/declared-properties';
import { enforceableKeywords } from './rules/schemas/enforceable-keywords';
import { fittingDefaults } from './rules/schemas/fitting-defaults';
import { legalXmlNames } from './rules/schemas/legal-xml-names';
import { usableDiscriminators } from './rules/schemas/usable-discriminators';

export const rules: readonly Rule[] = [
  resolvableReferences,
  servedOperations,
  usableOperations,
  usableServers,
  uniqueTags,
  declaredSecurity,
  oauthFlows,
  pathTemplates,
  uniqueOperationIds,
  parameterObjects,
  uniqueParameters,
  parameterStyles,
  meaningfulBodies,
  reachableResponses,
  checkedBodies,
  exclusiveFields,
  enforceableKeywords,
  declaredProperties,
  usableDiscriminators,
  fittingDefaults,
  legalXmlNames,
];
