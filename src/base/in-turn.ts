/** Runs works one after the other. */

/** Makes the function that runs each work once all works before it have ended, also where one of them failed. */
export const inTurn = (): (<Result>(work: () => Result | Promise<Result>) => Promise<Result>) => {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
};
