/** An operation that is deprecated: its responses say since when, and until when it stays. */

import type { Handlers } from '../../../../src/engine';
import type { Dependencies } from './collections';
import type { CountOperations } from './types';

export const countHandlers = ({ notes }: Dependencies): Handlers<CountOperations> => ({
  countNotes: async () => ({ status: 200, body: await notes.count({}) }),
});
