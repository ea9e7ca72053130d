/** The commands of the program, each with what its help says and what loads it. */

import type { CommandEntry } from './command/run-program';

/** The commands by their names, in the order of the help. */
export const commands = {
  check: {
    description: 'Check OpenAPI documents',
    otherNames: ['lint', 'validate', 'verify'],
    examples: ['api.yaml', '--strict --format sarif api.yaml more.yaml'],
    load: () => (require('./check-command') as typeof import('./check-command')).checkCommand,
  },
  diff: {
    description: 'Compare two OpenAPI documents and list breaking changes',
    otherNames: ['compare', 'changes', 'breaking'],
    examples: [
      'old.yaml new.yaml',
      '--base main api.yaml',
      'old.yaml new.yaml --format markdown --fail-on warning',
    ],
    load: () =>
      (require('./diff/diff-command') as typeof import('./diff/diff-command')).diffCommand,
  },
  test: {
    description: 'Test a server against its document',
    otherNames: ['contract'],
    examples: [
      'api.yaml --url http://127.0.0.1:8080/v1',
      'api.yaml --url https://api.example.com --credential key=KEY --depth quick',
      'api.yaml --url http://127.0.0.1:8080 --format html --report report.html',
    ],
    load: () => (require('./test-command') as typeof import('./test-command')).testCommand,
  },
  types: {
    description: 'Write the TypeScript types of a document',
    otherNames: ['generate', 'codegen'],
    examples: ['api.yaml --out api.ts', 'api.yaml --out api.ts --check'],
    load: () =>
      (require('./types/types-command') as typeof import('./types/types-command')).typesCommand,
  },
  stubs: {
    description: 'Write a handler, which answers 501, for each operation that has none',
    otherNames: ['handlers', 'scaffold'],
    examples: ['api.yaml --out handlers.ts', 'api.yaml --out src/handlers.ts --types src/api.ts'],
    load: () =>
      (require('./stubs/stubs-command') as typeof import('./stubs/stubs-command')).stubsCommand,
  },
  new: {
    description: 'Begin a service: a document, its types, handlers that serve it, and a server',
    otherNames: ['init', 'create'],
    examples: ['shop', 'shop --title "The shop" --openapi 3.1'],
    load: () => (require('./new/new-command') as typeof import('./new/new-command')).newCommand,
  },
  upgrade: {
    description:
      'Write a document of an older version, or of Swagger 2.0, as one of a newer version',
    otherNames: ['convert', 'migrate'],
    examples: ['api.yaml', 'swagger.json --out openapi.json'],
    load: () => (require('./upgrade-command') as typeof import('./upgrade-command')).upgradeCommand,
  },
  overlay: {
    description: 'Write a document with overlays applied',
    otherNames: ['apply'],
    examples: ['api.yaml public.overlay.yaml --out public.yaml', 'api.json one.yaml two.yaml'],
    load: () => (require('./overlay-command') as typeof import('./overlay-command')).overlayCommand,
  },
  serve: {
    description: 'Serve OpenAPI documents by handlers, and by mocks where there are none',
    otherNames: ['mock', 'mocks', 'start', 'run', 'dev', 'server', 'preview'],
    examples: [
      'api.yaml',
      'api.yaml --handlers handlers --watch',
      'documents/ --port 0 --validate-responses',
    ],
    load: () => (require('./serve/server') as typeof import('./serve/server')).serveCommand,
  },
  proxy: {
    description: 'Pass requests to a server, and check them and its responses against a document',
    examples: [
      'api.yaml --upstream http://127.0.0.1:8080/v1',
      'api.yaml --upstream https://api.example.com --mode block --port 8081',
      'api.yaml --upstream http://127.0.0.1:8080 --mode report --report seen.json',
    ],
    load: () =>
      (require('./proxy/proxy-command') as typeof import('./proxy/proxy-command')).proxyCommand,
  },
  mcp: {
    description: 'Give agents the operations of an API as tools (Model Context Protocol)',
    otherNames: ['tools', 'agents'],
    examples: [
      'api.yaml --url https://api.example.com --credential key=KEY',
      'api.yaml --read-only --http 4012',
    ],
    load: () => (require('./mcp-command') as typeof import('./mcp-command')).mcpCommand,
  },
  completion: {
    description: 'Print the script by which a shell completes commands, options and files',
    examples: ['bash >> ~/.bashrc', 'zsh >> ~/.zshrc'],
    needsAll: true,
    load: () =>
      (require('./completion-command') as typeof import('./completion-command')).completionCommand,
  },
} satisfies Readonly<Record<string, CommandEntry>>;
