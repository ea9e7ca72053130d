/** Requests as the conformance tests send them, and answers as they compare them. */

import type {
  HandlerRequest,
  OperationTypes,
  UntypedHandler,
} from '../../src/engine/operation/handler';
import type { Principal } from '../../src/http/caller';
import { type Answered, type Asked, askAt } from '../support/ask';

/** A request, and its method: GET unless given. */
export type Question = Asked & { readonly method?: string };

/**
 * Sends a request; no header is added but the length, and the path stays as it is written.
 *
 * @param path raw, percent-encoded or not
 */
export const ask = async (
  origin: string,
  path: string,
  { method = 'GET', ...asked }: Question = {},
): Promise<Answered> => {
  const base = new URL(origin).pathname.replace(/\/$/, '');
  return askAt(origin)(`${method} ${base}${path}`, asked);
};

/** A handler that records its calls. */
export interface Recording {
  readonly handler: UntypedHandler;
  readonly calls: HandlerRequest<OperationTypes>[];
}

/** Makes a handler that returns the same response every time. */
export const recording = (
  response: Awaited<ReturnType<UntypedHandler>> = { status: 200 },
): Recording => {
  const calls: HandlerRequest<OperationTypes>[] = [];
  return {
    calls,
    handler: (given) => {
      calls.push(given);
      return response;
    },
  };
};

/** A caller of a test; what is not given is as little as possible. */
export const callerOf = (subject: string, given: Partial<Principal> = {}): Principal => ({
  username: undefined,
  subject,
  scopes: [],
  credentialId: subject,
  ...given,
});

/** The error body of an answer, without what differs from case to case. */
export const errorOf = (response: Answered): { code: unknown; type: unknown; message: unknown } => {
  const { code, type, message } = JSON.parse(response.text);
  return { code, type, message };
};

/** The paths of the faults that an error body lists. */
export const faultsOf = (response: Answered): string[] =>
  (JSON.parse(response.text).errors ?? []).map(
    (fault: { in: string; path: string }) => `${fault.in} ${fault.path}`,
  );
