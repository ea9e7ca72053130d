/** Writes counts as people do. */

/** `1,204` */
export const digits = (count: number): string => count.toLocaleString('en');

/** `1 failure`, `2 failures` */
export const counted = (count: number, noun: string): string =>
  `${digits(count)} ${noun}${count === 1 ? '' : 's'}`;
