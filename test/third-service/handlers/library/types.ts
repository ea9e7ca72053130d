// Generated from specs/library.yaml by npm run generate. Do not edit.

export interface Book {
  id?: bigint | undefined;
  title: string;
  authors: string[];
  genre?: 'novel' | 'poetry' | 'science' | undefined;
  copies?: number | undefined;
}

/** The component schemas as storage keeps them: every declared property. */
export interface Schemas {
  Book: Book;
}

/** Headers that a response may carry beyond the declared ones. */
export interface FurtherHeaders {
  [name: string]: string | number | readonly string[] | undefined;
}

/** The operations tagged `book`. */
export interface BookOperations {
  /** GET /books */
  listBooks: {
    path: {};
    query: { author?: string[] | undefined };
    header: {};
    cookie: {};
    body: undefined;
    principal: 'required';
    response: { status: 200; body: Book[]; headers?: FurtherHeaders };
    failure: never;
  };
  /** POST /books */
  addBook: {
    path: {};
    query: {};
    header: {};
    cookie: {};
    body: Book;
    principal: 'required';
    response: { status: 200; body: Book; headers?: FurtherHeaders };
    failure: 400 | 409;
  };
  /** GET /books/genres */
  countGenres: {
    path: {};
    query: {};
    header: {};
    cookie: {};
    body: undefined;
    principal: 'required';
    response: { status: 200; body: { [name: string]: number }; headers?: FurtherHeaders };
    failure: never;
  };
  /** GET /books/{id} */
  getBook: {
    path: { id: bigint };
    query: {};
    header: {};
    cookie: {};
    body: undefined;
    principal: 'required';
    response: { status: 200; body: Book; headers?: FurtherHeaders };
    failure: 404;
  };
  /** DELETE /books/{id} */
  deleteBook: {
    path: { id: bigint };
    query: {};
    header: {};
    cookie: {};
    body: undefined;
    principal: 'required';
    response: { status: 204; body?: undefined; headers?: FurtherHeaders };
    failure: 404;
  };
}

/** The operations tagged `loan`. */
export interface LoanOperations {
  /** GET /loans */
  listLoans: {
    path: {};
    query: {};
    header: {};
    cookie: {};
    body: undefined;
    principal: 'required';
    response: { status: 200; body?: undefined; headers?: FurtherHeaders };
    failure: 501;
  };
  /** POST /loans */
  lendBook: {
    path: {};
    query: {};
    header: {};
    cookie: {};
    body: { book: bigint; reader: string };
    principal: 'required';
    response: { status: 204; body?: undefined; headers?: FurtherHeaders };
    failure: 404 | 409;
  };
}

/** Every operation of the document. */
export interface Operations extends BookOperations, LoanOperations {}
