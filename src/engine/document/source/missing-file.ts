/** A file that a reference names and that cannot be had. */

/** The message is a clause that completes `The reference … cannot be resolved: …`. */
export class MissingFile extends Error {
  constructor(clause: string) {
    super(clause);
    this.name = 'MissingFile';
  }
}
