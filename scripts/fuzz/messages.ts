/** What the search's thread is given, and what it says. */

/** For so many seconds, with the random choices of a seed. */
export interface SearchWork {
  readonly kind: 'search';
  readonly seconds: number;
  readonly seed: number;
}

/** What a thread is to do. */
export interface Task {
  /** The module with the targets, compiled. */
  readonly targets: string;
  readonly name: string;
  readonly corpus: readonly Uint8Array[];
  readonly work:
    | SearchWork
    /** Runs one input several times, and measures. */
    | { readonly kind: 'check'; readonly input: Uint8Array }
    /** Finds inputs of the corpus that reach together what all of it reaches; as often, where counts matter. */
    | { readonly kind: 'minimise'; readonly countsMatter: boolean };
  /** The number of executions, the length of the input that runs, its bytes. */
  readonly shared: SharedArrayBuffer;
}

/** What a thread says. */
export type Report =
  | { readonly kind: 'kept'; readonly input: Uint8Array }
  | {
      readonly kind: 'suspect';
      readonly input: Uint8Array;
      /** What went wrong, in a sentence or a stack. */
      readonly what: string;
    }
  | {
      readonly kind: 'searched';
      readonly reached: number;
      readonly all: number;
      /** Bytes of the heap that are still in use after the search, more than before it. */
      readonly heapGrowth: number;
    }
  | { readonly kind: 'checked'; readonly what: string | undefined }
  | { readonly kind: 'minimised'; readonly inputs: readonly Uint8Array[] };

/** Bytes of the head of `shared`. */
export const headBytes = 8;
