/** What one document may cost, so that no file can exhaust the process that loads it. */

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
  /** Lexical tokens of one YAML file, values of one JSON file. */
  readonly tokens: number;
  /** Values that aliases, merge keys and references written in place may repeat. */
  readonly repeatedValues: number;
  /** How long one remote file may take, in milliseconds. */
  readonly remoteMilliseconds: number;
}

const mebibyte = 1024 * 1024;

/** Far above what documents of thousands of operations need. */
export const loadLimits: LoadLimits = {
  fileBytes: 32 * mebibyte,
  totalBytes: 64 * mebibyte,
  files: 2000,
  depth: 200,
  tokens: 3_200_000,
  repeatedValues: 200_000,
  remoteMilliseconds: 10_000,
};
