/** What the event loop tells of those who wait for it. */

/** How many events have already been there when the event loop came to look; undefined where nobody counts them. */
const eventsWaited = (): number | undefined =>
  // Since Node.js 20.18.
  performance.nodeTiming.uvMetricsInfo?.eventsWaiting;

/**
 * Makes a watch that says whether nobody has had to wait for the event loop since it was last asked. Where it cannot know,
 * somebody may have.
 */
export const watchEventLoop = (count = eventsWaited): (() => boolean) => {
  let before: number | undefined;
  return () => {
    const now = count();
    const isSame = now !== undefined && now === before;
    before = now;
    return isSame;
  };
};
