/** Reads what `npm audit --json` prints. */

/** An advisory, or the name of the package that brings it in. */
type Via = string | { readonly title: string; readonly url: string; readonly severity: string };

/** The properties used here of a report of version 2, or of an error in its place. */
interface Printed {
  readonly vulnerabilities?: Readonly<
    Record<string, { readonly range: string; readonly via: readonly Via[] }>
  >;
  readonly message?: string;
  readonly error?: { readonly summary?: string };
}

/** The severe advisories, one sentence for each; or why the registry did not say. */
export type AuditOutcome = { readonly severe: readonly string[] } | { readonly unanswered: string };

const severities: ReadonlySet<string> = new Set(['high', 'critical']);

/**
 * Tells the advisories that are high or critical.
 *
 * @param text what the command printed on standard output
 * @throws Error where that is neither a report nor an error of npm
 */
export const readAudit = (text: string): AuditOutcome => {
  const { vulnerabilities, message, error }: Printed = JSON.parse(text);
  if (vulnerabilities !== undefined) {
    const severe = Object.entries(vulnerabilities).flatMap(([name, { range, via }]) =>
      via
        .filter((one) => typeof one === 'object')
        .filter(({ severity }) => severities.has(severity))
        .map(({ title, url, severity }) => `${name} ${range}: ${severity}: ${title} (${url})`),
    );
    return { severe };
  }
  const reason = message ?? error?.summary;
  if (reason === undefined) throw new Error(`npm audit printed what is not known: ${text}`);
  return { unanswered: reason };
};
