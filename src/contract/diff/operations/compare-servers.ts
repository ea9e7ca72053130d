/** Compares servers: an operation at another address is not there for those who call the old one. */

import { serverPath, serverUrl } from '../../../document/read/templates';
import type { Server } from '../../../model/operation';
import { bothOf, lone, type Reporter, type Spot } from '../rules/finding';

/** An address of a server, by its defaults or by other values of its variables. */
interface Address extends Spot {
  readonly path: string;
  /** Undefined where the URL is relative to where the document was found. */
  readonly origin: string | undefined;
  readonly isDefault: boolean;
}

const addressesOf = (servers: readonly Server[]): readonly Address[] => {
  // Without servers there is the root (OAS 3.0.3, OpenAPI Object).
  const root: Server = { pointer: '/servers', url: '/', variables: {} };
  // More combinations of the values of a server's variables are not told apart.
  const mostAddresses = 1000;
  return (servers.length > 0 ? servers : [root]).flatMap((server) => {
    // Each combination of the values of variables, the defaults first.
    let variants = [server];
    for (const [name, { default: usual = '', enum: values = [] }] of Object.entries(
      server.variables,
    )) {
      const more = [...new Set([usual, ...values])].flatMap((value) =>
        variants.map(({ variables, ...variant }) => {
          return { ...variant, variables: { ...variables, [name]: { default: value } } };
        }),
      );
      if (more.length <= mostAddresses) variants = more;
    }
    return variants.flatMap((variant, at) => {
      const [path, url] = [serverPath(variant), serverUrl(variant)];
      if (path === undefined) return [];
      const origin = URL.canParse(url) ? new URL(url).origin : undefined;
      const text = `${origin ?? ''}${path}` || '/';
      return [{ pointer: server.pointer, text, path, origin, isDefault: at === 0 }];
    });
  });
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
