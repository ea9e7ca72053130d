/** Notes that several people edit: the document declares ETag and If-Match, so that nobody's edit is lost. */

import type { Handlers } from '../../../../src/engine';
import type { Dependencies } from './collections';
import type { NoteOperations, SizeOperations } from './types';

export const noteHandlers = ({ notes }: Dependencies): Handlers<NoteOperations> => ({
  listNotes: () => ({ status: 200, body: notes.list() }),

  async addNote({ body, fail }) {
    const note = await notes.insert(body);
    if (!note) throw fail(409);
    return { status: 201, body: note };
  },

  async getNote({ path, fail }) {
    const note = await notes.get(path.id);
    if (!note) throw fail(404);
    return { status: 200, body: note };
  },

  async replaceNote({ path, body, precondition, fail }) {
    const note = await notes.update(path.id, () => body, precondition);
    if (!note) throw fail(404);
    return { status: 200, body: note };
  },

  async deleteNote({ path, precondition, fail }) {
    if (!(await notes.delete(path.id, precondition))) throw fail(404);
    return { status: 204 };
  },
});

let size = { points: 12 };

/** What a handler keeps itself it compares itself. */
export const sizeHandlers: Handlers<SizeOperations> = {
  getSize: () => ({ status: 200, body: size }),

  setSize({ body, precondition }) {
    precondition(size);
    size = body;
    return { status: 200, body: size };
  },
};
