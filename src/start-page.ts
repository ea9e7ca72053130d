/** The small page at `/` that lists the services. */

/** What the page says of a service. */
export interface ListedService {
  readonly name: string;
  readonly title: string;
  readonly basePath: string;
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const item = ({ title, basePath }: ListedService): string => {
  const base = escapeHtml(basePath);
  return `<li>${escapeHtml(title)} at <code>${base || '/'}</code>: <a href="${base}/openapi.yaml">YAML</a>, <a href="${base}/openapi.json">JSON</a></li>`;
};

/** HTML without scripts or styles from elsewhere. */
export const startPage = (services: readonly ListedService[]): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Services</title>
<h1>Services</h1>
<ul>
${services.map(item).join('\n')}
</ul>
<p>Health: <a href="/livez">live</a>, <a href="/readyz">ready</a>. <a href="/metrics">Metrics</a>.</p>
</html>
`;
