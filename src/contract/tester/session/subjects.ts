/** The operations of a document under test. */

import { creationOf, itemPathsOf } from '../../../document/resources/item-paths';
import { isSuccess } from './outcome';
import { Resources } from './resources';
import type { Session } from './session';
import { Subject } from './subject';

/** The least number of resources of each kind. */
const SEEDLINGS = 3;

/** Makes the subjects of a document: those of its operations that can be asked. */
export const subjectsOf = (session: Session): readonly Subject[] => {
  const { document, tools } = session;
  const resources = new Resources(document, tools, async (operation) => {
    const subject = subjects.find((one) => one.operation === operation);
    const given = await subject?.validCase();
    const outcome = given && (await subject?.sendPrepared(given));
    return given && isSuccess(outcome) ? { given, outcome } : undefined;
  });
  const subjects: readonly Subject[] = document.operations
    .filter(({ invalidReason }) => invalidReason === undefined)
    .map((operation) => new Subject(operation, session, resources));
  return subjects;
};

/** Creates some of everything, with all that is optional, so that lists are not empty. */
export const sow = async (subjects: readonly Subject[], { document }: Session): Promise<void> => {
  const itemPaths = document.operations.flatMap(({ path }) => itemPathsOf(path).slice(0, 1));
  const creations = itemPaths.map((itemPath) => creationOf(document, itemPath)?.operation);
  for (const creation of new Set(creations)) {
    const subject = subjects.find(({ operation }) => operation === creation);
    if (subject === undefined) continue;
    const cases = subject.cases({ content: subject.contents[0], optional: true, examples: false });
    for (const given of subject.samples(cases, SEEDLINGS, 'sow')) {
      const prepared = await subject.prepare(given);
      if (subject.write(prepared)?.isValid) await subject.sendPrepared(prepared);
    }
  }
};
