/** Every rule of the comparison by its id. An id never changes: allow files name them. */

/** How much a change weighs: `warning` where a caller may be hurt, or where nobody can decide it. */
export type Severity = 'breaking' | 'warning' | 'compatible';

/** What a change concerns: what callers send, what they get, or the document as a whole. */
export type Side = 'request' | 'response' | 'document';

/** One kind of change. */
export interface Rule {
  readonly severity: Readonly<Record<Side, Severity>>;
  /** How much it weighs as far as the sets of values decide it, which tells whether alternatives cover each other. */
  readonly ofValues: Readonly<Record<Side, Severity>>;
  /** What has changed, as a clause without a subject's name: it follows one in messages. */
  readonly sentence: string;
}

const rule = (sentence: string, request: Severity, response: Severity): Rule => {
  const severity = { request, response, document: request };
  return { severity, ofValues: severity, sentence };
};

/** Fewer values or messages than before: a request may now be refused, no answer is new. */
const narrows = (sentence: string): Rule => rule(sentence, 'breaking', 'compatible');

/** Fewer values than before, of which readers of an answer may miss the ones that are gone. */
const loses = (request: Severity, sentence: string): Rule => ({
  ...rule(sentence, request, 'warning'),
  ofValues: { request, response: 'compatible', document: request },
});

/** More values or messages than before: every request still fits, an answer may be new to its reader. */
const widens = (sentence: string): Rule => rule(sentence, 'compatible', 'breaking');

/** Neither holds the other: both sides may be hurt. */
const changes = (sentence: string): Rule => rule(sentence, 'breaking', 'breaking');

/** Whether fewer or more cannot be decided; the sentence says why. */
const unclear = (sentence: string): Rule => rule(sentence, 'warning', 'warning');

/** Lowers protection: every caller is still let in, and others are, too, which its owner must know. */
const lowers = (sentence: string): Rule => rule(sentence, 'warning', 'warning');

/** The same values and messages as before. */
const keeps = (sentence: string): Rule => rule(sentence, 'compatible', 'compatible');

/** Weighs as is said, where the sets alone do not decide. */
const weighs = (request: Severity, response: Severity, sentence: string): Rule =>
  rule(sentence, request, response);

const operationRules = {
  'operation-added': keeps('the operation is new'),
  'operation-removed': changes('the operation is gone'),
  'deprecated-operation-removed': unclear(
    'the operation is gone; it was deprecated, and whether it is still called is not known',
  ),
  'operation-id-changed': unclear(
    'the operationId is another one; requests stay the same, the names in generated clients do not',
  ),
  'operation-deprecated': keeps('the operation is deprecated'),
  'operation-reactivated': keeps('the operation is no longer deprecated'),
  'callback-added': weighs('warning', 'warning', 'a callback is new; callers must answer it'),
  'callback-removed': unclear('a callback is gone; whether callers wait for it is not known'),
  // Addresses.
  'server-path-removed': changes('a base path is gone'),
  'server-path-added': keeps('a base path is new'),
  // Security.
  'security-added': narrows('credentials are required where none were'),
  'security-removed': lowers('no credentials are required any more'),
  'security-alternative-removed': narrows('security alternative removed'),
  'security-alternative-added': lowers('security alternative added'),
  'security-scope-added': narrows('more scopes are required'),
  'security-scope-removed': lowers('fewer scopes are required'),
  'security-scheme-changed': changes('the security scheme is of another kind'),
  'oauth-flow-removed': changes('an OAuth flow is gone'),
  'oauth-flow-added': keeps('an OAuth flow is new'),
  'oauth-scope-removed': unclear(
    'the scheme no longer declares a scope; whether it is still granted is not known',
  ),
  'oauth-scope-added': keeps('the scheme declares another scope'),
  'oauth-address-changed': unclear(
    'an address of the security scheme is another one; whether the old one still answers is not known',
  ),
  'login-required': narrows('a login is required'),
  'login-not-required': lowers('a login is no longer required, or that of any account is accepted'),
} as const satisfies Record<string, Rule>;

const messageRules = {
  // Parameters.
  'parameter-added': keeps('an optional parameter is new'),
  'required-parameter-added': narrows('a required parameter is new'),
  'parameter-removed': weighs(
    'warning',
    'warning',
    'the parameter is gone; what is sent under its name has no meaning any more',
  ),
  'parameter-became-required': narrows('the parameter is required'),
  'parameter-became-optional': widens('the parameter is optional'),
  'parameter-style-changed': changes('the parameter is written in another style'),
  'parameter-explode-changed': changes('explode changed'),
  'parameter-reserved-forbidden': narrows('reserved characters must be percent-encoded'),
  'parameter-reserved-allowed': widens('reserved characters may stand as they are'),
  'parameter-empty-forbidden': narrows('the value must not be empty'),
  'parameter-empty-allowed': widens('the value may be empty'),
  'parameter-media-type-changed': changes('the parameter is written in another media type'),
  'parameter-splitting-changed': weighs(
    'warning',
    'warning',
    'commas split the value, or no longer do; whether values have commas is not decided',
  ),
  'parameter-deprecated': keeps('the parameter is deprecated'),
  'parameter-reactivated': keeps('the parameter is no longer deprecated'),
  // Bodies.
  'body-added': widens('a body may be sent'),
  'required-body-added': narrows('a body is required where none was'),
  'body-removed': narrows('no body is allowed any more'),
  'body-became-required': narrows('the body is required'),
  'body-became-optional': widens('the body is optional'),
  'identifier-added': narrows('the body must name the resource'),
  'identifier-removed': widens('the body need not name the resource any more'),
  'media-type-removed': weighs('breaking', 'breaking', 'the media type is gone'),
  'media-type-added': keeps('the media type is new'),
  'encoding-content-type-changed': changes('the part has another media type'),
  'encoding-style-changed': changes('the field is written in another style'),
  'encoding-header-added': keeps('the part may have another header'),
  'encoding-required-header-added': narrows('the part must have another header'),
  'encoding-header-removed': keeps('a header of the part is gone'),
  // Responses.
  'success-status-added': weighs(
    'warning',
    'warning',
    'another status of success or redirection may come; callers know its class alone',
  ),
  'success-status-removed': keeps('a status of success or redirection no longer comes'),
  'success-replaced': changes('no status of success that was declared can come any more'),
  'error-status-added': keeps('another status of failure may come; its class tells callers enough'),
  'error-status-removed': keeps('a status of failure no longer comes'),
  'response-body-removed': weighs('breaking', 'breaking', 'it has no body now'),
  'header-added': keeps('a header is new'),
  'header-removed': keeps('an optional header is gone'),
  'required-header-removed': widens('a required header is gone'),
  'header-became-required': narrows('the header is required'),
  'header-became-optional': widens('the header is optional'),
  'header-style-changed': changes('the header is written in another way'),
  'header-deprecated': keeps('the header is deprecated'),
  'header-reactivated': keeps('the header is no longer deprecated'),
} as const satisfies Record<string, Rule>;

const schemaRules = {
  // Types.
  'type-narrowed': narrows('fewer types are allowed'),
  'type-widened': widens('more types are allowed'),
  'type-changed': changes('the type is another one'),
  'type-became-text': unclear(
    'a text stands where another type stood; whether each value fits its rules as text is not decided',
  ),
  'nullable-removed': narrows('null is no longer allowed'),
  'nullable-added': widens('null is allowed'),
  'format-added': narrows('a format is required'),
  'format-removed': widens('no format is required any more'),
  'format-narrowed': narrows('the format allows fewer values'),
  'format-widened': widens('the format allows more values'),
  'format-changed': changes('the format is another one'),
  'format-unclear': unclear(
    'the format differs, and the specification does not say which values it allows',
  ),
  // Enums.
  'enum-added': narrows('only listed values are allowed'),
  'enum-removed': widens('values are no longer limited to a list'),
  'enum-value-removed': narrows('enum value removed'),
  'enum-value-added': widens('enum value added'),
  // Numbers.
  'minimum-added': narrows('numbers have a minimum'),
  'minimum-removed': widens('numbers have no minimum any more'),
  'minimum-raised': narrows('the minimum is greater'),
  'minimum-lowered': widens('the minimum is less'),
  'maximum-added': narrows('numbers have a maximum'),
  'maximum-removed': widens('numbers have no maximum any more'),
  'maximum-raised': widens('the maximum is greater'),
  'maximum-lowered': narrows('the maximum is less'),
  'multiple-of-added': narrows('numbers must be multiples'),
  'multiple-of-removed': widens('numbers need not be multiples any more'),
  'multiple-of-narrowed': narrows('fewer multiples are allowed'),
  'multiple-of-widened': widens('more multiples are allowed'),
  'multiple-of-changed': changes('multiples of another number are required'),
  // Texts.
  'min-length-added': narrows('texts have a least length'),
  'min-length-removed': widens('texts have no least length any more'),
  'min-length-raised': narrows('the least length is greater'),
  'min-length-lowered': widens('the least length is less'),
  'max-length-added': narrows('texts have a greatest length'),
  'max-length-removed': widens('texts have no greatest length any more'),
  'max-length-raised': widens('the greatest length is greater'),
  'max-length-lowered': narrows('the greatest length is less'),
  'pattern-added': narrows('texts must match a pattern'),
  'pattern-removed': widens('texts need not match a pattern any more'),
  'pattern-changed': unclear(
    'the pattern is another one; which texts match two patterns is not decided',
  ),
  // Lists.
  'min-items-added': narrows('lists have a least number of items'),
  'min-items-removed': widens('lists have no least number of items any more'),
  'min-items-raised': narrows('the least number of items is greater'),
  'min-items-lowered': widens('the least number of items is less'),
  'max-items-added': narrows('lists have a greatest number of items'),
  'max-items-removed': widens('lists have no greatest number of items any more'),
  'max-items-raised': widens('the greatest number of items is greater'),
  'max-items-lowered': narrows('the greatest number of items is less'),
  'unique-items-added': narrows('items must differ from each other'),
  'unique-items-removed': widens('items may be equal'),
  // Objects.
  'required-property-added': narrows('a required property is new'),
  'property-added': keeps('an optional property is new'),
  'property-added-to-closed': widens('a property is new where no other could be'),
  'property-declared': weighs(
    'warning',
    'compatible',
    'a property is declared that could be any value before',
  ),
  'property-undeclared': weighs(
    'compatible',
    'warning',
    'a property is no longer declared, and can be any value',
  ),
  'property-removed': loses(
    'warning',
    'a property is gone; what is sent under its name has no meaning any more, and readers may miss it',
  ),
  'property-forbidden': loses('breaking', 'a property is gone, and no other may be there'),
  'required-property-removed': weighs(
    'warning',
    'breaking',
    'a required property is gone; what is sent under its name has no meaning any more',
  ),
  'property-became-required': narrows('the property is required'),
  'property-became-optional': widens('the property is optional'),
  'property-became-read-only': weighs(
    'warning',
    'compatible',
    'the property is read-only; what a request says of it is ignored',
  ),
  'property-became-not-read-only': keeps('the property is no longer read-only'),
  'property-became-write-only': keeps('the property is write-only'),
  'property-became-not-write-only': keeps('the property is no longer write-only'),
  'additional-properties-forbidden': narrows(
    'other properties than the declared ones are forbidden',
  ),
  'additional-properties-allowed': widens('other properties than the declared ones are allowed'),
  'min-properties-added': narrows('objects have a least number of properties'),
  'min-properties-removed': widens('objects have no least number of properties any more'),
  'min-properties-raised': narrows('the least number of properties is greater'),
  'min-properties-lowered': widens('the least number of properties is less'),
  'max-properties-added': narrows('objects have a greatest number of properties'),
  'max-properties-removed': widens('objects have no greatest number of properties any more'),
  'max-properties-raised': widens('the greatest number of properties is greater'),
  'max-properties-lowered': narrows('the greatest number of properties is less'),
  // Compositions.
  'alternative-removed': narrows('an alternative is gone'),
  'alternative-added': widens('an alternative is new'),
  'alternative-covered': keeps(
    'an alternative has come or gone, and another one allows its values',
  ),
  'alternatives-overlap': unclear(
    'whether a value can now fit two alternatives of which one alone may hold is not decided',
  ),
  'alternatives-added': keeps('alternatives are new, and one of them allows what was allowed'),
  'alternatives-removed': keeps('alternatives are gone, and one of them allowed what is allowed'),
  'alternatives-unclear': unclear(
    'whether each value fits one of several alternatives is not decided',
  ),
  'comparison-incomplete': unclear(
    'alternatives are too entangled to compare, so that changes within them may be missing',
  ),
  'not-added': narrows('some values are excluded'),
  'not-removed': widens('some values are no longer excluded'),
  'not-changed': unclear('other values are excluded; which ones `not` leaves is not decided'),
  'discriminator-added': keeps('a discriminator is new'),
  'discriminator-removed': keeps('the discriminator is gone'),
  'discriminator-property-changed': unclear(
    'another property tells the alternatives apart; whether callers have it is not decided',
  ),
  'discriminator-mapping-added': keeps('a value of the discriminator is new'),
  'discriminator-mapping-removed': unclear(
    'a value of the discriminator is gone; whether callers use it is not decided',
  ),
  'discriminator-mapping-changed': unclear(
    'a value of the discriminator stands for another schema; whether they agree is not decided',
  ),
  'reference-broken': unclear('a reference leads nowhere, so that the schema is not known'),
  // Annotations.
  'default-added': keeps('a default is new'),
  'default-changed': weighs(
    'warning',
    'compatible',
    'the default is another one; a request without the value means something else',
  ),
  'default-removed': weighs(
    'warning',
    'compatible',
    'there is no default any more; a request without the value may mean something else',
  ),
  'schema-deprecated': keeps('it is deprecated'),
  'schema-reactivated': keeps('it is no longer deprecated'),
  // XML.
  'xml-name-changed': changes('the name in XML is another one'),
  'xml-namespace-changed': changes('the namespace in XML is another one'),
  'xml-prefix-changed': keeps('the prefix in XML is another one'),
  'xml-attribute-changed': changes('attribute and element in XML are exchanged'),
  'xml-wrapped-changed': changes('the element around a list in XML has come or gone'),
} as const satisfies Record<string, Rule>;

/** The rules, in the order of the documentation. */
export const diffRules = { ...operationRules, ...messageRules, ...schemaRules };

/** The id of a rule, in kebab case. */
export type DiffRuleId = keyof typeof diffRules;

/** The rule of an id. */
export const ruleOf = (id: DiffRuleId): Rule => diffRules[id];

/** Whether a text is the id of a rule. */
export const isDiffRule = (id: string): id is DiffRuleId => Object.hasOwn(diffRules, id);
