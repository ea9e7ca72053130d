/** What breaks one rule of a schema: every place of it, every rule there. */

import fc from 'fast-check';
import { choicesOf, planOf, type SamplePlan } from '../../../engine';
import type { BrokenRule } from './broken-numbers';
import { brokenRules } from './broken-rules';
import { facetsOf, isMarked, undeclaredName } from './facets';
import { absent, type Replacement, type ValueOptions } from './lists';

/** A rule broken at one place; the values there are wrong so far as the keywords of the place tell. */
export interface WrongValue extends Replacement {
  readonly broken: BrokenRule;
}

const inside = (step: string, wrong: readonly WrongValue[]): WrongValue[] =>
  wrong.map(({ path, ...rest }) => ({ path: [step, ...path], ...rest }));

const ofProperties = (plan: SamplePlan, options: ValueOptions): WrongValue[] => {
  const { properties, required, additional } = facetsOf(plan);
  const sent = [...properties].filter(
    ([, schemas]) => !isMarked(planOf(schemas, plan.source), 'readOnly'),
  );
  const names = new Set(sent.map(([name]) => name));
  return [
    ...[...required]
      .filter((name) => names.has(name))
      .map((name) => ({ path: [name], broken: 'required' as const, value: fc.constant(absent) })),
    ...(additional === undefined
      ? [
          {
            path: [undeclaredName],
            broken: 'additionalProperties' as const,
            value: fc.constant('undeclared'),
          },
        ]
      : []),
    ...sent.flatMap(([name, schemas]) =>
      inside(
        name,
        wrongValues(planOf(schemas, plan.source), { ...options, depth: options.depth - 1 }),
      ),
    ),
  ];
};

/** Every rule broken, at every place down to the depth of the options. */
export const wrongValues = (plan: SamplePlan, options: ValueOptions): WrongValue[] => {
  if (options.depth < 0) return [];
  const [choice = plan] = plan.unions.length > 0 ? choicesOf(plan) : [];
  if (choice !== plan) return wrongValues(choice, options);
  const here = brokenRules(plan, options).flatMap(({ broken, value }) =>
    value === undefined ? [] : [{ path: [], broken, value }],
  );
  const { type, items } = facetsOf(plan);
  if (type === 'object') return [...here, ...ofProperties(plan, options)];
  if (type !== 'array' || items.length === 0) return here;
  const inner = { ...options, depth: options.depth - 1 };
  return [...here, ...inside('*', wrongValues(planOf(items, plan.source), inner))];
};
