/** Gives every schema its shape: references followed, allOf merged, unions laid out, each worked out once. */

import { lazy, memoize } from '../../base/memoize';
import { makeShape, type ShapeParts } from './make-shape';
import {
  branchSets,
  followReference,
  partsOf,
  type SchemaParts,
  withSchemas,
} from './schema-parts';
import type { Alternative, Schema, Shape, ShapeOf, ShapeSource } from './shape';

/** Unions of unions multiply; beyond this many choices in a row values are read without choosing. */
const MOST_CHOICES = 4;
/** Ways to choose in one union after another. */
const MOST_WAYS = 2_000;

interface ShapePlan extends ShapeParts, SchemaParts {
  /** The number of branches chosen so far. */
  readonly choices: number;
  /** The number of combinations among which they were chosen. */
  readonly ways: number;
}

/**
 * Makes the shapes of one document. A reference that cannot be resolved throws when the shape that holds it is read,
 * so that the rest of the document stays usable.
 */
export function compileShapes(source: ShapeSource): ShapeOf {
  const shapes = new Map<string, Shape>();
  let last = 0;
  const idOf = memoize((_object: object) => ++last);

  const shapeOfPlan = (plan: ShapePlan): Shape => {
    const key = [
      plan.parts.map(idOf).join(),
      plan.unions.map((union) => idOf(union.branches)).join(),
      idOf(plan.named),
      plan.component,
    ].join('|');
    const known = shapes.get(key);
    if (known) return known;
    const shape = makeShape(plan, {
      all: (schemas) => shapeOfPlan(initialPlan(schemas, source)),
      alternatives: () => alternativesOf(plan, source, shapeOfPlan),
      accepts: (value) => plan.parts.every((part) => source.accepts(part)(value)),
    });
    shapes.set(key, shape);
    return shape;
  };

  return (schema) => shapeOfPlan(initialPlan([schema], source));
}

function initialPlan(schemas: readonly Schema[], source: ShapeSource): ShapePlan {
  const targets = schemas.map((schema) => followReference(schema, source));
  const named = targets.find(({ schema }) => schema.xml) ?? targets[0];
  return {
    ...partsOf(schemas, source),
    named: named?.schema ?? {},
    component: named?.component,
    choices: 0,
    ways: 1,
  };
}

function alternativesOf(
  plan: ShapePlan,
  source: ShapeSource,
  shapeOfPlan: (plan: ShapePlan) => Shape,
): readonly Alternative[] {
  const [union, ...unions] = plan.unions;
  if (!union || plan.choices === MOST_CHOICES) return [];
  const all = branchSets(union);
  const ways = plan.ways * all.length;
  if (plan.choices > 0 && ways > MOST_WAYS) return [];
  return all.map((branches) => {
    const chosen = withSchemas({ parts: plan.parts, unions }, branches, source);
    const predicates = lazy(() => branches.map((branch) => source.accepts(branch)));
    return {
      shape: shapeOfPlan({ ...plan, ...chosen, choices: plan.choices + 1, ways }),
      accepts: (value) => predicates().every((accepts) => accepts(value)),
    };
  });
}
