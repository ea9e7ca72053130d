/**
 * Bounds the work of one message. Schemas (unions that contain themselves, patterns that repeat repetitions)
 * can ask for exponentially many steps of a small value. All that reads, converts and validates a message takes its steps
 * from one tank; a step is some 20 to 100 ns of work, so that the tank of a small message is gone in 20 milliseconds.
 */

/** The steps are used up before the value is decided. The message is a fragment beginning with "must", fit for the caller. */
export class FuelExhausted extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FuelExhausted';
  }
}

/** The tank of one message. */
export interface Fuel {
  /** Steps in all. */
  capacity: number;
  /** Steps that are left; below 0 where they are used up. */
  left: number;
  /** The answers for objects of the message, by question; undefined until many steps have been taken. */
  answers: Map<object, Map<object, unknown>> | undefined;
}

/** Makes a tank of so many steps. */
export const makeFuel = (capacity: number): Fuel => ({
  capacity,
  left: capacity,
  answers: undefined,
});

/** For a request without a body. */
const STEPS = 200_000;
/** Each second byte of a body may be an item, which alternatives take some 20 steps to decide. */
const STEPS_A_BYTE = 20;
const MOST_STEPS = 3_000_000;

/** Makes the tank of a request, for its parameters and its body together. */
export const requestFuel = (): Fuel => makeFuel(STEPS);

/** Adds what a body of so many bytes may take. */
export const addFuel = (fuel: Fuel, bytes: number): void => {
  const capacity = Math.min(MOST_STEPS, fuel.capacity + STEPS_A_BYTE * bytes);
  fuel.left += capacity - fuel.capacity;
  fuel.capacity = capacity;
};

/** An item of a body has them beside those of its bytes: a few checks cost as much of the shortest. */
const STEPS_AN_ITEM = 1_000;

/** Makes the tank of the next item of a body: what those before it left, and what the item gives. */
export const itemFuel = ({ left }: Fuel): Fuel =>
  makeFuel(Math.min(MOST_STEPS, left + STEPS_AN_ITEM));

/** Adds what more bytes of a body of any length give; as much as a tank can hold. */
export const refuel = (fuel: Fuel, bytes: number): void => {
  fuel.left = Math.min(MOST_STEPS, fuel.left + STEPS_A_BYTE * bytes);
};

/** A value that the program itself made, or has stored: honest ones may be large, and nothing has bounded them. */
const STEPS_OF_OWN = 10_000_000;

/** Makes the tank of a value outside of requests: of a response, or a default of the document. */
export const ownFuel = (): Fuel => makeFuel(STEPS_OF_OWN);

/** The tank in use. A message is read synchronously, so that nothing else runs meanwhile. */
let current: Fuel | undefined;

/** Returns the tank that is being drawn from; undefined outside of messages. */
export const currentFuel = (): Fuel | undefined => current;

/**
 * Runs synchronous work that takes its steps from the tank.
 * @param fuel undefined for work that outlives the message, such as compiling: nothing is counted
 */
export const drawFrom = <Result>(fuel: Fuel | undefined, run: () => Result): Result => {
  const outer = current;
  current = fuel;
  try {
    return run();
  } finally {
    current = outer;
  }
};

/** Takes steps from the tank that is being drawn from. Throws FuelExhausted where there are too few. */
export const spend = (steps = 1): void => {
  if (current === undefined) return;
  current.left -= steps;
  if (current.left < 0) {
    throw new FuelExhausted(
      `must take at most ${current.capacity} steps to check: make it smaller, nest it less deeply, or let it fit fewer alternatives`,
    );
  }
};

/** Characters of a text that all of its checks together pass in a step. */
const CHARACTERS = 64;

/** Takes the steps of the checks of a value itself. */
export const spendOn = (value: unknown): void =>
  spend(typeof value === 'string' ? 1 + Math.floor(value.length / CHARACTERS) : 1);

/**
 * Answers a question about an object, once for each message that takes many steps: where unions hold unions, the same is asked
 * for every way that leads to the object, exponentially often. Objects must not change meanwhile.
 */
export const answerOnce = <Value, Answer>(
  question: object,
  value: Value,
  answer: (value: Value) => Answer,
): Answer => {
  // To remember costs more than to ask again, unless the same is asked often.
  const [manySteps, stepsToRemember] = [1_000, 15];
  const fuel = current;
  if (fuel === undefined || typeof value !== 'object' || value === null) return answer(value);
  if (fuel.capacity - fuel.left < manySteps) return answer(value);
  fuel.answers ??= new Map();
  const known = fuel.answers.get(question) ?? new Map();
  fuel.answers.set(question, known);
  const before = known.get(value);
  if (before !== undefined) return before as Answer;
  spend(stepsToRemember);
  const given = answer(value);
  known.set(value, given);
  return given;
};

/** Tells whether fuel or stack is exhausted: readers bound the depth of requests, but other values may exceed the stack. */
export const isExhaustion = (error: unknown): boolean =>
  error instanceof FuelExhausted || error instanceof RangeError;
