/** The routes of the operator: start page, health and metrics. */

import express, { type Router } from 'express';
import { type Html, html } from '../../base/html/html';
import { markdown } from '../../base/html/markdown';
import { headLines, plainPageHeaders, styleElement } from '../../base/html/page-style';
import { recoverFrom } from '../../base/recover';
import type { ApiDocument } from '../../engine';
import type { DemoInForce } from '../../host/demo-data';
import { HttpError, unavailable } from '../../http/http-error';
import { send } from '../../http/send';
import { equalTexts } from '../../identity/token';
import type { Operation } from '../../model/operation';
import { DatabaseUnavailable } from '../../storage/connections/database-errors';
import { type Database, databaseCheck } from '../../storage/database/database';
import type { Config } from '../config/config';
import { knownScopes, tokenAddresses } from '../docs/swagger-ui/browser-document';
import type { Metrics } from '../observability/metrics';

const card = (
  { info, basePath, operations, name }: ApiDocument,
  isMocked: (operation: Operation) => boolean,
): Html => {
  const mocked = operations.filter(isMocked).length;
  const { title, version, description } = info;
  return html`<section class="item" aria-labelledby="service-${name}">
<h3 id="service-${name}">${title} <span class="version">${version}</span></h3>
${markdown(description, 3)}
<p class="limits"><code>${basePath || '/'}</code> · ${operations.length} operation${operations.length !== 1 && 's'}${mocked > 0 && html` · <strong>${mocked === operations.length ? 'all' : mocked} mocked</strong>: without a handler`}</p>
<ul class="links">
<li><a class="button" href="${basePath}/docs/" aria-label="Try it out: ${title}">Try it out</a></li>
<li><a href="${basePath}/openapi.yaml" aria-label="YAML: ${title}">YAML</a></li>
<li><a href="${basePath}/openapi.json" aria-label="JSON: ${title}">JSON</a></li>
<li><a href="${basePath}/docs.md" aria-label="Markdown: ${title}">Markdown</a></li>
</ul>
</section>
`;
};

const command = (text: string): Html =>
  html`<pre tabindex="0"><code>npm run --silent admin -- ${text}</code></pre>`;

/** Shows commands to copy; the first of several services stands for all. */
const credentials = (documents: readonly ApiDocument[]): Html => {
  const [first] = documents;
  const service = first?.name ?? 'NAME';
  const scopes = documents.flatMap((document) => {
    const known = knownScopes(document);
    return known.length === 0
      ? []
      : [html`<li>${document.name}: <code>${known.join(' ')}</code></li>\n`];
  });
  const sources = documents.flatMap((document) =>
    tokenAddresses(document).map(
      (address) => html`<li>${document.name}: <code>${address}</code></li>\n`,
    ),
  );
  const scope = (first && knownScopes(first).join(' ')) || 'SCOPES';
  return html`<section aria-labelledby="credentials"><h2 id="credentials">Credentials</h2>
<p>In the browser: open “Try it out” and press “Authorize”. A user signs in there and agrees to the scopes.</p>
${sources.length > 0 && html`<p>Other programs that act for a user get their tokens from:</p>\n<ul>${sources}</ul>`}
<p>For programs, an administrator issues credentials. They are shown once and stored only as hashes.</p>
<h3>An account</h3>
${command(`user create --service ${service} --username NAME --password -`)}
<h3>An access token with scopes</h3>
${command(`token create --service ${service} --user NAME --scope "${scope}"`)}
<p>It is sent as <code>Authorization: Bearer TOKEN</code>.</p>
${scopes.length > 0 && html`<ul>${scopes}</ul>`}
<h3>An API key</h3>
${command(`api-key create --service ${service} --label LABEL`)}
</section>`;
};

const demoSection = (demo: DemoInForce | undefined): Html | false => {
  if (demo === undefined) return html`<p class="warning">The database does not answer.</p>\n`;
  const { username, password, apiKey, services } = demo;
  return (
    services.length > 0 &&
    html`<section aria-labelledby="demo"><h2 id="demo">Demo credentials</h2>
<p>For ${services.join(' and ')}: log in as <code>${username}</code> with the password <code>${password}</code>, or send the API key <code>${apiKey}</code>.</p>
</section>
`
  );
};

interface DocumentStatus {
  readonly name: string;
  readonly state: string;
  readonly fault: string | undefined;
}

/** Makes the start page: HTML without scripts, and without files from elsewhere. The part about the documents is written once. */
const startPage = (
  documents: readonly ApiDocument[],
  states: readonly DocumentStatus[],
  isMocked: (operation: Operation) => boolean,
  ownPath: string,
): ((demo: DemoInForce | undefined) => Html) => {
  const cards = html`${documents.map((document) => card(document, isMocked))}`;
  const help = credentials(documents);
  const faults = states.flatMap(({ name, fault }) =>
    fault === undefined ? [] : [html`<li>${name} ${fault}.</li>\n`],
  );
  return (demo) => html`<!doctype html>
<html lang="en">
<head>
${headLines('Services')}
${styleElement}
</head>
<body>
<header class="site"><a class="site-home" href="${ownPath}/" aria-current="page">Services</a></header>
<main class="alone">
<h1>Services</h1>
<p>APIs served from their OpenAPI documents.</p>
${faults.length > 0 && html`<ul class="warning">\n${faults}</ul>\n`}<h2 class="quiet">APIs</h2>
<div class="cards">
${cards}</div>
${demoSection(demo)}${help}
<section aria-labelledby="health"><h2 id="health">Health</h2>
<ul class="links">
<li><a href="${ownPath}/livez">Liveness</a></li>
<li><a href="${ownPath}/readyz">Readiness</a></li>
<li><a href="${ownPath}/metrics">Metrics</a></li>
</ul>
</section>
</main>
</body>
</html>
`;
};

/** Makes the routes `/`, `/livez`, `/readyz` and `/metrics`. */
export const operatorRoutes = (parts: {
  readonly documents: readonly ApiDocument[];
  readonly states: readonly DocumentStatus[];
  readonly isMocked: (operation: Operation) => boolean;
  readonly db: Database;
  readonly metrics: Metrics;
  readonly config: Pick<Config, 'operatorPath' | 'metricsToken'>;
  readonly findDemo: () => Promise<DemoInForce>;
}): Router => {
  const { documents, states, isMocked, db, metrics, config, findDemo } = parts;
  const router = express.Router({ caseSensitive: true, strict: true });
  const policy = { 'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'" };
  const text = (mediaType: string, body: string) => {
    return { status: 200, headers: { 'Content-Type': mediaType, ...policy }, body };
  };
  const page = startPage(documents, states, isMocked, config.operatorPath);
  router.get('/', async (request, response) => {
    // Without its database the page still lists the services.
    const demo = await findDemo().catch(recoverFrom(DatabaseUnavailable, () => undefined));
    const body = page(demo).html;
    const headers = { 'Content-Type': 'text/html; charset=utf-8', ...plainPageHeaders };
    send(request, response, { status: 200, headers, body });
  });
  router.get('/livez', (request, response) =>
    send(request, response, text('text/plain', 'live\n')),
  );
  const checkDatabase = databaseCheck(db);
  const lines = states.map(({ name, state }) => `${name}: ${state}`);
  const readiness = ['ready', ...lines, ''].join('\n');
  router.get('/readyz', async (request, response) => {
    try {
      await checkDatabase();
    } catch (cause) {
      throw unavailable('The database does not answer', 1, cause);
    }
    send(request, response, text('text/plain', readiness));
  });
  router.get('/metrics', async (request, response) => {
    const { metricsToken: wanted } = config;
    // RFC 6750 section 2.1
    const [, given = ''] = /^bearer +(.*)$/i.exec(request.headers.authorization ?? '') ?? [];
    if (wanted !== undefined && !equalTexts(given, wanted)) {
      const headers = { 'WWW-Authenticate': 'Bearer realm="metrics"' };
      throw new HttpError(401, 'unauthenticated', 'The metrics require their token', { headers });
    }
    const { mediaType, text: body } = await metrics.expose().catch((cause: unknown) => {
      throw unavailable('The metrics of all processes are unavailable', 1, cause);
    });
    send(request, response, text(mediaType, body));
  });
  return router;
};
