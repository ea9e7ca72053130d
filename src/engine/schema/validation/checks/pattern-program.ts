/**
 * Regular expressions of ECMA-262 as programs that go no way twice: the time is in proportion to the text and the expression,
 * which the platform's own engine does not promise. Back references are not known here, since what they match depends on the way.
 */

import type { AST } from '@eslint-community/regexpp';
import { spend } from '../../../../base/fuel';
import {
  acceptedCodes,
  characterState,
  choiceState,
  countedState,
  edgeState,
  type Search,
  type State,
} from './pattern-states';

/** A pattern that has been parsed, and the flags that it is read with: `u`, or none. */
export interface ParsedPattern {
  readonly pattern: AST.Pattern;
  readonly flags: string;
}

/** Whether the text has a match. Each state that a way goes through takes steps; throws FuelExhausted. */
export type TestText = (text: string) => boolean;

/** What the states of one program have in common. */
interface Program {
  readonly flags: string;
  /** Whether ways that meet are gone once. */
  readonly remembers: boolean;
  choices: number;
  /** All `counts` are below it. */
  counts: number;
}

/** Where an element stands. */
interface Place {
  readonly program: Program;
  /** What follows it, in the direction in which the text is read. */
  readonly next: State;
  /** Whether the text is read backwards, as what looks behind does. */
  readonly isBackward: boolean;
  /** What a repetition counts by here: the ones around it count below. */
  readonly unit: number;
}

const end: State = { follow: () => undefined };

const newChoice = ({ program }: Place): number => {
  program.choices += 1;
  return program.choices - 1;
};

const sequenceState = (elements: readonly AST.Element[], place: Place): State => {
  const ordered = place.isBackward ? elements : elements.toReversed();
  return ordered.reduce((next, element) => elementState(element, { ...place, next }), place.next);
};

const alternativesState = (alternatives: readonly AST.Alternative[], place: Place): State => {
  const [only, ...others] = alternatives;
  if (only && others.length === 0) return sequenceState(only.elements, place);
  const choice = choiceState(newChoice(place));
  for (const { elements } of alternatives) choice.ways.push(sequenceState(elements, place));
  return choice;
};

const countedRepetition = ({ min, max, element }: AST.Quantifier, place: Place): State => {
  const { program, unit, next } = place;
  const isEndless = max === Number.POSITIVE_INFINITY;
  const most = isEndless ? min : max;
  const innerUnit = unit * (most + 1);
  program.counts = Math.max(program.counts, innerUnit);
  const counter = { unit, least: min, most, isEndless };
  const head = countedState(newChoice(place), counter, next);
  head.ways.push(elementState(element, { ...place, next: head, unit: innerUnit }));
  return head;
};

const repetition = (quantifier: AST.Quantifier, place: Place): State => {
  const { min, max, element } = quantifier;
  if (max === 0) return place.next;
  if (min === 1 && max === 1) return elementState(element, place);
  const isEndless = max === Number.POSITIVE_INFINITY;
  if (min > 1 || (!isEndless && max > 1)) return countedRepetition(quantifier, place);
  const choice = choiceState(newChoice(place));
  const body = elementState(element, { ...place, next: isEndless ? choice : place.next });
  choice.ways.push(body, place.next);
  return min === 0 ? choice : body;
};

const lookState = (
  { kind, negate, alternatives }: AST.LookaroundAssertion,
  { program, next }: Place,
): State => {
  const isBackward = kind === 'lookbehind';
  const inner = alternativesState(alternatives, { program, next: end, isBackward, unit: 1 });
  return {
    follow: ({ at }, { text }) =>
      hasWay(inner, at, newSearch(text, program)) === negate ? undefined : next,
  };
};

const elementState = (element: AST.Element, place: Place): State => {
  const { program, next } = place;
  const direction = { isUnicode: program.flags === 'u', isBackward: place.isBackward };
  switch (element.type) {
    case 'Character':
      return characterState((code) => code === element.value, next, direction);
    case 'CharacterClass':
    case 'CharacterSet':
    case 'ExpressionCharacterClass':
      return characterState(acceptedCodes(element, program.flags), next, direction);
    case 'Group':
    case 'CapturingGroup':
      return alternativesState(element.alternatives, place);
    case 'Quantifier':
      return repetition(element, place);
    case 'Assertion':
      return element.kind === 'lookahead' || element.kind === 'lookbehind'
        ? lookState(element, place)
        : edgeState(element, next);
    case 'Backreference':
      throw new Error('A back reference has no state');
  }
};

/** Bytes that a search may take to remember by; larger ones take a set, which grows with what it holds. */
const MOST_MARKS = 1 << 24;
const MARKS_A_STEP = 256;
const STEPS_A_KEY = 12;

const newSearch = (text: string, { choices, counts, remembers }: Program): Search => {
  const places = text.length + 1;
  const size = choices * places * counts;
  const isMarked = remembers && size <= MOST_MARKS;
  if (isMarked) spend(Math.floor(size / MARKS_A_STEP));
  const marks = isMarked ? new Uint8Array(size) : undefined;
  const keys = new Set<number>();
  return {
    text,
    pending: [],
    isNew(choice, { at, counts: counted }) {
      // Where keys are no exact numbers, ways are gone again rather than taken for others.
      if (!remembers || size > Number.MAX_SAFE_INTEGER) return true;
      const key = (counted * places + at) * choices + choice;
      if (marks === undefined) {
        spend(STEPS_A_KEY);
        return keys.size < keys.add(key).size;
      }
      const isNew = marks[key] === 0;
      marks[key] = 1;
      return isNew;
    },
  };
};

const STEPS_A_STATE = 4;

const hasWay = (start: State, from: number, search: Search): boolean => {
  search.pending.push({ at: from, counts: 0, state: start });
  for (let way = search.pending.pop(); way !== undefined; way = search.pending.pop()) {
    let state: State | undefined = way.state;
    while (state !== undefined) {
      if (state === end) return true;
      spend(STEPS_A_STATE);
      state = state.follow(way, search);
    }
  }
  return false;
};

const isAnchored = ({ alternatives }: AST.Pattern): boolean =>
  alternatives.every(
    ({ elements: [first] }) => first?.type === 'Assertion' && first.kind === 'start',
  );

/**
 * Compiles a pattern without back references.
 * @param remembers false: ways are gone as often as engines go that try one after the other
 */
export const compilePattern = ({ pattern, flags }: ParsedPattern, remembers = true): TestText => {
  const program: Program = { flags, remembers, choices: 0, counts: 1 };
  const place = { program, next: end, isBackward: false, unit: 1 };
  const start = alternativesState(pattern.alternatives, place);
  const isFixed = isAnchored(pattern);
  const isInsidePair = (text: string, at: number): boolean =>
    flags === 'u' && at > 0 && (text.codePointAt(at - 1) ?? 0) > 0xffff;
  return (text) => {
    const search = newSearch(text, program);
    const last = isFixed ? 0 : text.length;
    for (let at = 0; at <= last; at += 1) {
      if (!isInsidePair(text, at) && hasWay(start, at, search)) return true;
    }
    return false;
  };
};
