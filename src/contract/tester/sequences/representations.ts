/** JSON and XML of the same resource carry the same values. */

import { accepting, successTypes } from '../../../requests/request-case';
import { type Problem, shown } from '../rules';
import { isSuccess, type Outcome } from '../session/outcome';
import type { Subject } from '../session/subject';
import { type Difference, differences } from './compare-values';

const whole = { whole: true };

const problemOf = ({ pointer, written, read }: Difference): Problem => ({
  rule: 'xml-differs',
  place: pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*'),
  expected: `${shown(written)} at ${pointer}, as in JSON`,
  seen: read === undefined ? 'nothing under the name that the document gives' : shown(read),
});

const differ = (one: Outcome, other: Outcome): Problem[] => {
  const [json, xml] = [one.checked.body, other.checked.body];
  if (json === undefined || xml === undefined) return [];
  const missing = differences(json.value, xml.value, xml.shape, whole);
  const added = differences(xml.value, json.value, json.shape, whole);
  const turned = added.map(({ pointer, written, read }) => ({
    pointer,
    written: read,
    read: written,
  }));
  const places = new Set(missing.map(({ pointer }) => pointer));
  return [...missing, ...turned.filter(({ pointer }) => !places.has(pointer))].map(problemOf);
};

/** Asks for a media type; undefined where that cannot be sent. */
type AskFor = (accept: string) => Promise<Outcome | undefined>;

/**
 * Reads the same in JSON and in XML, where an operation that changes nothing has both. Resolves to what differs, and the answer in
 * XML.
 */
export const compareRepresentations = async (
  { operation }: Subject,
  ask: AskFor,
): Promise<{ readonly xml: Outcome; readonly problems: readonly Problem[] } | undefined> => {
  const types = successTypes(operation);
  const json = types.find((type) => /\bjson$/.test(type));
  const xml = types.find((type) => /\bxml$/.test(type));
  if (operation.method !== 'get' || json === undefined || xml === undefined) return undefined;
  const before = await ask(json);
  const between = await ask(xml);
  const after = await ask(json);
  if (!isSuccess(before) || !isSuccess(between) || !isSuccess(after)) return undefined;
  // What changes by itself is not to be compared.
  const isSteady = differ(before, after).length === 0;
  const isXml = between.checked.body?.mediaType.endsWith('xml') === true;
  return isSteady && isXml ? { xml: between, problems: differ(before, between) } : undefined;
};

/** Compares the representations of what is there. */
export const testRepresentations = async (subject: Subject): Promise<void> => {
  const given = await subject.validCase();
  if (given === undefined || subject.session.isOver) return;
  const ask: AskFor = (accept) => subject.sendPrepared(given, { change: accepting(accept) });
  const compared = await compareRepresentations(subject, ask);
  if (compared === undefined) return;
  const { xml, problems } = compared;
  subject.report(xml, 'the same in XML as in JSON', problems);
};
