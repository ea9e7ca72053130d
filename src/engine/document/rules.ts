/** Every rule, in the order in which their diagnostics are reported. */

import {
  carriedBodies,
  exclusiveFields,
  meaningfulBodies,
  reachableResponses,
  tellableErrors,
} from './rules/messages/bodies';
import { parameterObjects, parameterStyles } from './rules/messages/parameter-objects';
import { declaredSecurity, oauthFlows } from './rules/paths/declared-security';
import { legalAddresses, publishedVersion } from './rules/paths/legal-details';
import { pathTemplates } from './rules/paths/path-templates';
import { resolvableReferences } from './rules/paths/resolvable-references';
import {
  servedOperations,
  uniqueOperationIds,
  uniqueParameters,
  uniqueTags,
} from './rules/paths/served-operations';
import { usableServers } from './rules/paths/usable-servers';
import type { Rule } from './rules/rule';
import { fastPatterns, smallSchemas, tellingUnions } from './rules/schemas/bounded-work';
import { legalXmlNames } from './rules/schemas/legal-xml-names';
import {
  declaredProperties,
  distinctValues,
  enforceableKeywords,
  fittingDefaults,
} from './rules/schemas/schema-keywords';
import { usableDiscriminators } from './rules/schemas/usable-discriminators';

export const rules: readonly Rule[] = [
  publishedVersion,
  legalAddresses,
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
  distinctValues,
  usableDiscriminators,
  fastPatterns,
  tellingUnions,
  smallSchemas,
  fittingDefaults,
  legalXmlNames,
];
