/** Reads choices off bytes, so that a search that changes bytes changes what is made of them. */

/** Takes choices one by one; behind the end all are 0. */
export interface Choices {
  /** From 0 up to, but not including, `end`, which is at most 65,536. */
  below(end: number): number;
  pick<Value>(values: readonly Value[]): Value;
  readonly isAtEnd: () => boolean;
}

/** Takes the bytes from the start. */
export const choicesOf = (bytes: Uint8Array): Choices => {
  let at = 0;
  const next = (): number => {
    at += 1;
    return bytes[at - 1] ?? 0;
  };
  const below = (end: number): number => (end <= 256 ? next() : next() * 256 + next()) % end;
  return {
    below,
    pick(values) {
      const index = below(values.length);
      const value = values[index];
      if (value === undefined) throw new Error('There is nothing to choose from');
      return value;
    },
    isAtEnd: () => at >= bytes.length,
  };
};

/** Changes a text at a few places, as the choices say. */
export const changeText = (given: string, choices: Choices, pieces: readonly string[]): string => {
  let text = given;
  for (let left = 8; left > 0 && !choices.isAtEnd(); left -= 1) {
    const at = choices.below(65_536) % (text.length + 1);
    const removed = choices.below(8);
    text = text.slice(0, at) + choices.pick(['', ...pieces]) + text.slice(at + removed);
  }
  return text;
};
