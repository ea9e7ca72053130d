/** Every rule, in the order in which their diagnostics are reported. */

import { carriedBodies, meaningfulBodies, tellableErrors } from './rules/messages/bodies';
import { parameterObjects, parameterStyles } from './rules/messages/parameter-objects';
import { reachableResponses } from './rules/messages/reachable-responses';
import { declaredSecurity } from './rules/paths/declared-security';
import { exclusiveFields } from './rules/paths/exclusive-fields';
import { oauthFlows } from './rules/paths/oauth-flows';
import { pathTemplates } from './rules/paths/path-templates';
import { resolvableReferences } from './rules/paths/resolvable-references';
import { servedOperations } from './rules/paths/served-operations';
import { uniqueOperationIds, uniqueParameters, uniqueTags } from './rules/paths/unique-names';
import { usableServers } from './rules/paths/usable-servers';
import type { Rule } from './rules/rule';
import { declaredProperties } from './rules/schemas/declared-properties';
import { legalXmlNames } from './rules/schemas/legal-xml-names';
import { enforceableKeywords, fittingDefaults } from './rules/schemas/schema-keywords';
import { usableDiscriminators } from './rules/schemas/usable-discriminators';

export const rules: readonly Rule[] = [
  resolvableReferences,
  servedOperations,
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
  carriedBodies,
  tellableErrors,
  exclusiveFields,
  enforceableKeywords,
  declaredProperties,
  usableDiscriminators,
  fittingDefaults,
  legalXmlNames,
];
