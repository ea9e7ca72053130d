// Generated from specs/stock.yaml by npm run generate. Do not edit.

export type Place = 'shelf' | 'cellar';

export interface Item {
  readonly id?: bigint | undefined;
  readonly name: string;
  readonly place: Place;
  readonly count?: number | undefined;
}

/** The component schemas as storage keeps them: every declared property. */
export interface Schemas {
  Place: Place;
  Item: Item;
}

/** The operations tagged `item`. */
export interface ItemOperations {
  /** POST /items */
  importItems: {
    body: AsyncIterable<Item>;
    principal: 'required';
    response:
      | { status: 200; body: { readonly added: number } }
      | { status: 400; body: unknown };
  };
  /** QUERY /items */
  searchItems: {
    body: { readonly places: readonly Place[] };
    response: { status: 200; body: readonly Item[] };
  };
  /** PUT /items/{id} */
  countItem: {
    path: { id: bigint };
    body: { readonly count: number };
    principal: 'required';
    response: { status: 200; body: Item } | { status: 404 };
  };
  /** GET /changes */
  watchItems: {
    header: { 'Last-Event-ID'?: number | undefined };
    response: {
      status: 200;
      body: Iterable<{ readonly id: string; readonly event: 'change'; readonly data: Item }> | AsyncIterable<{ readonly id: string; readonly event: 'change'; readonly data: Item }>;
    };
  };
}

/** Every operation of the document. */
export interface Operations extends ItemOperations {}
