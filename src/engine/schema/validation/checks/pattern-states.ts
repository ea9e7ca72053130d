/** The states of a regular expression's program: what each does with a text, and where it leads. */

import type { AST } from '@eslint-community/regexpp';

/** One way through the expression. */
export interface Thread {
  /** The place in the text, in UTF-16 units. */
  at: number;
  /** The counters of all counted repetitions that the way is in, as the digits of one number. */
  counts: number;
}

/** What a text is searched with. */
export interface Search {
  readonly text: string;
  /** Ways that are still to be gone. */
  readonly pending: (Thread & { readonly state: State })[];
  /** Whether no way has come to the choice at this place, with these counters, before. */
  isNew(choice: number, thread: Thread): boolean;
}

/** A place in the expression. */
export interface State {
  /** Moves the thread on; undefined where its way ends. */
  follow(thread: Thread, search: Search): State | undefined;
}

type ReadCode = (text: string, at: number) => number | undefined;

const codeUnits: ReadCode = (text, at) => (at < text.length ? text.charCodeAt(at) : undefined);
const codePoints: ReadCode = (text, at) => text.codePointAt(at);

/** Reads what stands before a place, as what looks behind does. */
const before =
  (isUnicode: boolean): ReadCode =>
  (text, at) => {
    if (at === 0) return undefined;
    const pair = isUnicode && at > 1 ? (text.codePointAt(at - 2) ?? 0) : 0;
    return pair > 0xffff ? pair : text.charCodeAt(at - 1);
  };

const unitsOf = (code: number): number => (code > 0xffff ? 2 : 1);

/** What single characters an element stands for. The platform's own engine decides; of ASCII it is asked once. */
export const acceptedCodes = (
  element: AST.CharacterClass | AST.CharacterSet | AST.ExpressionCharacterClass,
  flags: string,
): ((code: number) => boolean) => {
  const expression = new RegExp(`^(?:${element.raw})$`, flags);
  const accepts = (code: number): boolean => expression.test(String.fromCodePoint(code));
  const ascii = Array.from({ length: 128 }, (_, code) => accepts(code));
  return (code) => ascii[code] ?? accepts(code);
};

/** One character. */
export const characterState = (
  accepts: (code: number) => boolean,
  next: State,
  { isUnicode, isBackward }: { readonly isUnicode: boolean; readonly isBackward: boolean },
): State => {
  const read = isBackward ? before(isUnicode) : isUnicode ? codePoints : codeUnits;
  const direction = isBackward ? -1 : 1;
  return {
    follow(thread, { text }) {
      const code = read(text, thread.at);
      if (code === undefined || !accepts(code)) return undefined;
      thread.at += direction * unitsOf(code);
      return next;
    },
  };
};

/** Several ways, of which the first is gone first. */
export interface ChoiceState extends State {
  /** Filled in when what follows is known. */
  readonly ways: State[];
}

/** Ways meet again where the expression has a choice; one that comes there second ends. */
export const choiceState = (choice: number): ChoiceState => {
  const ways: State[] = [];
  return {
    ways,
    follow(thread, search) {
      if (!search.isNew(choice, thread)) return undefined;
      for (let index = ways.length - 1; index > 0; index -= 1) {
        const state = ways[index];
        if (state) search.pending.push({ at: thread.at, counts: thread.counts, state });
      }
      return ways[0];
    },
  };
};

/** A repetition that is counted. */
export interface Counter {
  /** What one time counts in `counts`. */
  readonly unit: number;
  readonly least: number;
  /** Beyond it nothing more is counted. */
  readonly most: number;
  /** Whether the repetition goes on all the same. */
  readonly isEndless: boolean;
}

/** Where a counted repetition begins, and begins again. */
export const countedState = (
  choice: number,
  { unit, least, most, isEndless }: Counter,
  next: State,
): ChoiceState => {
  const ways: State[] = [];
  return {
    ways,
    follow(thread, search) {
      if (!search.isNew(choice, thread)) return undefined;
      const times = Math.floor(thread.counts / unit);
      const others = thread.counts - times * unit;
      const more = times < most ? thread.counts + unit : thread.counts;
      const [body = next] = ways;
      if (times < least) {
        thread.counts = more;
        return body;
      }
      if (isEndless || times < most)
        search.pending.push({ at: thread.at, counts: more, state: body });
      thread.counts = others;
      return next;
    },
  };
};

const isWord = (text: string, at: number): boolean => /^\w/.test(text.charAt(at));

/** `^`, `$`, `\b` and `\B`. */
export const edgeState = (
  assertion: Exclude<AST.Assertion, AST.LookaroundAssertion>,
  next: State,
): State => {
  const holds = (text: string, at: number): boolean => {
    if (assertion.kind === 'word') {
      return (isWord(text, at - 1) !== isWord(text, at)) !== assertion.negate;
    }
    return at === (assertion.kind === 'start' ? 0 : text.length);
  };
  return { follow: ({ at }, { text }) => (holds(text, at) ? next : undefined) };
};
