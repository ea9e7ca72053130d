/** Every rule of the comparison by its id. An id never changes: allow files name them. */

/** The severity of a change: `warning` where a caller may be hurt, or where it cannot be decided. */
export type Severity = 'breaking' | 'warning' | 'compatible';

/** The side that a change concerns: messages that callers send, those that they get, or the document as a whole. */
export type Side = 'request' | 'response' | 'document';

/** One kind of change. */
interface DiffRule {
  /** The severity in requests, and of the document as a whole. */
  readonly request: Severity;
  readonly response: Severity;
  /** The severity in responses as far as the sets of values decide it, which tells whether alternatives cover each other. */
  readonly ofValues: Severity;
  /** The change in a few words, which follow the name of a place in messages. */
  readonly sentence: string;
}

/** Makes the rule of a change in a few words. */
type Weigh = (sentence: string) => DiffRule;

const weighs =
  (request: Severity, response: Severity, ofValues = response): Weigh =>
  (sentence) => ({ request, response, ofValues, sentence });

/** Fewer values or messages than before: a request may now be refused, no answer is new. */
const narrows = weighs('breaking', 'compatible');

/** More values or messages than before: every request still fits, an answer may be new to its reader. */
const widens = weighs('compatible', 'breaking');

/** Neither holds the other: both sides may be hurt. */
const changes = weighs('breaking', 'breaking');

/** The same values and messages as before. */
const keeps = weighs('compatible', 'compatible');

/** One side may be hurt, whichever sends it, or the effect cannot be decided; the sentence says why. */
const warns = weighs('warning', 'warning');

/** Changes what a request means, while an answer stays what it was. */
const warnsSenders = weighs('warning', 'compatible');

/** Requests go on as before, and readers of an answer may miss something. */
const warnsReaders = weighs('compatible', 'warning');

/** Lowers protection: every caller is still let in, and others are, too, which its owner must know. A receiver may refuse what comes. */
const lowers = weighs('warning', 'breaking');

const presence = { added: narrows, removed: widens };
const offer = { removed: changes, added: keeps };
const alternatives = { removed: narrows, added: widens };
const idle = { added: keeps, removed: keeps };
const lower = { ...presence, raised: narrows, lowered: widens };
const upper = { ...presence, raised: widens, lowered: narrows };
const requirement = { 'became-required': narrows, 'became-optional': widens };
const deprecation = { deprecated: keeps, reactivated: keeps };
const sets = { narrowed: narrows, widened: widens, changed: changes };

/** Makes the rules of what becomes of one thing: the end of each id is the end of its sentence. */
const each = <Name extends string, End extends string>(
  name: Name,
  ends: Readonly<Record<End, Weigh>>,
  noun = name.replaceAll('-', ' '),
) =>
  Object.fromEntries(
    Object.entries<Weigh>(ends).map(([end, weigh]) => {
      const words = end === 'reactivated' ? 'no longer deprecated' : end.replaceAll('-', ' ');
      return [`${name}-${end}`, weigh(`${noun} ${words}`)];
    }),
  ) as Record<`${Name}-${End}`, DiffRule>;

const ofOperations = {
  'operation-added': keeps('operation added'),
  'operation-removed': changes('operation removed'),
  'deprecated-operation-removed': warns('deprecated operation removed; it may still be called'),
  'operation-removed-before-sunset': changes('operation removed before its sunset'),
  'operation-removed-after-sunset': keeps('operation removed after its sunset'),
  'operation-id-changed': warns(
    'operationId changed; requests stay the same, names in generated clients change',
  ),
  ...each('operation', deprecation),
  'callback-added': warns('callback added; callers must answer it'),
  'callback-removed': changes('callback removed; receivers are called no more'),
  'callback-key-changed': changes('key expression of the callback changed; other URLs are called'),
  'webhook-added': warns('webhook added; callers must answer it'),
  'webhook-removed': changes('webhook removed; receivers are called no more'),
  // Addresses.
  ...each('server-path', offer, 'base path'),
  'server-removed': warns('URL of a server removed; callers may use it'),
  'server-added': keeps('URL of a server added'),
  'server-default-changed': warns('default of the server changed; callers may rely on it'),
  // Security.
  'security-added': narrows('credentials required'),
  'security-removed': lowers('credentials no longer required'),
  'security-alternative-removed': narrows('security alternative removed'),
  'security-alternative-added': lowers('security alternative added'),
  'security-scope-added': narrows('required scope added'),
  'security-scope-removed': lowers('required scope removed'),
  'security-scheme-changed': changes('security scheme changed'),
  ...each('security-scheme', deprecation),
  ...each('oauth-flow', offer, 'OAuth flow'),
  'oauth-scope-removed': warns('OAuth scope removed from the scheme; it may still be granted'),
  'oauth-scope-added': keeps('OAuth scope added to the scheme'),
  'oauth-address-changed': warns(
    'URL of the security scheme changed; the old one may still answer',
  ),
  'login-required': narrows('login required'),
  'login-not-required': lowers('login no longer required, or any account accepted'),
} as const satisfies Record<string, DiffRule>;

const ofMessages = {
  // Parameters.
  'parameter-added': keeps('optional parameter added'),
  'required-parameter-added': narrows('required parameter added'),
  'parameter-removed': warns('parameter removed; values sent for it are ignored'),
  'sent-parameter-removed': warns('parameter removed; receivers may read it'),
  'sent-required-parameter-removed': widens('required parameter removed; receivers may rely on it'),
  ...each('parameter', { ...requirement, ...deprecation }),
  'parameter-style-changed': changes('style changed'),
  'parameter-explode-changed': changes('explode changed'),
  'parameter-reserved-forbidden': narrows(
    'allowReserved removed; reserved characters must be percent-encoded',
  ),
  'parameter-reserved-allowed': widens('allowReserved added'),
  'parameter-empty-forbidden': narrows('allowEmptyValue removed'),
  'parameter-empty-allowed': widens('allowEmptyValue added'),
  'parameter-media-type-changed': changes('media type changed'),
  'parameter-splitting-changed': warns('x-comma-separated changed; values may contain commas'),
  // Bodies.
  'body-added': warnsReaders('optional body added'),
  'required-body-added': weighs('breaking', 'warning')('required body added'),
  'body-removed': changes('body removed'),
  ...each('body', requirement),
  'identifier-added': narrows('x-identifier added; the body must name the resource'),
  'identifier-removed': widens('x-identifier removed'),
  ...each('media-type', offer),
  'sent-media-type-removed': keeps('media type removed; receivers get it no more'),
  'sent-media-type-added': widens('media type added; receivers may not read it'),
  'media-type-narrowed': narrows('range of media types narrowed'),
  'item-schema-added': narrows('itemSchema added; items could be any'),
  'item-schema-removed': widens('itemSchema removed; items can be any'),
  'items-one-by-one': keeps('itemSchema in place of schema; the same items are sent'),
  'items-as-a-whole': keeps('schema in place of itemSchema; the same items are sent'),
  ...each('encoding-content-type', sets, 'contentType of the part'),
  'encoding-style-changed': changes('style of the field changed'),
  ...each('encoding-header', idle, 'optional header of the part'),
  ...each('encoding-required-header', presence, 'required header of the part'),
  // Responses.
  'success-status-added': warnsReaders(
    'success or redirection status added; callers may know its class only',
  ),
  'success-status-removed': narrows('success or redirection status removed'),
  'success-replaced': changes('every declared success status removed'),
  'error-status-added': keeps('error status added'),
  'error-status-removed': warnsSenders('error status removed'),
  'response-body-added': narrows('response body added; receivers must answer with it'),
  'response-body-removed': widens('response body removed'),
  ...each('header', idle, 'optional header'),
  ...each('required-header', presence),
  ...each('header', { ...requirement, ...deprecation }),
  'header-style-changed': changes('style of the header changed'),
} as const satisfies Record<string, DiffRule>;

const ofSchemas = {
  // Types.
  ...each('type', sets),
  'type-became-text': warns('type changed to string; its other keywords may refuse earlier values'),
  ...each('nullable', alternatives),
  ...each('format', { ...presence, ...sets }),
  'format-unclear': warns('format changed; the specification does not define its values'),
  // Enums.
  ...each('enum', presence),
  ...each('enum-value', alternatives),
  // Numbers.
  ...each('minimum', lower),
  ...each('maximum', upper),
  ...each('multiple-of', { ...presence, ...sets }, 'multipleOf'),
  // Texts.
  ...each('min-length', lower, 'minLength'),
  ...each('max-length', upper, 'maxLength'),
  ...each('pattern', presence),
  'pattern-changed': warns('pattern changed; whether the same strings match cannot be decided'),
  'content-encoding-changed': changes('contentEncoding changed'),
  'content-media-type-changed': warns(
    'contentMediaType changed; texts that fit the one may not fit the other',
  ),
  // Lists.
  ...each('min-items', lower, 'minItems'),
  ...each('max-items', upper, 'maxItems'),
  ...each('unique-items', presence, 'uniqueItems'),
  ...each('contains', presence),
  'contains-changed': warns('contains changed; its effect cannot be decided'),
  ...each('min-contains', { raised: narrows, lowered: widens }, 'minContains'),
  ...each('max-contains', upper, 'maxContains'),
  // Objects.
  'required-property-added': narrows('required property added'),
  'property-added': keeps('optional property added'),
  'property-added-to-closed': widens('property added to an object that allowed no others'),
  'property-declared': warnsSenders('schema added for a property that could have any value'),
  'property-undeclared': warnsReaders('schema of a property removed; it can have any value'),
  'property-removed': weighs(
    'warning',
    'warning',
    'compatible',
  )('property removed; callers may still send or read it'),
  'property-forbidden': weighs(
    'breaking',
    'warning',
    'compatible',
  )('property removed from an object that allows no others'),
  'required-property-removed': lowers(
    'required property removed; callers may still send or read it',
  ),
  ...each('property', requirement),
  'property-became-read-only': warnsSenders('readOnly added; values sent for it are ignored'),
  'property-became-not-read-only': keeps('readOnly removed'),
  'property-became-write-only': keeps('writeOnly added'),
  'property-became-not-write-only': keeps('writeOnly removed'),
  'additional-properties-forbidden': narrows('additional properties forbidden'),
  'additional-properties-allowed': widens('additional properties allowed'),
  'pattern-property-added': narrows('schema added for properties that match a pattern'),
  'pattern-property-removed': widens('schema removed of properties that match a pattern'),
  'pattern-property-allowed': widens(
    'pattern of properties added to an object that allowed no others',
  ),
  'pattern-property-forbidden': narrows(
    'pattern of properties removed from an object that allows no others',
  ),
  'pattern-properties-unclear': warns(
    'patterns of properties changed; the effect on properties that match several cannot be decided',
  ),
  'dependent-required-added': narrows('property required where another one is there'),
  'dependent-required-removed': widens('property no longer required where another one is there'),
  ...each('min-properties', lower, 'minProperties'),
  ...each('max-properties', upper, 'maxProperties'),
  // Compositions.
  ...each('alternative', alternatives),
  'alternative-covered': keeps('alternative added or removed; another one allows its values'),
  'alternatives-overlap': warns(
    'alternatives may overlap; with oneOf, a value must fit exactly one',
  ),
  'alternatives-coincide': changes(
    'several alternatives allow the same values; with oneOf, none of these fits',
  ),
  'alternatives-added': keeps('alternatives added; one of them allows the earlier values'),
  'alternatives-removed': keeps('alternatives removed; one of them allowed the current values'),
  'alternatives-unclear': warns('alternatives changed; whether each value fits cannot be decided'),
  'comparison-incomplete': warns(
    'alternatives too complex to compare; changes within them may be missing',
  ),
  'not-added': narrows('exclusion added (not)'),
  'not-removed': widens('exclusion removed (not)'),
  'not-changed': warns('exclusion changed (not); its effect cannot be decided'),
  'condition-added': narrows('condition added (if)'),
  'condition-removed': widens('condition removed (if)'),
  'condition-changed': warns('condition changed (if); its effect cannot be decided'),
  'dependent-schema-added': narrows('schema added that holds where a property is there'),
  'dependent-schema-removed': widens('schema removed that held where a property was there'),
  'unevaluated-unclear': warns(
    'what counts as evaluated depends on alternatives or conditions; the effect of their change cannot be decided',
  ),
  ...each('discriminator', idle),
  'discriminator-property-changed': warns(
    'discriminator property changed; callers may lack the new one',
  ),
  'discriminator-mapping-added': keeps('discriminator value added'),
  'discriminator-mapping-removed': warns('discriminator value removed; callers may use it'),
  'discriminator-mapping-changed': warns(
    'discriminator value mapped to another schema; callers may use it',
  ),
  'reference-broken': warns('reference does not resolve; what it stands for is unknown'),
  // Annotations.
  'default-added': keeps('default added'),
  'default-changed': warnsSenders(
    'default changed; requests without the value change their meaning',
  ),
  'default-removed': warnsSenders(
    'default removed; requests without the value may change their meaning',
  ),
  ...each('schema', deprecation),
  // XML.
  'xml-name-changed': changes('XML name changed'),
  'xml-namespace-changed': changes('XML namespace changed'),
  'xml-prefix-changed': keeps('XML prefix changed'),
  'xml-attribute-changed': changes('XML attribute changed to an element, or the reverse'),
  'xml-wrapped-changed': changes('XML wrapping of the list changed'),
  'xml-node-changed': changes('XML text or element changed to another node, or to none'),
  'xml-cdata-changed': keeps('XML text changed to CDATA, or the reverse'),
} as const satisfies Record<string, DiffRule>;

/** The rules by the sections of their page, rules.md. */
export const diffRuleSections = {
  'Operations, security and addresses': ofOperations,
  'Parameters, bodies and responses': ofMessages,
  Schemas: ofSchemas,
};

/** The rules, in the order of the page. */
export const diffRules = { ...ofOperations, ...ofMessages, ...ofSchemas };

/** The id of a rule, in kebab case. */
export type DiffRuleId = keyof typeof diffRules;

/** The rule of an id. */
export const diffRule = (id: DiffRuleId): DiffRule => diffRules[id];
