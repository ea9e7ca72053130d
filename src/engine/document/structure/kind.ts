/** What a place of a document may hold: the vocabulary of the table in object-kinds.ts. */

/** The objects of OpenAPI 3.0.3. */
export type ObjectName =
  | 'OpenAPI'
  | 'Info'
  | 'Contact'
  | 'License'
  | 'Server'
  | 'ServerVariable'
  | 'Components'
  | 'PathItem'
  | 'Operation'
  | 'ExternalDocumentation'
  | 'Parameter'
  | 'RequestBody'
  | 'MediaType'
  | 'Encoding'
  | 'Response'
  | 'Example'
  | 'Link'
  | 'Callback'
  | 'Header'
  | 'Tag'
  | 'Schema'
  | 'Discriminator'
  | 'XML'
  | 'SecurityScheme'
  | 'OAuthFlows'
  | 'OAuthFlow';

/** What keys of the author's choice must look like. */
export interface KeyRule {
  readonly pattern: RegExp;
  readonly severity: 'error' | 'warning';
  /** What is wrong with a key that does not match, and what to do. */
  sentence(key: string): string;
}

/** What a value must be. */
export type Kind =
  | { readonly is: 'anything' | 'text' | 'flag' | 'count' | 'flagOrSchema' }
  | { readonly is: 'choice'; readonly of: readonly string[] }
  | { readonly is: 'object'; readonly name: ObjectName }
  | { readonly is: 'list'; readonly of: Kind; readonly filled: boolean }
  | {
      readonly is: 'map';
      readonly of: Kind;
      readonly keys: KeyRule | undefined;
      /** Whether keys that begin with `x-` are extensions rather than names. */
      readonly extensible: boolean;
      /** What sentences call one such map. */
      readonly noun: string;
      /** Whether it must have a member. */
      readonly filled: boolean;
    };

/** A fixed field of an object. */
export interface Field {
  readonly kind: Kind;
  readonly required: boolean;
  /** Whether nothing that is served depends on it: a fault in it takes nothing out of service. */
  readonly idle: boolean;
}

/** One object of the specification. */
export interface ObjectKind {
  /** How sentences call it, after `this`. */
  readonly title: string;
  /** Whether a Reference Object may stand in its place. */
  readonly referable: boolean;
  readonly fields: Readonly<Record<string, Field>>;
  /** What stands under keys of the author's choice. */
  readonly members?: Kind;
  /** Fields that are required where the field `type` has that value. */
  readonly requiredByType?: Readonly<Record<string, readonly string[]>>;
}

export const anything: Kind = { is: 'anything' };
export const text: Kind = { is: 'text' };
export const flag: Kind = { is: 'flag' };
/** A whole number from 0. */
export const count: Kind = { is: 'count' };
export const flagOrSchema: Kind = { is: 'flagOrSchema' };
export const choice = (...of: string[]): Kind => ({ is: 'choice', of });
/** One kind for each name, so that kinds can be told apart by identity. */
const objects = new Map<ObjectName, Kind>();
export const object = (name: ObjectName): Kind => {
  const kind = objects.get(name) ?? { is: 'object', name };
  objects.set(name, kind);
  return kind;
};
export const list = (of: Kind): Kind => ({ is: 'list', of, filled: false });
export const filledList = (of: Kind): Kind => ({ is: 'list', of, filled: true });
/** A map whose keys are names, whatever they begin with. */
export const names = (of: Kind, keys?: KeyRule, noun = 'map'): Kind => ({
  is: 'map',
  of,
  keys,
  noun,
  extensible: false,
  filled: false,
});
/** A map whose keys are names, apart from extensions. */
export const patterned = (of: Kind, keys?: KeyRule): Kind => ({
  is: 'map',
  of,
  keys,
  noun: 'map',
  extensible: true,
  filled: false,
});
/** Like `patterned`, with a member at least. */
export const filledMap = (of: Kind, keys: KeyRule): Kind => ({
  is: 'map',
  of,
  keys,
  noun: 'map',
  extensible: true,
  filled: true,
});

export const field = (kind: Kind): Field => ({ kind, required: false, idle: false });
export const required = (kind: Kind): Field => ({ kind, required: true, idle: false });
export const idle = (kind: Kind): Field => ({ kind, required: false, idle: true });
export const requiredIdle = (kind: Kind): Field => ({ kind, required: true, idle: true });

/** Fields of many objects. */
export const described = {
  description: idle(text),
  externalDocs: idle(object('ExternalDocumentation')),
};
