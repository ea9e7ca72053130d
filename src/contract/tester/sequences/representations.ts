/** JSON and XML of the same resource carry the same values. */

import { accepting, successTypes } from '../../../requests/request-case';
import { type CaseOutcome, isSuccess } from '../checks/check-answer';
import { anyItem } from '../checks/read-body';
import { type Problem, shown } from '../rules';
import type { Subject } from '../session/subject';
import { differences } from './compare-values';

const representationProblems = (one: CaseOutcome, other: CaseOutcome): Problem[] => {
  const [json, xml] = [one.checked.body, other.checked.body];
  if (json === undefined || xml === undefined) return [];
  const missing = differences(json.value, xml.value, xml.shape, true);
  const places = new Set(missing.map(({ pointer }) => pointer));
  const added = differences(xml.value, json.value, json.shape, true)
    .filter(({ pointer }) => !places.has(pointer))
    .map(({ pointer, written, read }) => ({ pointer, written: read, read: written }));
  return [...missing, ...added].map(({ pointer, written, read }) => ({
    rule: 'xml-differs',
    place: anyItem(pointer),
    expected: `${shown(written)} at ${pointer}, as in JSON`,
    seen: read === undefined ? 'nothing under the name that the document gives' : shown(read),
  }));
};

/** Asks for a media type; undefined where that cannot be sent. */
type AskFor = (accept: string) => Promise<CaseOutcome | undefined>;

/**
 * Reads the same in JSON and in XML, where an operation that changes nothing has both. Resolves to what differs, and the answer in
 * XML.
 */
export const compareRepresentations = async (
  { operation }: Subject,
  ask: AskFor,
): Promise<{ readonly xml: CaseOutcome; readonly problems: readonly Problem[] } | undefined> => {
  const types = successTypes(operation);
  const json = types.find((type) => /\bjson$/.test(type));
  const xml = types.find((type) => /\bxml$/.test(type));
  if (operation.method !== 'get' || json === undefined || xml === undefined) return undefined;
  const before = await ask(json);
  const between = await ask(xml);
  const after = await ask(json);
  if (!isSuccess(before) || !isSuccess(between) || !isSuccess(after)) return undefined;
  // What changes by itself is not to be compared.
  const isSteady = representationProblems(before, after).length === 0;
  const isXml = between.checked.body?.mediaType.endsWith('xml') === true;
  return isSteady && isXml
    ? { xml: between, problems: representationProblems(before, between) }
    : undefined;
};

/** Compares the representations of what is there. */
export const testRepresentations = async (subject: Subject): Promise<void> => {
  const input = await subject.validCase();
  if (input === undefined || subject.session.isOver) return;
  const ask: AskFor = (accept) => subject.sendPrepared(input, { change: accepting(accept) });
  const compared = await compareRepresentations(subject, ask);
  if (compared === undefined) return;
  const { xml, problems } = compared;
  subject.report(xml, 'the same in XML as in JSON', problems);
};
