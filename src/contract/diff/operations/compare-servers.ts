/** Compares servers: an operation at another address is not there for those who call the old one. */

import { serverPath, serverUrl } from '../../../document/read/templates';
import type { Server } from '../../../model/operation';
import { bothOf, lone, type Reporter, type Spot } from '../rules/finding';

/** More combinations of the values of a server's variables are not told apart. */
const MOST_ADDRESSES = 1000;

/** An address of a server, by its defaults or by other values of its variables. */
interface Address extends Spot {
  readonly path: string;
  /** Undefined where the URL is relative to where the document was found. */
  readonly origin: string | undefined;
  readonly isDefault: boolean;
}

/** Lists the server with each combination of the values of its variables, the defaults first. */
const variantsOf = (server: Server): readonly Server[] =>
  Object.entries(server.variables).reduce<readonly Server[]>(
    (variants, [name, { default: usual = '', enum: values = [] }]) => {
      const all = [...new Set([usual, ...values])];
      if (variants.length * all.length > MOST_ADDRESSES) return variants;
      const withValue = (variant: Server) => (value: string) => ({
        ...variant,
        variables: { ...variant.variables, [name]: { default: value } },
      });
      return variants.flatMap((variant) => all.map(withValue(variant)));
    },
    [server],
  );

const addressesOf = (servers: readonly Server[]): readonly Address[] => {
  // Without servers there is the root (OAS 3.0.3, OpenAPI Object).
  const root: Server = { pointer: '/servers', url: '/', variables: {} };
  return (servers.length > 0 ? servers : [root]).flatMap(({ pointer, ...server }) =>
    variantsOf({ pointer, ...server }).flatMap((variant, at) => {
      const [path, url] = [serverPath(variant), serverUrl(variant)];
      if (path === undefined) return [];
      const origin = URL.canParse(url) ? new URL(url).origin : undefined;
      return [
        { pointer, text: `${origin ?? ''}${path}` || '/', path, origin, isDefault: at === 0 },
      ];
    }),
  );
};

/** Tells whether one may be the other: a relative one is at any origin. */
const isSame = (one: Address) => (other: Address) =>
  one.path === other.path && (one.origin ?? other.origin) === (other.origin ?? one.origin);

/** Compares base paths, and then the addresses that these do not tell. */
export const compareServers = (
  reporter: Reporter,
  oldServers: readonly Server[],
  newServers: readonly Server[],
): void => {
  const [olds, news] = [addressesOf(oldServers), addressesOf(newServers)];
  const reportLone = (own: readonly Address[], others: readonly Address[], isOld: boolean) => {
    const lacking = own.filter(
      ({ path, isDefault }) => isDefault && others.every((other) => other.path !== path),
    );
    const paths = new Map(
      lacking.map(({ path, pointer }) => [path, { pointer, text: path || '/' }]),
    );
    for (const spot of paths.values()) bothOf(reporter, ...lone(isOld, spot), 'server-path');
    const rest = own.filter((one) => !paths.has(one.path) && !others.some(isSame(one)));
    for (const address of rest) bothOf(reporter, ...lone(isOld, address), 'server');
  };
  reportLone(olds, news, true);
  reportLone(news, olds, false);
  const defaults = news.filter(({ isDefault }) => isDefault);
  for (const old of olds.filter(({ isDefault }) => isDefault)) {
    const same = news.find(isSame(old));
    const now = defaults.find(({ pointer }) => pointer === same?.pointer);
    if (now && !defaults.some(isSame(old))) reporter.report('server-default-changed', old, now);
  }
};
