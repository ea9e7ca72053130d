/** Writes counts as people do. */

/** `1 failure`, `1,204 failures` */
export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
