/**
 * Requests and responses that are Express's from their making. Express turns node's into its own by changing their prototypes
 * one by one, after which V8 treats them as objects of unknown shape: some 60 us a request.
 */

import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';

/** What node:http makes its requests and responses of. */
export interface MessageClasses {
  readonly IncomingMessage: typeof IncomingMessage;
  readonly ServerResponse: typeof ServerResponse;
}

/** Makes the classes of an application, and has it find nothing left to change in their instances. */
export const expressMessages = (app: Express): MessageClasses => {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse<
    Request extends IncomingMessage = IncomingMessage,
  > extends ServerResponse<Request> {
    /** Express gives one to each response that comes without. */
    readonly locals: Record<string, unknown> = {};
  }
  Object.setPrototypeOf(ExpressRequest.prototype, app.request);
  Object.setPrototypeOf(ExpressResponse.prototype, app.response);
  app.request = ExpressRequest.prototype as typeof app.request;
  app.response = ExpressResponse.prototype as typeof app.response;
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
};
