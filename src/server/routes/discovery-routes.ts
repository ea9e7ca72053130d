/** Leads programs to the services: `/llms.txt` for language models, and the API catalog (RFC 9727). */

import express, { type Router } from 'express';
import { groupBy } from '../../base/group-by';
import { escapeMarkdown, markdownQuote } from '../../base/text/markdown-text';
import type { ApiDocument } from '../../engine';
import { fileOf, type MakeFile, readByAll, sendPageFile } from '../docs/docs-routes';

/** A link to what belongs to a service. */
interface ServiceLink {
  /** Its relation to the service (RFC 8631, or `item`). */
  readonly relation: string;
  readonly path: string;
  /** Its media type; undefined where it is no document. */
  readonly mediaType?: string;
  readonly title: string;
}

const commonLinks: readonly ServiceLink[] = (
  [
    ['service-doc', '/docs.md', 'text/markdown', 'Documentation as Markdown'],
    ['service-doc', '/docs/', 'text/html', 'Documentation'],
    ['service-desc', '/openapi.json', 'application/json', 'OpenAPI document'],
    ['service-desc', '/openapi.yaml', 'application/yaml', 'OpenAPI document as YAML'],
  ] as const
).map(([relation, path, mediaType, title]) => ({ relation, path, mediaType, title }));

/** The services that programs are led to. */
export interface DiscoveryParts {
  readonly documents: readonly ApiDocument[];
  readonly origin: string;
  readonly operatorPath: string;
  /** The links to what each service has beside its documentation, such as an endpoint for agents: none. */
  readonly furtherLinks?: readonly ServiceLink[];
}

/** Writes the services as llmstxt.org has it: a heading, a summary, and lists of links. */
const llmsText = ({ documents, origin, furtherLinks = [] }: DiscoveryParts): string => {
  const sections = documents.map((document) => {
    const { info, basePath, operations } = document;
    const { title, version, description = '' } = info;
    const links = [...commonLinks, ...furtherLinks].map(
      (link) => `- [${link.title}](${origin}${basePath}${link.path})`,
    );
    const count = `${operations.length} operation${operations.length === 1 ? '' : 's'}`;
    const about = `Version ${escapeMarkdown(version)}, ${count} at ${origin}${basePath || '/'}`;
    const quoted = description.trim() === '' ? [] : [markdownQuote(description), ''];
    return [`## ${escapeMarkdown(title)}`, '', about, '', ...quoted, ...links, ''].join('\n');
  });
  const summary = '> APIs served from their OpenAPI documents.';
  return ['# Services', '', summary, '', ...sections].join('\n');
};

const catalogPath = '/.well-known/api-catalog';

/** Writes the catalog as a linkset (RFC 9264 section 4.2): the addresses of the services, and what belongs to each. */
const catalog = (parts: DiscoveryParts): string => {
  const { documents, origin, operatorPath, furtherLinks = [] } = parts;
  const urlOf = ({ basePath }: ApiDocument) => origin + (basePath || '/');
  const contexts = documents.map((document) => {
    const links = groupBy([...commonLinks, ...furtherLinks], ({ relation }) => relation);
    const targets = [...links].map(([relation, same]) => [
      relation,
      same.map(({ path, mediaType, title }) => ({
        href: origin + document.basePath + path,
        ...(mediaType !== undefined && { type: mediaType }),
        title,
      })),
    ]);
    const status = [{ href: `${origin}${operatorPath}/readyz`, type: 'text/plain' }];
    return { anchor: urlOf(document), ...Object.fromEntries(targets), status };
  });
  const items = documents.map((document) => ({
    href: urlOf(document),
    title: document.info.title,
  }));
  return JSON.stringify({ linkset: [{ anchor: origin + catalogPath, item: items }, ...contexts] });
};

/** Makes the routes `/llms.txt` and `/.well-known/api-catalog`, which are as public as the documentation. */
export const discoveryRoutes = (parts: DiscoveryParts): Router => {
  const router = express.Router({ caseSensitive: true, strict: true });
  const serve = (path: string, make: MakeFile) =>
    router.get(path, async (request, response) =>
      sendPageFile(request, response, await make(), ''),
    );
  serve(
    '/llms.txt',
    fileOf('text/plain; charset=utf-8', () => llmsText(parts), readByAll),
  );
  const profile = 'https://www.rfc-editor.org/info/rfc9727';
  serve(
    catalogPath,
    fileOf(`application/linkset+json; profile="${profile}"`, () => catalog(parts), {
      ...readByAll,
      // RFC 9727 section 2
      Link: `<${catalogPath}>; rel="api-catalog"`,
    }),
  );
  return router;
};
