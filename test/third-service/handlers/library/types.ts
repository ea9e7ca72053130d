// Generated from specs/library.yaml by npm run generate. Do not edit.

export interface Book {
  readonly id?: bigint | undefined;
  readonly title: string;
  readonly authors: readonly string[];
  readonly genre?: Genre | undefined;
  readonly copies?: number | undefined;
}

export type Genre = 'novel' | 'poetry' | 'science';

export interface Page {
  readonly items: readonly Book[];
  readonly next?: string | undefined;
  readonly previous?: string | undefined;
  readonly total: number;
}

export interface Taken {
  readonly takenId?: bigint | undefined;
}

/** The component schemas as storage keeps them: every declared property. */
export interface Schemas {
  Book: Book;
  Genre: Genre;
  Page: Page;
  Taken: Taken;
}

/** The operations tagged `book`. */
export interface BookOperations {
  /** GET /books */
  listBooks: {
    query: { author?: readonly string[] | undefined };
    principal: 'required';
    response: { status: 200; body: readonly Book[] };
  };
  /** POST /books */
  addBook: {
    body: Book;
    principal: 'required';
    response: { status: 200; body: Book } | { status: 400 } | { status: 409; body: Taken };
  };
  /** GET /books/genres */
  countGenres: {
    principal: 'required';
    response: { status: 200; body: { readonly [name: string]: number } };
  };
  /** GET /authors/{name} */
  findAuthor: {
    path: { name: string };
    principal: 'required';
    response: { status: 302; headers: { Location: string } };
  };
  /** GET /books/{id} */
  getBook: {
    path: { id: bigint };
    principal: 'required';
    response: { status: 200; body: Book } | { status: 404 };
  };
  /** DELETE /books/{id} */
  deleteBook: {
    path: { id: bigint };
    principal: 'required';
    response: { status: 204 | 404 };
  };
}

/** The operations tagged `catalogue`. */
export interface CatalogueOperations {
  /** GET /catalogue */
  listCatalogue: {
    query: {
      genre?: readonly Genre[] | undefined;
      title?: string | undefined;
      copies?: number | undefined;
      sort: 'id' | '-id' | 'title' | '-title';
      limit: number;
      after?: string | undefined;
      before?: string | undefined;
    };
    principal: 'required';
    response: { status: 200; body: Page } | { status: 400 };
  };
}

/** The operations tagged `loan`. */
export interface LoanOperations {
  /** GET /loans */
  listLoans: {
    principal: 'required';
    response: { status: 200 | 501 };
  };
  /** POST /loans */
  lendBook: {
    body: { readonly book: bigint; readonly reader: string };
    principal: 'required';
    response: { status: 204 | 404 | 409 };
  };
}

/** Every operation of the document. */
export interface Operations extends BookOperations, CatalogueOperations, LoanOperations {}
