/** Responses can be sent (RFC 9110 section 15.2: 1xx is no final answer). */

import { pointerTo } from '../../../lang/json-pointer';
import { isPlainObject } from '../../../lang/plain-object';
import { ruleOf, warningOf } from '../rule';

export const reachableResponses = ruleOf({
  Operation: ({ value: { responses }, pointer }) =>
    Object.keys(isPlainObject(responses) ? responses : {})
      .filter((key) => /^1(\d\d|XX)$/.test(key))
      .map((key) => {
        const message = `The status ${key} ends no request, and this response is never sent. Remove it.`;
        return warningOf('unreachable-response')(
          pointerTo(`${pointer}/responses`, key),
          message,
          true,
        );
      }),
});
