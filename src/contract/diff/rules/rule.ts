/** What a rule of the comparison is: how much a change weighs on each side, and what it says. */

/** How much a change weighs: `warning` where a caller may be hurt, or where nobody can decide it. */
export type Severity = 'breaking' | 'warning' | 'compatible';

/** What a change concerns: what callers send, what they get, or the document as a whole. */
export type Side = 'request' | 'response' | 'document';

/** One kind of change. */
export interface Rule {
  readonly severity: Readonly<Record<Side, Severity>>;
  /** How much it weighs as far as the sets of values decide it, which tells whether alternatives cover each other. */
  readonly ofValues: Readonly<Record<Side, Severity>>;
  /** What has changed, as a clause without a subject's name: it follows one in messages. */
  readonly sentence: string;
}

const rule = (sentence: string, request: Severity, response: Severity): Rule => {
  const severity = { request, response, document: request };
  return { severity, ofValues: severity, sentence };
};

/** Fewer values or messages than before: a request may now be refused, no answer is new. */
export const narrows = (sentence: string): Rule => rule(sentence, 'breaking', 'compatible');

/** Fewer values than before, of which readers of an answer may miss the ones that are gone. */
export const loses = (request: Severity, sentence: string): Rule => ({
  ...rule(sentence, request, 'warning'),
  ofValues: { request, response: 'compatible', document: request },
});

/** More values or messages than before: every request still fits, an answer may be new to its reader. */
export const widens = (sentence: string): Rule => rule(sentence, 'compatible', 'breaking');

/** Neither holds the other: both sides may be hurt. */
export const changes = (sentence: string): Rule => rule(sentence, 'breaking', 'breaking');

/** Whether fewer or more cannot be decided; the sentence says why. */
export const unclear = (sentence: string): Rule => rule(sentence, 'warning', 'warning');

/** Lowers protection: every caller is still let in, and others are, too, which its owner must know. */
export const lowers = (sentence: string): Rule => rule(sentence, 'warning', 'warning');

/** The same values and messages as before. */
export const keeps = (sentence: string): Rule => rule(sentence, 'compatible', 'compatible');

/** Weighs as is said, where the sets alone do not decide. */
export const weighs = (request: Severity, response: Severity, sentence: string): Rule =>
  rule(sentence, request, response);
