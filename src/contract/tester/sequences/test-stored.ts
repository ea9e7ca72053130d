/** What is written at a place and read there, though nothing is created: settings, or the image of a resource. */

import { creationOf, itemPathsOf } from '../../../document/resources/item-paths';
import type { MediaType } from '../../../model/operation';
import { type RequestCase, successTypes } from '../../../requests/request-case';
import type { AnswerBody } from '../checks/read-body';
import type { TestFinding } from '../session/session';
import type { Subject } from '../session/subject';
import { KeptValues } from './compare-values';
import { isDone, ResourceSequence, readBack } from './resource-sequence';

/** What was read, and where. */
type Stored = { readonly target: string; readonly body: AnswerBody | undefined } | undefined;

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
  const storeOne = async (content: MediaType | undefined, sample: RequestCase, earlier: Stored) => {
    const input = await write.prepare(sample);
    const written = write.write(input)?.isValid ? await write.sendPrepared(input) : undefined;
    if (!isDone(written)) return earlier;
    const sequence = new ResourceSequence(kept, input.parameters.path, written);
    const value = input.body?.value;
    sequence.compare({ subject: write, writer: write }, value, written, 'update');
    const accept = successTypes(read.operation).find((type) => type === content?.key);
    const after = await readBack(sequence, { read, create: write }, value, accept);
    const stored = after && { target: after.sent.request.target, body: after.checked.body };
    if (earlier?.target === stored?.target)
      sequence.compareUpdate(write, value, earlier?.body, stored?.body);
    session.reportAll(sequence.findings);
    return stored;
  };
  for (const content of write.contents) {
    let stored: Stored;
    const cases = write.cases({ content, optional: 'always', examples: false });
    for (const sample of write.samples(
      cases,
      session.times(2, 3, 12),
      'stored',
      content?.key ?? '',
    )) {
      stored = await storeOne(content, sample, stored);
    }
  }
  session.reportAll(kept.settled());
};
