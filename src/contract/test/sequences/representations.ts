/** JSON and XML of the same resource carry the same values. */

import { successTypes } from '../cases/accepting';
import { sendAccepting } from '../cases/valid-cases';
import type { Problem } from '../checks/problem';
import type { RequestCase } from '../requests/request-case';
import { isSuccess, type Outcome, type Subject } from '../session/subject';
import type { Workbench } from '../session/workbench';
import { type Difference, differences, shown } from './compare-values';

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

const compare = async (
  bench: Workbench,
  subject: Subject,
  given: RequestCase,
  json: string,
  xml: string,
): Promise<void> => {
  const before = await sendAccepting(bench, subject, given, json);
  const between = await sendAccepting(bench, subject, given, xml);
  const after = await sendAccepting(bench, subject, given, json);
  if (!isSuccess(before) || !isSuccess(between) || !isSuccess(after)) return;
  if (between.checked.body?.mediaType.endsWith('xml') !== true) return;
  // What changes by itself is not to be compared.
  if (differ(before, after).length > 0) return;
  const findings = subject.findings(between, `Accept: ${xml}`, differ(before, between));
  bench.session.reportAll(
    findings.map((finding) => ({ ...finding, sent: [before.sent, between.sent] })),
  );
};

/** Reads the same in JSON and in XML, where an operation that changes nothing has both. */
export const testRepresentations = async (bench: Workbench, subject: Subject): Promise<void> => {
  const types = successTypes(subject.operation);
  const json = types.find((type) => /\bjson$/.test(type));
  const xml = types.find((type) => /\bxml$/.test(type));
  if (subject.operation.method !== 'get' || json === undefined || xml === undefined) return;
  for (let turn = 0; turn < bench.session.times(1, 3, 10) && !bench.session.isOver; turn += 1) {
    const given = await bench.validCase(subject);
    if (given !== undefined) await compare(bench, subject, given, json, xml);
  }
};
