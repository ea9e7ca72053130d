/** Waits for what happens in another process. */

const usualMilliseconds = 20_000;
const pauseMilliseconds = 20;

/** Looks again and again until there is something to see; rejects where there is nothing within the deadline. */
export const eventually = async <Found>(
  what: string,
  look: () => Found | undefined | Promise<Found | undefined>,
  deadlineMilliseconds = usualMilliseconds,
): Promise<Found> => {
  const deadline = Date.now() + deadlineMilliseconds;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error(`It never came about: ${what}`);
    await new Promise((done) => setTimeout(done, pauseMilliseconds));
  }
};
