/** A short account of an edit of a document for its author: what it means for clients. */

import type { ApiDocument } from '../../engine';
import { diffDocuments } from '../diff/diff-documents';
import type { Change } from '../diff/place-changes';
import { causesOf, listedNames } from './diff-report';

/** Changes beyond these are counted. */
const most = 20;

/** The changes as lines, the worst first. */
export const accountOf = (changes: readonly Change[]): readonly string[] => {
  const lines = causesOf(changes).map(({ change, changes: alike }) => {
    const { severity, file, line, column, message } = change;
    const operations = listedNames(alike.flatMap(({ operation }) => operation ?? []));
    return `  ${severity}: ${file}:${line}:${column} ${message}${operations && ` (${operations})`}`;
  });
  const more = lines.length - most;
  return more > 0 ? [...lines.slice(0, most), `  and ${more} more`] : lines;
};

/** A definition without the texts for its readers. */
const withoutTexts = ({ definition }: ApiDocument): string =>
  JSON.stringify(definition, (key, value: unknown) => {
    const isText = key === 'description' || key === 'summary' || key === 'title';
    if (isText && typeof value === 'string') return undefined;
    return typeof value === 'bigint' ? String(value) : value;
  });

/** Writes the lines about a document that has replaced another version of it; none where both are the same. */
export const editAccount = (past: ApiDocument, now: ApiDocument): readonly string[] => {
  const { name, basePath, text } = now;
  if (past.text === text && past.basePath === basePath) return [];
  const moved = past.basePath === basePath ? '' : `, now at ${basePath || '/'}`;
  const changes = accountOf(diffDocuments(past, now));
  const isSame = changes.length === 0 && withoutTexts(past) === withoutTexts(now);
  return [`${name}: changed${moved}${isSame ? ', texts only' : ''}`, ...changes];
};
