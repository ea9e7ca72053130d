/** OAuth flows name the addresses that they need (OAS 3.0.3, OAuth Flow Object). */

import { isFields } from '../../../schema/validation/checks/schema-fields';
import { errorOf, type Rule } from '../rule';

const finding = errorOf('oauth-flow');

const addresses: Readonly<Record<string, readonly string[]>> = {
  implicit: ['authorizationUrl'],
  password: ['tokenUrl'],
  clientCredentials: ['tokenUrl'],
  authorizationCode: ['authorizationUrl', 'tokenUrl'],
};

export const oauthFlows: Rule = ({ objects }) =>
  objects
    .filter(({ name }) => name === 'OAuthFlows')
    .flatMap(({ value, pointer }) =>
      Object.entries(addresses).flatMap(([type, fields]) => {
        const flow: unknown = Reflect.get(value, type);
        return fields
          .filter((field) => isFields(flow) && !Object.hasOwn(flow, field))
          .map((field) =>
            finding(`${pointer}/${type}`, `Add \`${field}\`, which the ${type} flow needs.`),
          );
      }),
    );
