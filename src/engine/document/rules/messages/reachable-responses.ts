/** Responses can be sent (RFC 9110 section 15.2: 1xx is no final answer). */

import { pointerTo } from '../../../lang/text-place';
import { isFields } from '../../../schema/validation/checks/schema-fields';
import { type Rule, warningOf } from '../rule';

const finding = warningOf('unreachable-response');

export const reachableResponses: Rule = ({ objects }) =>
  objects
    .filter(({ name }) => name === 'Operation')
    .flatMap(({ value, pointer }) => {
      const responses: unknown = Reflect.get(value, 'responses');
      if (!isFields(responses)) return [];
      return Object.keys(responses)
        .filter((key) => /^1(\d\d|XX)$/.test(key))
        .map((key) => {
          const message = `The status ${key} ends no request, and this response is never sent. Remove it.`;
          return finding(pointerTo(`${pointer}/responses`, key), message, true);
        });
    });
