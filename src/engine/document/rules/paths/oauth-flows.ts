/** OAuth flows name the addresses that they need (OAS 3.0.3, OAuth Flow Object). */

import { isPlainObject } from '../../../lang/plain-object';
import { errorOf, ruleOf } from '../rule';

const addresses: Readonly<Record<string, readonly string[]>> = {
  implicit: ['authorizationUrl'],
  password: ['tokenUrl'],
  clientCredentials: ['tokenUrl'],
  authorizationCode: ['authorizationUrl', 'tokenUrl'],
};

export const oauthFlows = ruleOf({
  OAuthFlows: ({ value, pointer }) =>
    Object.entries(addresses).flatMap(([type, fields]) => {
      const flow = value[type];
      return fields
        .filter((field) => isPlainObject(flow) && !Object.hasOwn(flow, field))
        .map((field) =>
          errorOf('oauth-flow')(
            `${pointer}/${type}`,
            `Add \`${field}\`, which the ${type} flow needs.`,
          ),
        );
    }),
});
