/** Sends the scenarios' requests to each contestant one by one, and checks the content of the responses. */

import { ask, type HttpResponse } from '../load/request';
import { byKey, byToken, get, petPath, write } from '../scenarios/requests';
import type { Scenario, Step } from '../scenarios/scenario';
import type { Contestant, Running } from '../targets/contestant';

/** How many responses of a scenario are checked. */
const checkedResponses = 20;

const jsonOrXml = /^application\/(problem\+)?(json|xml)$/;

const checkStatusAlone = ({ status, mediaType }: HttpResponse, step: Step): void => {
  if (status !== step.status) throw new Error(`the response is ${status}`);
  if (!jsonOrXml.test(mediaType)) throw new Error(`the response is ${mediaType}`);
};

const checkStep = async (contestant: Contestant, running: Running, step: Step): Promise<void> => {
  const response = await ask(step.request, running);
  checkStatusAlone(response, step);
  if (contestant.checks === 'status') return;
  await step.check(response, (request) => ask(request, running));
};

/** What is wrong with a contestant's responses; undefined where nothing is. */
export const checkResponses = async (
  contestant: Contestant,
  running: Running,
  steps: readonly Step[],
): Promise<string | undefined> => {
  for (const step of steps.slice(0, checkedResponses)) {
    try {
      await checkStep(contestant, running, step);
    } catch (error) {
      const { method, path } = step.request;
      return `${method} ${path}: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
  return undefined;
};

/** Why a contestant does not take part in a scenario by its nature; undefined where it does. */
export const inability = ({ cannot }: Contestant, { needs = [] }: Scenario): string | undefined =>
  needs.map((need) => cannot[need]).find((reason) => reason !== undefined);

/** The first integer that a double cannot hold. */
const beyondDoubles = '9007199254740993';

/** Whether an id beyond the exact range of doubles comes back as it was sent. */
export const keepsInt64 = async (contestant: Contestant, running: Running): Promise<boolean> => {
  if (contestant.checks === 'status') return false;
  const { credentials } = running;
  const body = `{"id":${beyondDoubles},"name":"Large","photoUrls":[]}`;
  const add = write('POST', petPath(), ['application/json', body], byToken(credentials));
  const added = await ask(add, running);
  const found = await ask(get(`${petPath()}/${beyondDoubles}`, byKey(credentials)), running);
  return [added, found].every(({ text }) => text.includes(`"id":${beyondDoubles}`));
};
