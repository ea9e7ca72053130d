/** Every rule that documents are held to, by the stable name that reports carry, and what it asks for. */

export const ruleDescriptions = {
  // Files.
  'unreadable-file': 'The document is a file that can be read.',
  'text-encoding': 'Files are text in UTF-8 or UTF-16.',
  yaml: 'Files are YAML 1.2 or JSON, one document each.',
  'duplicate-key': 'No key stands twice in one map.',
  'too-large': 'Files keep within the limits of size, depth and repetition.',
  'empty-file': 'The document is not empty.',
  'no-openapi': 'The file is an OpenAPI document.',
  version: 'The document is one of OpenAPI 3.0.',
  // The form of objects.
  'required-field': 'Required fields are there.',
  'field-kind': 'Fields hold what the specification says.',
  'unknown-field': 'Fields are those of the specification, or begin with x-.',
  'key-pattern': 'Paths, statuses, component names and media types are written as they must be.',
  'exclusive-fields': 'Fields that exclude each other do not stand together.',
  // References.
  reference: 'References lead somewhere.',
  'misplaced-reference': 'References stand where the specification allows them.',
  // What is served.
  'nothing-served': 'The document has an operation that can be served.',
  'unserved-operation': 'Each operation can be served.',
  server: 'Server URLs can be made of their templates.',
  'server-path': 'No two documents are served at the same path.',
  'ignored-servers': 'Paths and operations have no servers of their own.',
  tag: 'Each tag is declared once.',
  security: 'Requirements name declared schemes and scopes.',
  'oauth-flow': 'OAuth flows name the addresses that they need.',
  'path-template': 'Path templates are well formed.',
  'identical-paths': 'No two path templates match the same paths.',
  'path-parameter': 'Path parameters and the names in the template are the same.',
  'operation-id': 'Each operationId stands once.',
  parameter: 'Parameters say where they are and what they hold, in one way.',
  'ignored-parameter': 'No header parameter says what other fields say.',
  'repeated-parameter': 'No list names a parameter twice.',
  'parameter-style': 'Parameters have a style that is defined for their place.',
  'request-body': 'Only methods whose bodies have a meaning declare one.',
  'unreachable-response': 'Each response can be sent.',
  'unusable-body': 'Bodies are in formats that can carry what their schemas describe.',
  'untold-error': 'Responses to errors have a place for what is told of errors.',
  // Schemas.
  'schema-keyword': 'Schemas have keywords that can be enforced.',
  'required-property': 'Required properties are described.',
  discriminator: 'Discriminators name a required property and schemas that are there.',
  default: 'Defaults fit their schemas.',
  example: 'Examples fit their schemas.',
  'xml-name': 'Schemas have names that XML allows and can tell apart.',
} as const;

/** The name of a rule. */
export type RuleName = keyof typeof ruleDescriptions;
