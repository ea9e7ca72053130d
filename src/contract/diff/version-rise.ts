/** The version of a document (`info.version`), which rises with its changes (Semantic Versioning 2.0.0). */

import { type Diagnostic, errorOf } from '../../document/diagnostics/diagnostic';
import type { LoadedDocument } from '../../document/document';
import type { Change } from './place-changes';
import { orderedPairs } from './rules/finding';

const number = '(0|[1-9]\\d*)';
const identifier = '(?:0|[1-9]\\d*|\\d*[A-Za-z-][\\dA-Za-z-]*)';
const semantic = new RegExp(
  `^${number}\\.${number}\\.${number}(?:-(${identifier}(?:\\.${identifier})*))?(?:\\+[\\dA-Za-z-]+(?:\\.[\\dA-Za-z-]+)*)?$`,
);

/** The part of versions without a pre-release in its place: they come later (section 11.3). */
const released = '~';

/** Splits a version into major, minor, patch, and the identifiers of a pre-release; undefined where it is no semantic version. */
const partsOf = (version: string): readonly string[] | undefined => {
  const [whole, major = '', minor = '', patch = '', pre = released] = semantic.exec(version) ?? [];
  return whole === undefined ? undefined : [major, minor, patch, ...pre.split('.')];
};

/** Compares parts: numbers come before texts (section 11.4). */
const isLower = (part: string, other: string): boolean => {
  const [isNumber, isOtherNumber] = [part, other].map((text) => /^\d+$/.test(text));
  if (isNumber !== isOtherNumber) return isNumber === true;
  return isNumber ? BigInt(part) < BigInt(other) : part < other;
};

/** Says which version has to come: the last part that may rise, and the lowest such version; undefined where none has to. */
const wantedAfter = (version: string, parts: readonly string[], changes: readonly Change[]) => {
  const [major = '', minor = '', , pre] = parts;
  if (changes.length === 0) return undefined;
  // A pre-release promises nothing (section 9).
  if (pre !== released)
    return { part: Number.POSITIVE_INFINITY, least: `a higher one than ${version}` };
  const isBreaking = changes.some(({ severity }) => severity === 'breaking');
  return isBreaking && major !== '0'
    ? { part: 0, least: `${BigInt(major) + 1n}.0.0 or a higher one` }
    : { part: 1, least: `${major}.${BigInt(minor) + 1n}.0 or a higher one` };
};

const faultOf = (
  old: string | undefined,
  now: string,
  changes: readonly Change[],
): string | undefined => {
  const [before, after] = [partsOf(old ?? ''), partsOf(now)];
  if (after === undefined)
    return `The version "${now}" is no semantic version. Write one such as 1.0.0.`;
  // An earlier version that is none cannot be compared.
  if (old === undefined || before === undefined) return undefined;
  const pairs = orderedPairs(before, after);
  const at = pairs.findIndex(([was, is]) => was !== is);
  const [was, is] = pairs[at] ?? [];
  if (at >= 0 && was !== undefined && (is === undefined || isLower(is, was)))
    return `The version ${now} is lower than ${old}, which was there before. Write ${old} or a higher one.`;
  const wanted = wantedAfter(old, before, changes);
  if (wanted === undefined || (at >= 0 && at <= wanted.part)) return undefined;
  const kind = changes.some(({ severity }) => severity === 'breaking')
    ? 'breaking changes'
    : 'changes';
  return `The version is ${now} after ${old}, and there are ${kind}. Write ${wanted.least}.`;
};

/** Finds the fault of a version that does not rise as the changes since the old document ask; that may be missing. */
export const versionFaults = (
  old: LoadedDocument | undefined,
  now: LoadedDocument,
  changes: readonly Change[],
): readonly Diagnostic[] => {
  const message = faultOf(old?.info.version, now.info.version, changes);
  return message === undefined
    ? []
    : [now.locate(errorOf('document-version')('/info/version', message))];
};
