/** Sends the scenarios' requests to each contestant one by one, and checks the content of the responses. */

import { ask } from '../load/request';
import { byKey, byToken, get, petPath, write } from '../scenarios/requests';
import type { Step } from '../scenarios/scenario';
import type { Running } from '../targets/contestant';

/** How many responses of a scenario are checked. */
const checkedResponses = 20;

const jsonOrXml = /^application\/(problem\+)?(json|xml)$/;

const checkStep = async (running: Running, step: Step): Promise<void> => {
  const response = await ask(step.request, running);
  const { status, mediaType } = response;
  if (status !== step.status) throw new Error(`the response is ${status}`);
  if (!jsonOrXml.test(mediaType)) throw new Error(`the response is ${mediaType}`);
  await step.check(response, (request) => ask(request, running));
};

/** What is wrong with a contestant's responses; undefined where nothing is. */
export const checkResponses = async (
  running: Running,
  steps: readonly Step[],
): Promise<string | undefined> => {
  for (const step of steps.slice(0, checkedResponses)) {
    try {
      await checkStep(running, step);
    } catch (error) {
      const { method, path } = step.request;
      return `${method} ${path}: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
  return undefined;
};

/** The first integer that a double cannot hold. */
const beyondDoubles = '9007199254740993';

/** Whether an id beyond the exact range of doubles comes back as it was sent. */
export const keepsInt64 = async (running: Running): Promise<boolean> => {
  const { credentials } = running;
  const body = `{"id":${beyondDoubles},"name":"Large","photoUrls":[]}`;
  const add = write('POST', petPath(), ['application/json', body], byToken(credentials));
  const added = await ask(add, running);
  const found = await ask(get(`${petPath()}/${beyondDoubles}`, byKey(credentials)), running);
  return [added, found].every(({ text }) => text.includes(`"id":${beyondDoubles}`));
};
