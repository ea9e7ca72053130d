/** Reports as JSON, for programs. */

import { randomUUID } from 'node:crypto';

/** A value that is JSON text already: no digit of its numbers is lost. */
export class JsonText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Writes a report. */
export const jsonReport = (report: unknown): string => {
  const texts: string[] = [];
  // No text of a document can hold a name that is made here.
  const mark = randomUUID();
  const withMarks = JSON.stringify(
    report,
    (_key, value: unknown) =>
      value instanceof JsonText ? `${mark} ${texts.push(value.text) - 1}` : value,
    2,
  );
  const marked = new RegExp(`"${mark} (\\d+)"`, 'g');
  return `${withMarks.replaceAll(marked, (_, at: string) => texts[Number(at)] ?? '')}\n`;
};
