/** The result of reading a file of a document, its limits and its errors. */

import { type ExactNumber, exactNumber } from '../../base/exact-number';
import { type TextPosition, textPositions } from '../../base/text/text-position';
import { type Diagnostic, describeDiagnostic, type RuleName } from '../diagnostics/diagnostic';

/** The bounds of loading. */
export interface LoadLimits {
  /** Bytes of one file. */
  readonly fileBytes: number;
  /** Bytes of all files of one document together. */
  readonly totalBytes: number;
  /** Files of one document. */
  readonly files: number;
  /** Levels of maps and lists in one file. */
  readonly depth: number;
  /** Lexical tokens of one file: a value of JSON has some five. */
  readonly tokens: number;
  /** Values that aliases, merge keys and references written in place may repeat. */
  readonly repeatedValues: number;
  /** The time limit of one remote file. */
  readonly remoteMilliseconds: number;
  /** Reads a number; undefined where it is out of range. */
  readonly numberOf: (text: string) => ExactNumber | undefined;
}

/** Far above what documents of thousands of operations need. */
export const loadLimits: LoadLimits = {
  fileBytes: 32 * 1024 * 1024,
  totalBytes: 64 * 1024 * 1024,
  files: 2000,
  depth: 200,
  tokens: 3_200_000,
  repeatedValues: 200_000,
  remoteMilliseconds: 10_000,
  numberOf: exactNumber,
};

/** A file's content as plain values. */
export interface SourceText {
  /** Integers beyond 2^53 are `bigint`, everything else is as JSON has it. */
  readonly value: unknown;
  /** Finds the position of the value under a pointer, or of its key; of its nearest existing ancestor where it does not exist. */
  locate(pointer: string, ofKey?: boolean): TextPosition;
}

/** A file that cannot be read at all. */
export class UnreadableDocument extends Error {
  readonly diagnostic: Diagnostic;

  constructor(diagnostic: Diagnostic) {
    super(describeDiagnostic(diagnostic));
    this.name = 'UnreadableDocument';
    this.diagnostic = diagnostic;
  }
}

/** Makes the error of a file that cannot be read, at a position in it. */
export const unreadable = (
  file: string,
  rule: RuleName,
  message: string,
  { line, column }: TextPosition = { line: 1, column: 1 },
  pointer = '',
): UnreadableDocument =>
  new UnreadableDocument({ severity: 'error', rule, pointer, message, file, line, column });

/** The message is a clause that completes `The reference … cannot be resolved: …`. */
export class MissingFile extends Error {
  override readonly name = 'MissingFile';
}

const encodingOf = ([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' => {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return 'utf-16be';
  return 'utf-8';
};

/**
 * Decodes a file; a byte order mark is dropped.
 * @param file names the file in the error
 * @throws UnreadableDocument where the bytes are not text in the encoding that they begin with
 */
export const decodeText = (file: string, bytes: Uint8Array): string => {
  const encoding = encodingOf(bytes);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    const text = new TextDecoder(encoding).decode(bytes);
    const name = encoding.slice(0, 6).toUpperCase();
    const message = `The file is not valid ${name} from here on. Save it as UTF-8 text.`;
    const position = textPositions(text)(Math.max(0, text.indexOf('\uFFFD')));
    throw unreadable(file, 'text-encoding', message, position);
  }
};
