/** All scenarios, reading ones first; the last is a mix of the others. */

import { listScenarios } from './lists';
import { orderAndAdScenarios, placeOrderStep, readOrderStep } from './orders-and-ads';
import { addStep, petScenarios, readStep, updateStep } from './pets';
import { refusalScenarios } from './refusals';
import { phases, type Scenario, type Setting, type Step, scenarioOf } from './scenario';

type Maker = (setting: Setting, number: number) => Step;

const byKey: Maker = (setting, number) => readStep(setting, number, 'key', 'json');
const byToken: Maker = (setting, number) => readStep(setting, number, 'token', 'json');
const add: Maker = (setting, number) => addStep(setting, number, 'json');
const find: Maker = (setting) => listScenarios[0]?.steps(setting)[0] as Step;

/** A day at the store: of twenty requests thirteen read, one lists, six write. */
const makers: readonly Maker[] = [
  ...[byKey, add, byToken, readOrderStep, byKey, placeOrderStep, byToken, byKey, updateStep],
  ...[readOrderStep, byToken, find, byKey, add, readOrderStep, byToken, placeOrderStep, byKey],
  ...[byToken, updateStep],
];

/** Makes a step of the mix. Updated pets are read again later: what a read must give then depends on the order of arrival. */
const mixStep: Maker = (setting, number) => {
  const step = makers[number % makers.length]?.(setting, number) as Step;
  return step.request.method === 'GET' ? { ...step, check: () => {} } : step;
};

const all: readonly Scenario[] = [
  ...petScenarios,
  ...listScenarios,
  ...orderAndAdScenarios,
  ...refusalScenarios,
  scenarioOf('write', 'mix', 'A mix of all of these (JSON)', mixStep, { quick: true }),
];

export const allScenarios: readonly Scenario[] = phases.flatMap((phase) =>
  all.filter((scenario) => scenario.phase === phase),
);
