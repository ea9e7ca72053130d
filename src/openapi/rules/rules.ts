/** Every rule, in the order in which their findings are reported. */

import { checkedBodies } from './checked-bodies';
import { declaredProperties } from './declared-properties';
import { declaredSecurity } from './declared-security';
import { enforceableKeywords } from './enforceable-keywords';
import { exclusiveFields } from './exclusive-fields';
import { fittingDefaults } from './fitting-defaults';
import { legalXmlNames } from './legal-xml-names';
import { meaningfulBodies } from './meaningful-bodies';
import { oauthFlows } from './oauth-flows';
import { parameterObjects } from './parameter-objects';
import { parameterStyles } from './parameter-styles';
import { pathTemplates } from './path-templates';
import { reachableResponses } from './reachable-responses';
import { resolvableReferences } from './resolvable-references';
import type { Rule } from './rule';
import { servedOperations } from './served-operations';
import { uniqueOperationIds } from './unique-operation-ids';
import { uniqueParameters } from './unique-parameters';
import { uniqueTags } from './unique-tags';
import { usableDiscriminators } from './usable-discriminators';
import { usableOperations } from './usable-operations';
import { usableServers } from './usable-servers';

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
