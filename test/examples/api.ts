// Generated from books.yaml by spec-first types. Do not edit.

/**
 * A book
 *
 * As requests carry it.
 */
export interface Book {
  /** What is printed on the cover */
  readonly title: string;
  /** Who wrote it */
  readonly author: string;
}

/**
 * A book
 *
 * As responses carry it.
 */
export interface BookResponse {
  /** Identifies the book */
  readonly id?: bigint | undefined;
  /** What is printed on the cover */
  readonly title: string;
  /** Who wrote it */
  readonly author: string;
}

/** Tells what went wrong */
export interface Problem {
  /** A sentence */
  readonly message: string;
}

/** The component schemas as storage keeps them: every declared property. */
export interface Schemas {
  Book: Book & BookResponse;
  Problem: Problem;
}

/** The operations tagged `default`. */
export interface DefaultOperations {
  /**
   * GET /books
   *
   * List books
   */
  listBooks: {
    query: { author?: string | undefined; limit: number };
    response: { status: 200; body: readonly BookResponse[] };
  };
  /**
   * POST /books
   *
   * Add a book
   */
  addBook: {
    body: Book;
    principal: 'required';
    response: { status: 201; body: BookResponse };
  };
  /**
   * GET /books/{id}
   *
   * Get a book
   */
  getBook: {
    path: { id: bigint };
    response: { status: 200; body: BookResponse } | { status: 404; body: Problem };
  };
  /**
   * DELETE /books/{id}
   *
   * Delete a book
   */
  deleteBook: {
    path: { id: bigint };
    principal: 'required';
    response: { status: 204 } | { status: 404; body: Problem };
  };
}

/** Every operation of the document. */
export interface Operations extends DefaultOperations {}
