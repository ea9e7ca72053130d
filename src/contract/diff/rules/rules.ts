/** Every rule of the comparison by its id. An id never changes: allow files name them. */

/** The severity of a change: `warning` where a caller may be hurt, or where it cannot be decided. */
export type Severity = 'breaking' | 'warning' | 'compatible';

/** The side that a change concerns: messages that callers send, those that they get, or the document as a whole. */
export type Side = 'request' | 'response' | 'document';

/** One kind of change. */
export interface DiffRule {
  readonly severity: Readonly<Record<Side, Severity>>;
  /** The severity as far as the sets of values decide it, which tells whether alternatives cover each other. */
  readonly ofValues: Readonly<Record<Side, Severity>>;
  /** The change in a few words, which follow the name of a place in messages. */
  readonly sentence: string;
}

const rule = (sentence: string, request: Severity, response: Severity): DiffRule => {
  const severity = { request, response, document: request };
  return { severity, ofValues: severity, sentence };
};

/** Fewer values or messages than before: a request may now be refused, no answer is new. */
const narrows = (sentence: string): DiffRule => rule(sentence, 'breaking', 'compatible');

/** Fewer values than before, of which readers of an answer may miss the ones that are gone. */
const loses = (request: Severity, sentence: string): DiffRule => ({
  ...rule(sentence, request, 'warning'),
  ofValues: { request, response: 'compatible', document: request },
});

/** More values or messages than before: every request still fits, an answer may be new to its reader. */
const widens = (sentence: string): DiffRule => rule(sentence, 'compatible', 'breaking');

/** Neither holds the other: both sides may be hurt. */
const changes = (sentence: string): DiffRule => rule(sentence, 'breaking', 'breaking');

/** A change of which the effect cannot be decided; the sentence says why. */
const unclear = (sentence: string): DiffRule => rule(sentence, 'warning', 'warning');

/** Lowers protection: every caller is still let in, and others are, too, which its owner must know. A receiver may refuse what comes. */
const lowers = (sentence: string): DiffRule => rule(sentence, 'warning', 'breaking');

/** The same values and messages as before. */
const keeps = (sentence: string): DiffRule => rule(sentence, 'compatible', 'compatible');

/** Changes a message so that callers may be hurt, whichever side sends it. */
const mayHurt = (sentence: string): DiffRule => rule(sentence, 'warning', 'warning');

/** Changes what a request means, while an answer stays what it was. */
const mayHurtSenders = (sentence: string): DiffRule => rule(sentence, 'warning', 'compatible');

/** Takes the severities of both sides, where the sets alone do not decide. */
const weighs = (request: Severity, response: Severity, sentence: string): DiffRule =>
  rule(sentence, request, response);

/** The changes of a limit: a greater lower one allows less, a greater upper one more. */
const limit = <Name extends string>(name: Name, keyword: string, side: 'lower' | 'upper') => {
  const [raised, lowered] = side === 'lower' ? [narrows, widens] : [widens, narrows];
  return {
    [`${name}-added`]: narrows(`${keyword} added`),
    [`${name}-removed`]: widens(`${keyword} removed`),
    [`${name}-raised`]: raised(`${keyword} raised`),
    [`${name}-lowered`]: lowered(`${keyword} lowered`),
  } as Record<`${Name}-${'added' | 'removed' | 'raised' | 'lowered'}`, DiffRule>;
};

const operationRules = {
  'operation-added': keeps('operation added'),
  'operation-removed': changes('operation removed'),
  'deprecated-operation-removed': unclear('deprecated operation removed; it may still be called'),
  'operation-removed-before-sunset': changes('operation removed before its sunset'),
  'operation-removed-after-sunset': keeps('operation removed after its sunset'),
  'operation-id-changed': unclear(
    'operationId changed; requests stay the same, names in generated clients change',
  ),
  'operation-deprecated': keeps('operation deprecated'),
  'operation-reactivated': keeps('operation no longer deprecated'),
  'callback-added': mayHurt('callback added; callers must answer it'),
  'callback-removed': changes('callback removed; receivers are called no more'),
  'callback-key-changed': changes('key expression of the callback changed; other URLs are called'),
  'webhook-added': mayHurt('webhook added; callers must answer it'),
  'webhook-removed': changes('webhook removed; receivers are called no more'),
  // Addresses.
  'server-path-removed': changes('base path removed'),
  'server-path-added': keeps('base path added'),
  'server-removed': unclear('URL of a server removed; callers may use it'),
  'server-added': keeps('URL of a server added'),
  'server-default-changed': mayHurt('default of the server changed; callers may rely on it'),
  // Security.
  'security-added': narrows('credentials required'),
  'security-removed': lowers('credentials no longer required'),
  'security-alternative-removed': narrows('security alternative removed'),
  'security-alternative-added': lowers('security alternative added'),
  'security-scope-added': narrows('required scope added'),
  'security-scope-removed': lowers('required scope removed'),
  'security-scheme-changed': changes('security scheme changed'),
  'security-scheme-deprecated': keeps('security scheme deprecated'),
  'security-scheme-reactivated': keeps('security scheme no longer deprecated'),
  'oauth-flow-removed': changes('OAuth flow removed'),
  'oauth-flow-added': keeps('OAuth flow added'),
  'oauth-scope-removed': unclear('OAuth scope removed from the scheme; it may still be granted'),
  'oauth-scope-added': keeps('OAuth scope added to the scheme'),
  'oauth-address-changed': unclear(
    'URL of the security scheme changed; the old one may still answer',
  ),
  'login-required': narrows('login required'),
  'login-not-required': lowers('login no longer required, or any account accepted'),
} as const satisfies Record<string, DiffRule>;

const messageRules = {
  // Parameters.
  'parameter-added': keeps('optional parameter added'),
  'required-parameter-added': narrows('required parameter added'),
  'parameter-removed': mayHurt('parameter removed; values sent for it are ignored'),
  'sent-parameter-removed': mayHurt('parameter removed; receivers may read it'),
  'sent-required-parameter-removed': widens('required parameter removed; receivers may rely on it'),
  'parameter-became-required': narrows('parameter became required'),
  'parameter-became-optional': widens('parameter became optional'),
  'parameter-style-changed': changes('style changed'),
  'parameter-explode-changed': changes('explode changed'),
  'parameter-reserved-forbidden': narrows(
    'allowReserved removed; reserved characters must be percent-encoded',
  ),
  'parameter-reserved-allowed': widens('allowReserved added'),
  'parameter-empty-forbidden': narrows('allowEmptyValue removed'),
  'parameter-empty-allowed': widens('allowEmptyValue added'),
  'parameter-media-type-changed': changes('media type changed'),
  'parameter-splitting-changed': mayHurt('x-comma-separated changed; values may contain commas'),
  'parameter-deprecated': keeps('parameter deprecated'),
  'parameter-reactivated': keeps('parameter no longer deprecated'),
  // Bodies.
  'body-added': weighs('compatible', 'warning', 'optional body added'),
  'required-body-added': weighs('breaking', 'warning', 'required body added'),
  'body-removed': changes('body removed'),
  'body-became-required': narrows('body became required'),
  'body-became-optional': widens('body became optional'),
  'identifier-added': narrows('x-identifier added; the body must name the resource'),
  'identifier-removed': widens('x-identifier removed'),
  'media-type-removed': changes('media type removed'),
  'media-type-added': keeps('media type added'),
  'sent-media-type-removed': keeps('media type removed; receivers get it no more'),
  'sent-media-type-added': widens('media type added; receivers may not read it'),
  'media-type-narrowed': narrows('range of media types narrowed'),
  'item-schema-added': narrows('itemSchema added; items could be any'),
  'item-schema-removed': widens('itemSchema removed; items can be any'),
  'items-one-by-one': keeps('itemSchema in place of schema; the same items are sent'),
  'items-as-a-whole': keeps('schema in place of itemSchema; the same items are sent'),
  'encoding-content-type-changed': changes('contentType of the part changed'),
  'encoding-content-type-narrowed': narrows('contentType of the part narrowed'),
  'encoding-content-type-widened': widens('contentType of the part widened'),
  'encoding-style-changed': changes('style of the field changed'),
  'encoding-header-added': keeps('optional header of the part added'),
  'encoding-required-header-added': narrows('required header of the part added'),
  'encoding-header-removed': keeps('optional header of the part removed'),
  'encoding-required-header-removed': widens('required header of the part removed'),
  // Responses.
  'success-status-added': weighs(
    'compatible',
    'warning',
    'success or redirection status added; callers may know its class only',
  ),
  'success-status-removed': narrows('success or redirection status removed'),
  'success-replaced': changes('every declared success status removed'),
  'error-status-added': keeps('error status added'),
  'error-status-removed': weighs('warning', 'compatible', 'error status removed'),
  'response-body-added': narrows('response body added; receivers must answer with it'),
  'response-body-removed': widens('response body removed'),
  'header-added': keeps('optional header added'),
  'required-header-added': narrows('required header added'),
  'header-removed': keeps('optional header removed'),
  'required-header-removed': widens('required header removed'),
  'header-became-required': narrows('header became required'),
  'header-became-optional': widens('header became optional'),
  'header-style-changed': changes('style of the header changed'),
  'header-deprecated': keeps('header deprecated'),
  'header-reactivated': keeps('header no longer deprecated'),
} as const satisfies Record<string, DiffRule>;

const schemaRules = {
  // Types.
  'type-narrowed': narrows('type narrowed'),
  'type-widened': widens('type widened'),
  'type-changed': changes('type changed'),
  'type-became-text': unclear(
    'type changed to string; its other keywords may refuse earlier values',
  ),
  'nullable-removed': narrows('nullable removed'),
  'nullable-added': widens('nullable added'),
  'format-added': narrows('format added'),
  'format-removed': widens('format removed'),
  'format-narrowed': narrows('format narrowed'),
  'format-widened': widens('format widened'),
  'format-changed': changes('format changed'),
  'format-unclear': unclear('format changed; the specification does not define its values'),
  // Enums.
  'enum-added': narrows('enum added'),
  'enum-removed': widens('enum removed'),
  'enum-value-removed': narrows('enum value removed'),
  'enum-value-added': widens('enum value added'),
  // Numbers.
  ...limit('minimum', 'minimum', 'lower'),
  ...limit('maximum', 'maximum', 'upper'),
  'multiple-of-added': narrows('multipleOf added'),
  'multiple-of-removed': widens('multipleOf removed'),
  'multiple-of-narrowed': narrows('multipleOf narrowed'),
  'multiple-of-widened': widens('multipleOf widened'),
  'multiple-of-changed': changes('multipleOf changed'),
  // Texts.
  ...limit('min-length', 'minLength', 'lower'),
  ...limit('max-length', 'maxLength', 'upper'),
  'pattern-added': narrows('pattern added'),
  'pattern-removed': widens('pattern removed'),
  'pattern-changed': unclear('pattern changed; whether the same strings match cannot be decided'),
  'content-encoding-changed': changes('contentEncoding changed'),
  'content-media-type-changed': unclear(
    'contentMediaType changed; texts that fit the one may not fit the other',
  ),
  // Lists.
  ...limit('min-items', 'minItems', 'lower'),
  ...limit('max-items', 'maxItems', 'upper'),
  'unique-items-added': narrows('uniqueItems added'),
  'unique-items-removed': widens('uniqueItems removed'),
  'contains-added': narrows('contains added'),
  'contains-removed': widens('contains removed'),
  'contains-changed': unclear('contains changed; its effect cannot be decided'),
  'min-contains-raised': narrows('minContains raised'),
  'min-contains-lowered': widens('minContains lowered'),
  ...limit('max-contains', 'maxContains', 'upper'),
  // Objects.
  'required-property-added': narrows('required property added'),
  'property-added': keeps('optional property added'),
  'property-added-to-closed': widens('property added to an object that allowed no others'),
  'property-declared': mayHurtSenders('schema added for a property that could have any value'),
  'property-undeclared': weighs(
    'compatible',
    'warning',
    'schema of a property removed; it can have any value',
  ),
  'property-removed': loses('warning', 'property removed; callers may still send or read it'),
  'property-forbidden': loses('breaking', 'property removed from an object that allows no others'),
  'required-property-removed': weighs(
    'warning',
    'breaking',
    'required property removed; callers may still send or read it',
  ),
  'property-became-required': narrows('property became required'),
  'property-became-optional': widens('property became optional'),
  'property-became-read-only': mayHurtSenders('readOnly added; values sent for it are ignored'),
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
  'pattern-properties-unclear': unclear(
    'patterns of properties changed; the effect on properties that match several cannot be decided',
  ),
  'dependent-required-added': narrows('property required where another one is there'),
  'dependent-required-removed': widens('property no longer required where another one is there'),
  ...limit('min-properties', 'minProperties', 'lower'),
  ...limit('max-properties', 'maxProperties', 'upper'),
  // Compositions.
  'alternative-removed': narrows('alternative removed'),
  'alternative-added': widens('alternative added'),
  'alternative-covered': keeps('alternative added or removed; another one allows its values'),
  'alternatives-overlap': unclear(
    'alternatives may overlap; with oneOf, a value must fit exactly one',
  ),
  'alternatives-coincide': changes(
    'several alternatives allow the same values; with oneOf, none of these fits',
  ),
  'alternatives-added': keeps('alternatives added; one of them allows the earlier values'),
  'alternatives-removed': keeps('alternatives removed; one of them allowed the current values'),
  'alternatives-unclear': unclear(
    'alternatives changed; whether each value fits cannot be decided',
  ),
  'comparison-incomplete': unclear(
    'alternatives too complex to compare; changes within them may be missing',
  ),
  'not-added': narrows('exclusion added (not)'),
  'not-removed': widens('exclusion removed (not)'),
  'not-changed': unclear('exclusion changed (not); its effect cannot be decided'),
  'condition-added': narrows('condition added (if)'),
  'condition-removed': widens('condition removed (if)'),
  'condition-changed': unclear('condition changed (if); its effect cannot be decided'),
  'dependent-schema-added': narrows('schema added that holds where a property is there'),
  'dependent-schema-removed': widens('schema removed that held where a property was there'),
  'unevaluated-unclear': unclear(
    'what counts as evaluated depends on alternatives or conditions; the effect of their change cannot be decided',
  ),
  'discriminator-added': keeps('discriminator added'),
  'discriminator-removed': keeps('discriminator removed'),
  'discriminator-property-changed': unclear(
    'discriminator property changed; callers may lack the new one',
  ),
  'discriminator-mapping-added': keeps('discriminator value added'),
  'discriminator-mapping-removed': unclear('discriminator value removed; callers may use it'),
  'discriminator-mapping-changed': unclear(
    'discriminator value mapped to another schema; callers may use it',
  ),
  'reference-broken': unclear('reference does not resolve; what it stands for is unknown'),
  // Annotations.
  'default-added': keeps('default added'),
  'default-changed': mayHurtSenders(
    'default changed; requests without the value change their meaning',
  ),
  'default-removed': mayHurtSenders(
    'default removed; requests without the value may change their meaning',
  ),
  'schema-deprecated': keeps('schema deprecated'),
  'schema-reactivated': keeps('schema no longer deprecated'),
  // XML.
  'xml-name-changed': changes('XML name changed'),
  'xml-namespace-changed': changes('XML namespace changed'),
  'xml-prefix-changed': keeps('XML prefix changed'),
  'xml-attribute-changed': changes('XML attribute changed to an element, or the reverse'),
  'xml-wrapped-changed': changes('XML wrapping of the list changed'),
  'xml-node-changed': changes('XML text or element changed to another node, or to none'),
  'xml-cdata-changed': keeps('XML text changed to CDATA, or the reverse'),
} as const satisfies Record<string, DiffRule>;

/** The rules, in the order of the documentation. */
export const diffRules = { ...operationRules, ...messageRules, ...schemaRules };

/** The id of a rule, in kebab case. */
export type DiffRuleId = keyof typeof diffRules;

/** The rule of an id. */
export const diffRule = (id: DiffRuleId): DiffRule => diffRules[id];

/** Tells whether a text is the id of a rule. */
export const isDiffRule = (id: string): id is DiffRuleId => Object.hasOwn(diffRules, id);
