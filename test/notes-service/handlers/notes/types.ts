// Generated from specs/notes.yaml by npm run generate. Do not edit.

/** As requests carry it. */
export interface Note {
  readonly text: string;
  readonly edits?: number | undefined;
}

/** As responses carry it. */
export interface NoteResponse {
  readonly id?: bigint | undefined;
  readonly text: string;
  readonly edits?: number | undefined;
}

export interface Size {
  readonly points: number;
}

/** The component schemas as storage keeps them: every declared property. */
export interface Schemas {
  Note: Note & NoteResponse;
  Size: Size;
}

/** The operations tagged `note`. */
export interface NoteOperations {
  /** GET /notes */
  listNotes: {
    principal: 'required';
    response: { status: 200; body: readonly NoteResponse[] };
  };
  /** POST /notes */
  addNote: {
    body: Note;
    principal: 'required';
    response:
      | {
          status: 201;
          body: NoteResponse;
          headers?: {
            ETag?: string | undefined;
            'X-Format'?: 'plain' | undefined;
            'X-Limit'?: number | undefined;
          };
        }
      | { status: 409 };
  };
  /** GET /notes/{id} */
  getNote: {
    path: { id: bigint };
    header: { 'If-None-Match'?: string | undefined };
    principal: 'required';
    response:
      | {
          status: 200;
          body: NoteResponse;
          headers?: {
            ETag?: string | undefined;
            'X-Format'?: 'plain' | undefined;
            'X-Limit'?: number | undefined;
          };
        }
      | { status: 304 | 404 };
  };
  /** PUT /notes/{id} */
  replaceNote: {
    path: { id: bigint };
    header: { 'If-Match': string };
    body: Note;
    principal: 'required';
    response:
      | {
          status: 200;
          body: NoteResponse;
          headers?: {
            ETag?: string | undefined;
            'X-Format'?: 'plain' | undefined;
            'X-Limit'?: number | undefined;
          };
        }
      | { status: 404 | 412 | 428 };
  };
  /** DELETE /notes/{id} */
  deleteNote: {
    path: { id: bigint };
    header: { 'If-Match'?: string | undefined };
    principal: 'required';
    response: { status: 204 | 404 | 412 };
  };
}

/** The operations tagged `count`. */
export interface CountOperations {
  /**
   * GET /count
   *
   * @deprecated since 2026-01-01, gone after 2027-06-30
   */
  countNotes: {
    principal: 'required';
    response: { status: 200; body: number };
  };
}

/** The operations tagged `size`. */
export interface SizeOperations {
  /** GET /size */
  getSize: {
    principal: 'required';
    response: { status: 200; body: Size; headers?: { ETag?: string | undefined } };
  };
  /** PUT /size */
  setSize: {
    body: Size;
    principal: 'required';
    response:
      | { status: 200; body: Size; headers?: { ETag?: string | undefined } }
      | { status: 412 };
  };
}

/** Every operation of the document. */
export interface Operations extends NoteOperations, CountOperations, SizeOperations {}
