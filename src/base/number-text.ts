/** Numbers that are kept as the text of their digits, where a number of JavaScript would change them. */

/** A number as JSON writes it. It has no members, so that nothing takes it for an object of a message. */
export class NumberText {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }

  /** Gives programs that know no such numbers the nearest one. */
  toJSON(): number {
    return Number(this.#text);
  }
}

/** A number in the place of `format: decimal`: handlers get its text. */
export class DecimalText extends NumberText {}
