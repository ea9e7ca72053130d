/** Whether a value is small enough to look for all of its faults, without walking all of a large one. */

/**
 * Whether the value has at most so many members and items, itself included, at all levels together.
 * Takes no more steps than that, and no stack.
 */
export const isSmallerThan = (limit: number, value: unknown): boolean => {
  const pending: unknown[] = [value];
  for (let seen = 0; seen < limit; seen += 1) {
    const next = pending.pop();
    if (typeof next === 'object' && next !== null && !(next instanceof Uint8Array)) {
      const parts = Object.values(next);
      if (parts.length > limit) return false;
      pending.push(...parts);
    }
    if (pending.length === 0) return true;
  }
  return false;
};
