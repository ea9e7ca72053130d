/** Writing at a place and reading there, where nothing is created: settings, or the image of a resource. */

import { creationOf, itemPathsOf } from '../../../document/resources/item-paths';
import { successTypes } from '../../../requests/request-case';
import type { TestFinding } from '../session/session';
import type { Subject } from '../session/subject';
import { KeptValues } from './compare-values';
import { isDone, ResourceSequence, readBack } from './resource-sequence';

/** Finds the operation that reads what another one writes at the same place, unless sequences of resources do both. */
const readerOf = (write: Subject, subjects: readonly Subject[]): Subject | undefined => {
  const { document } = write.session;
  const { path, method } = write.operation;
  const read = subjects.find(
    ({ operation }) => operation.path === path && operation.method === 'get',
  );
  const isCreated = itemPathsOf(path).some(
    (one) => one.item === path && creationOf(document, one) !== undefined,
  );
  // What is posted is an item of a list that is read there, but for the bytes of an upload.
  const isUpload = write.contents.some((content) =>
    /^(?:image|audio|video)|octet/.test(content?.key ?? ''),
  );
  const isWrite = method === 'put' ? !isCreated : method === 'post' && isUpload;
  return isWrite ? read : undefined;
};

/** Writes some values in each media type, and reads each. */
export const testStored = async (write: Subject, subjects: readonly Subject[]): Promise<void> => {
  const { session } = write;
  const read = readerOf(write, subjects);
  if (read === undefined) return;
  const kept = new KeptValues<TestFinding>();
  const findings: TestFinding[] = [];
  const bodies = new Set<string>();
  for (const content of write.contents) {
    const cases = write.cases({ content, optional: 'always', examples: false });
    const samples = write.samples(cases, session.times(2, 3, 12), 'stored', content?.key ?? '');
    const accept = successTypes(read.operation).find((type) => type === content?.key);
    for (const sample of samples) {
      const input = await write.prepare(sample);
      const written = write.write(input)?.isValid ? await write.sendPrepared(input) : undefined;
      if (!isDone(written)) continue;
      const sequence = new ResourceSequence(kept, input.parameters.path, written);
      const value = input.body?.value;
      sequence.compare({ subject: write, writer: write }, value, written, 'update');
      const after = await readBack(sequence, { read, create: write }, value, accept);
      bodies.add(after?.sent.answer?.body.toString('latin1') ?? '');
      findings.push(...sequence.findings);
    }
  }
  // What answers the same whatever was written is no store: what came back right did so by chance.
  const isStore = bodies.size > 1 || bodies.has('');
  const isTold = ({ problem }: TestFinding) => isStore || problem.rule !== 'value-changed';
  session.reportAll([...findings, ...kept.settled()].filter(isTold));
};
