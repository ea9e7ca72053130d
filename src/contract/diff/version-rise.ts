/** The version of a document (`info.version`), which rises with its changes (Semantic Versioning 2.0.0). */

import { type Diagnostic, errorOf } from '../../document/diagnostics/diagnostic';
import type { LoadedDocument } from '../../document/document';
import type { Change } from './place-changes';
import { orderedPairs } from './rules/finding';

const number = '(?:0|[1-9]\\d*)';
const identifier = `(?:${number}|\\d*[A-Za-z-][\\dA-Za-z-]*)`;
const semantic = new RegExp(
  `^(${number}(?:\\.${number}){2})(?:-(${identifier}(?:\\.${identifier})*))?(?:\\+[\\dA-Za-z-]+(?:\\.[\\dA-Za-z-]+)*)?$`,
);

/** The part of versions without a pre-release in its place: they come later (section 11.3). */
const released = '~';

/** Splits a version into major, minor, patch, and the identifiers of a pre-release; undefined where it is no semantic version. */
const partsOf = (version = ''): readonly string[] | undefined => {
  const [, numbers, pre = released] = semantic.exec(version) ?? [];
  return numbers === undefined ? undefined : `${numbers}.${pre}`.split('.');
};

/** Compares parts: a missing one comes first, and numbers come before texts (section 11.4). */
const isLower = (part: string | undefined, other: string | undefined): boolean => {
  if (part === undefined || other === undefined) return part === undefined;
  const [isNumber, isOtherNumber] = [part, other].map((text) => /^\d+$/.test(text));
  if (isNumber !== isOtherNumber) return isNumber === true;
  return isNumber ? BigInt(part) < BigInt(other) : part < other;
};

const faultOf = (old: string | undefined, now: string, changes: readonly Change[]) => {
  const [before, after] = [partsOf(old), partsOf(now)];
  if (!after) return `The version "${now}" is no semantic version. Write one such as 1.0.0.`;
  // An earlier version that is none cannot be compared.
  if (before === undefined) return undefined;
  const pairs = orderedPairs(before, after);
  const at = pairs.findIndex(([was, is]) => was !== is);
  const [was, is] = pairs[at] ?? [];
  if (at >= 0 && isLower(is, was))
    return `The version ${now} is lower than ${old} before. Raise it.`;
  if (changes.length === 0) return undefined;
  const isBreaking = changes.some(({ severity }) => severity === 'breaking');
  const step = isBreaking && before[0] !== '0' ? 0 : 1;
  // A pre-release promises nothing (section 9).
  const last = before[3] === released ? step : before.length;
  if (at >= 0 && at <= last) return undefined;
  const number = ['its major number', 'its minor number'][last] ?? 'it';
  return `The version is ${now} after ${old}, with ${isBreaking ? 'breaking ' : ''}changes. Raise ${number}.`;
};

/** Finds the fault of a version that does not rise as the changes since the old document ask; that may be missing. */
export const versionFaults = (
  old: LoadedDocument | undefined,
  now: LoadedDocument,
  changes: readonly Change[],
): readonly Diagnostic[] => {
  const message = faultOf(old?.info.version, now.info.version, changes);
  if (message === undefined) return [];
  return [now.locate(errorOf('document-version')('/info/version', message))];
};
