/** Questions and answers between the primary and one of its workers. */

/** One end of the channel that node:cluster opens: a `Worker`, which either side has of the other. */
export interface ProcessEnd {
  send(message: object, done: (error: Error | null) => void): boolean;
  on(event: 'message' | 'disconnect', listener: (message: unknown) => void): unknown;
}

/** What makes an answer of the value that came with the question. */
export type RequestHandler = (value: unknown) => unknown;

/** A channel over which either side asks and answers; values travel as JSON. */
export interface Channel {
  /**
   * Resolves to the other side's answer.
   * @throws Error with the other side's reason, or where it has gone, does not know the question, or stays silent
   */
  request(question: string, value?: unknown): Promise<unknown>;
  /** Says how a question is answered from now on; where it throws, its message is the reason that the other side gets. */
  handle(question: string, give: RequestHandler): void;
}

interface Question {
  readonly question: string;
  readonly id: number;
  readonly value?: unknown;
}

interface Answer {
  readonly answerTo: number;
  readonly value?: unknown;
  /** Why there is no value. */
  readonly reason?: string;
}

const isQuestion = (message: unknown): message is Question =>
  typeof message === 'object' && message !== null && 'question' in message;

const isAnswer = (message: unknown): message is Answer =>
  typeof message === 'object' && message !== null && 'answerTo' in message;

/** How long a process may think about an answer: one that is busy for longer counts as silent. */
const patienceMilliseconds = 2000;

const answerTo = async (
  { id, question, value }: Question,
  give?: RequestHandler,
): Promise<Answer> => {
  try {
    if (give === undefined) throw new Error(`There is no answer to "${question}"`);
    return { answerTo: id, value: await give(value) };
  } catch (error) {
    return { answerTo: id, reason: error instanceof Error ? error.message : String(error) };
  }
};

/** Opens the channel at one end; the other end does the same. */
export const openChannel = (end: ProcessEnd): Channel => {
  const givers = new Map<string, RequestHandler>();
  const pending = new Map<number, (answer: Answer) => void>();
  let asked = 0;

  const settle = (answer: Answer): void => {
    pending.get(answer.answerTo)?.(answer);
    pending.delete(answer.answerTo);
  };
  const giveUp = (id: number, reason: string): void => settle({ answerTo: id, reason });

  end.on('message', async (message) => {
    if (isAnswer(message)) settle(message);
    if (!isQuestion(message)) return;
    const answer = await answerTo(message, givers.get(message.question));
    // Whoever asked and has gone needs no answer. Without a function the failure would be thrown.
    end.send(answer, () => undefined);
  });
  end.on('disconnect', () => {
    for (const id of pending.keys()) giveUp(id, 'The other process has gone');
  });

  return {
    request: (question, value) =>
      new Promise((resolve, reject) => {
        asked += 1;
        const id = asked;
        const silent = (): void => giveUp(id, 'The other process does not answer');
        const timer = setTimeout(silent, patienceMilliseconds);
        pending.set(id, (answer) => {
          clearTimeout(timer);
          if (answer.reason === undefined) resolve(answer.value);
          else reject(new Error(answer.reason));
        });
        end.send({ question, id, value }, (error) => {
          if (error) giveUp(id, error.message);
        });
      }),
    handle: (question, give) => {
      givers.set(question, give);
    },
  };
};
