/** Texts that match several regular expressions, and none of others, within limits of length: found in the product of their automata. */

import { type AST, visitRegExpAST } from '@eslint-community/regexpp';
import { groupBy } from '../../base/group-by';
import { lazy } from '../../base/memoize';
import { parsePattern } from '../validation/checks/pattern-check';
import { isStart, type PatternPart, patternParts } from '../validation/checks/re2-pattern';

/** The lengths that a text may have. */
export interface Lengths {
  readonly least: number;
  readonly most: number;
}

/** A state of an automaton. It is left by a character that passes the test; without a test at once, perhaps at one place alone. */
interface State {
  readonly test?: (character: string) => boolean;
  readonly place?: 'start' | 'end';
  readonly next: readonly (() => State)[];
}
type Next = State['next'][number];

/** The state of a text that matches, whatever follows. */
const found: State = { test: () => true, next: [() => found] };

const placeOf = ({ kind }: AST.Assertion): State['place'] =>
  kind === 'start' || kind === 'end' ? kind : undefined;

/**
 * Makes the first state of an expression. States are made when they are reached: counted repetitions have thousands.
 * @param hopes back references and look-around, which no state expresses, are taken to hold; every text is checked in the end
 */
const firstState = (
  { alternatives, isAnchored }: PatternPart,
  flags: string,
  hopes: boolean,
): State => {
  const sequence = (elements: readonly AST.Element[], next: Next): Next =>
    elements.reduceRight<Next>((rest, element) => lazy(() => stateOf(element, rest)), next);
  const anyOf = (all: PatternPart['alternatives'], next: Next): State => ({
    next: all.map(({ elements }) => sequence(elements, next)),
  });
  const repeated = (quantifier: AST.Quantifier, count: number, next: Next): State => {
    const { min, max, element } = quantifier;
    const isLoop = count >= min && max === Number.POSITIVE_INFINITY;
    const after: Next = isLoop ? () => state : lazy(() => repeated(quantifier, count + 1, next));
    const again = lazy(() => stateOf(element, after));
    const state = { next: [...(count < max ? [again] : []), ...(count >= min ? [next] : [])] };
    return state;
  };
  const stateOf = (element: AST.Element, next: Next): State => {
    switch (element.type) {
      case 'Quantifier':
        return repeated(element, 0, next);
      case 'Group':
      case 'CapturingGroup':
        return anyOf(element.alternatives, next);
      case 'Character':
      case 'CharacterClass':
      case 'CharacterSet': {
        const expression = new RegExp(`^(?:${element.raw})$`, flags);
        return { test: (character) => expression.test(character), next: [next] };
      }
      default: {
        const place = element.type === 'Assertion' ? placeOf(element) : undefined;
        return { ...(place && { place }), next: place || hopes ? [next] : [] };
      }
    }
  };
  const own = anyOf(alternatives, () => found);
  const skip: State = { next: [() => own, () => other] };
  const other: State = { test: () => true, next: [() => skip] };
  const begins = alternatives.every(({ elements: [first] }) => isStart(first));
  return isAnchored || begins ? own : skip;
};

/** Makes the automata of a pattern, of which texts are wanted, or are not; none where it is no regular expression, or says several things of which one must not hold. */
const automataOf = (source: string, isWanted: boolean) => {
  const parsed = parsePattern(source);
  const parts = parsed === undefined ? [] : patternParts(parsed.pattern);
  return parts
    .filter(() => isWanted || parts.length === 1)
    .map((part) => {
      const isSought = part.matches === isWanted;
      return { first: firstState(part, parsed?.flags ?? '', isSought), isWanted: isSought };
    });
};

/** Groups characters that no class and no literal of the patterns tells apart. */
const groupsOf = (sources: readonly string[], alphabet: string) => {
  const [literals, all] = [new Set<string>(), new Set(alphabet)];
  const classes = new Map<string, RegExp>();
  for (const parsed of sources.flatMap((source) => parsePattern(source) ?? [])) {
    const addClass = ({ raw }: AST.Node) => {
      classes.set(raw, new RegExp(`^(?:${raw})$`, parsed.flags));
    };
    visitRegExpAST(parsed.pattern, {
      onCharacterEnter: ({ value, parent }) => {
        const character = String.fromCodePoint(value);
        all.add(character);
        if (!parent.type.startsWith('CharacterClass')) literals.add(character);
      },
      onCharacterClassEnter: addClass,
      onCharacterSetEnter: addClass,
    });
  }
  const groups = groupBy([...all], (character) => {
    const own = literals.has(character) ? character : '';
    return own + [...classes.values()].map((one) => Number(one.test(character))).join('');
  });
  return [...groups.values()];
};

/** The beginning of a text: its last character is one of a group. */
interface Beginning {
  readonly before: Beginning | undefined;
  readonly length: number;
  readonly group: readonly string[];
}

/** Spells a way in all texts, which differ at the end first. */
function* spellings(way: Beginning | undefined): Iterable<string> {
  for (let turn = 0; ; turn += 1) {
    let [text, rest] = ['', turn];
    for (let at = way; at !== undefined; at = at.before) {
      const { group, length } = at;
      text = (group[((rest % group.length) + length - 1) % group.length] ?? '') + text;
      rest = Math.floor(rest / group.length);
    }
    if (rest > 0) return;
    yield text;
  }
}

/** Lists the states that are reached without a further character. */
const closure = (from: Iterable<State>, at?: State['place']): ReadonlySet<State> => {
  const reached = new Set(from);
  for (const { test, place = at, next } of reached) {
    const isPassed = test === undefined && place === at;
    for (const state of isPassed ? next : []) reached.add(state());
  }
  return reached.has(found) ? new Set([found]) : reached;
};

/** The states of all automata after the same characters. */
type Situation = readonly ReadonlySet<State>[];

/** Makes the check that a situation at a length is reached for one of the first times. */
const novelty = (least: number): ((situation: Situation, length: number) => boolean) => {
  // Ways to one situation that are gone; of long texts one.
  const mostWays = least > 100 ? 1 : 4;
  const [ids, ways] = [new Map<State, number>(), new Map<string, number>()];
  const numberOf = (state: State) => ids.get(state) ?? ids.set(state, ids.size + 1).size;
  return (situation, length) => {
    const numbers = situation.map((states) => [...states].map(numberOf).toSorted());
    const key = `${Math.min(length, least)} ${numbers.join(' ')}`;
    const known = ways.get(key) ?? 0;
    ways.set(key, known + 1);
    return known < mostWays;
  };
};

/** Makes the first situation, and the checks that a text may go on from one, and that it fits as it is. */
const productOf = (patterns: readonly string[], forbidden: readonly string[]) => {
  const automata = [
    ...patterns.flatMap((pattern) => automataOf(pattern, true)),
    ...forbidden.flatMap((pattern) => automataOf(pattern, false)),
  ];
  return {
    start: automata.map(({ first }) => closure([first], 'start')),
    isAlive: (situation: Situation): boolean =>
      situation.every((states, index) =>
        automata[index]?.isWanted ? states.size > 0 : !states.has(found),
      ),
    fits: (situation: Situation): boolean =>
      situation.every(
        (states, index) => closure(states, 'end').has(found) === automata[index]?.isWanted,
      ),
  };
};

/** States that one search may reach. */
const MOST_STATES = 60_000;

/**
 * Finds texts that match the patterns, and none of the forbidden ones, the shortest first.
 * @param alphabet the characters to choose from, best first, beside those that the patterns name
 */
export function* searchTexts(
  patterns: readonly string[],
  forbidden: readonly string[],
  { least, most }: Lengths,
  alphabet: string,
): Iterable<string> {
  const groups = groupsOf([...patterns, ...forbidden], alphabet);
  const { start, isAlive, fits } = productOf(patterns, forbidden);
  const isNew = novelty(least);
  let left = MOST_STATES;
  const queue: { situation: Situation; way: Beginning | undefined }[] = [
    { situation: start, way: undefined },
  ];
  for (const { situation, way } of queue) {
    const length = (way?.length ?? 0) + 1;
    if (length > least && fits(situation)) yield* spellings(way);
    if (length > most || left < 0) continue;
    const steps = groups.map((group) => ({
      situation: situation.map((states) => {
        const passed = [...states].filter(({ test }) => test?.(group[0] ?? ''));
        return closure(passed.flatMap(({ next }) => next.map((state) => state())));
      }),
      way: { before: way, length, group },
    }));
    left -= steps.flatMap((step) => step.situation).reduce((sum, { size }) => sum + size, 1);
    queue.push(...steps.filter((step) => isAlive(step.situation) && isNew(step.situation, length)));
  }
}
