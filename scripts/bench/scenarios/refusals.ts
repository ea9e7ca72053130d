/** Scenarios in which the server has to refuse. */

import type { HttpResponse, Request } from '../load/request';
import { newPet } from '../pets';
import { expectSame } from './expect';
import type { Scenario, Setting, Step } from './scenario';
import { byKey, byToken, get, jsonBody, petPath, write } from './scenario';

/** The status is what counts; a refusal in JSON must be JSON. */
const checkRefusal = ({ mediaType, text }: HttpResponse): void => {
  expectSame(/^application\/(problem\+)?json$/.test(mediaType), true);
  JSON.parse(text);
};

const refusal = (
  status: number,
  title: string,
  request: (setting: Setting) => Request,
  extra: { readonly name?: string; readonly quick?: boolean } = {},
): Scenario => ({
  name: `refuse-${status}`,
  title: () => title,
  phase: 'read',
  ...extra,
  steps: (setting): Step[] => [{ request: request(setting), status, check: checkRefusal }],
});

const unknownPet = 9_999_999;

export const refusalScenarios: readonly Scenario[] = [
  refusal(401, 'Refuse a wrong API key (401)', () =>
    get(petPath(1), { api_key: 'wrong-key-0123456789abcdefghijklmnopqrstuvw' }),
  ),
  refusal(404, 'Refuse an unknown pet (404)', ({ credentials }) =>
    get(petPath(unknownPet), byKey(credentials)),
  ),
  refusal(
    405,
    'Refuse an invalid pet (405)',
    ({ credentials }) =>
      write(
        'POST',
        petPath(),
        jsonBody({ name: 'No photos', status: 'lost' }),
        byToken(credentials),
      ),
    { quick: true },
  ),
  refusal(
    405,
    'Refuse a pet with one fault (405)',
    ({ credentials }) =>
      write('POST', petPath(), jsonBody({ ...newPet(1), status: 'lost' }), byToken(credentials)),
    { name: 'refuse-405-one-fault', quick: true },
  ),
  refusal(415, 'Refuse a media type (415)', ({ credentials }) =>
    write('POST', petPath(), ['text/plain', 'A pet'], byToken(credentials)),
  ),
];
