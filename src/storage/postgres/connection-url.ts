/** Parts of the URLs of libpq that the driver does not read: several hosts, and which of them will do (PostgreSQL, libpq, Connection URIs). */

/** Kinds of hosts (target_session_attrs). Those of libpq that take no changes are of no use to a server. */
const sessionAttributes = ['any', 'read-write', 'primary'] as const;

export type SessionAttribute = (typeof sessionAttributes)[number];

/** A URL that was read. */
export interface PostgresUrl {
  /** The same URL for each of its hosts alone, as the driver takes it. */
  readonly hosts: readonly [string, ...string[]];
  readonly wanted: SessionAttribute;
  /** True behind a pooler in transaction mode, such as PgBouncer. */
  readonly isPooled: boolean;
}

/** Throws an error for an operator. The message never has the URL, which may hold a password. */
const refuse = (problem: string): never => {
  throw new Error(problem);
};

const oneOf = <Word extends string>(name: string, words: readonly Word[], said: string): Word =>
  words.find((word) => word === said) ??
  refuse(`${name} must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`);

/**
 * Reads a URL.
 *
 * @param url - `postgres://USER:PASSWORD@HOST:PORT,HOST:PORT/DATABASE?NAME=VALUE`
 * @throws Error of a part of a sentence that says what is wrong
 */
export const readPostgresUrl = (url: string): PostgresUrl => {
  const parts = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? [];
  const [, head = '', hosts = '', tail = ''] = parts;
  const urls = hosts.split(',').map((host) => `${head}${host}${tail}`);
  // The driver reads a URL without a host, too.
  if (!urls.every((one) => URL.canParse(one) || URL.canParse(one.replace('@/', '@host/')))) {
    refuse(
      'its URL is invalid: write @, :, /, ? and # of a password as %40, %3A, %2F, %3F and %23',
    );
  }
  const parameters = new URLSearchParams(/\?[^#]*/.exec(tail)?.[0]);
  const mode = parameters.get('sslmode');
  // `prefer` and `allow` fall back to no TLS in libpq and give no protection, so that they are left out.
  if (mode !== null) oneOf('sslmode', ['disable', 'require', 'verify-ca', 'verify-full'], mode);
  // The driver's own `require` and `verify-ca` differ from libpq's.
  const compatible = mode === null ? '' : '&uselibpqcompat=true';
  const [first = url, ...others] = urls.map((url) => url + compatible);
  const wanted = parameters.get('target_session_attrs') ?? 'any';
  const pgbouncer = parameters.get('pgbouncer') ?? 'false';
  return {
    hosts: [first, ...others],
    wanted: oneOf('target_session_attrs', sessionAttributes, wanted),
    isPooled: oneOf('pgbouncer', ['true', 'false'], pgbouncer) === 'true',
  };
};

/** Reduces a URL to its hosts and the database, and leaves out everything else, which may be a password. */
export const withoutSecrets = (url: string): string => {
  const hostList = /^(?:(?:[\w.%-]*|\[[\da-f:.]+\])(?::\d*)?(?:,|$))*$/i;
  const shown = /^postgres(?:ql)?:\/\/(?:[^/?#]*@)?([^/?#@]*)(\/[^?#@]*)?(?:[?#][^@]*)?$/s.exec(
    url,
  );
  const [, hosts = ':', path = ''] = shown ?? [];
  return shown !== null && hostList.test(hosts) ? `postgres://${hosts}${path}` : 'postgres://…';
};
