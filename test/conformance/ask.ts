/** Requests as the conformance tests send them, and answers as they compare them. */

import type {
  HandlerRequest,
  OperationTypes,
  UntypedHandler,
} from '../../src/engine/operation/handler';
import type { Principal } from '../../src/http/caller';
import { askAt } from '../support/ask';

/** A request. Header names may be in any case. */
export interface Question {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** A response. */
export interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/**
 * Sends a request; no header is added but the length, and the path stays as it is written.
 *
 * @param path raw, percent-encoded or not
 */
export const ask = async (
  origin: string,
  path: string,
  { method = 'GET', headers = {}, body }: Question = {},
): Promise<Response> => {
  const base = new URL(origin).pathname.replace(/\/$/, '');
  const answer = await askAt(origin)(`${method} ${base}${path}`, { headers, body });
  return { status: answer.status, headers: answer.headers, body: answer.text };
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
export const errorOf = (response: Response): { code: unknown; type: unknown; message: unknown } => {
  const { code, type, message } = JSON.parse(response.body);
  return { code, type, message };
};

/** The paths of the faults that an error body lists. */
export const faultsOf = (response: Response): string[] =>
  (JSON.parse(response.body).errors ?? []).map(
    (fault: { in: string; path: string }) => `${fault.in} ${fault.path}`,
  );
