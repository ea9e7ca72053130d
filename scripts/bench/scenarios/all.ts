/** All scenarios, reading ones first; the last is a mix of the others. */

import { listScenarios } from './lists';
import { orderAndAdScenarios, placeOrderStep, readOrderStep } from './orders-and-ads';
import { addStep, petScenarios, readStep, updateStep } from './pets';
import { refusalScenarios } from './refusals';
import { type Phase, type Scenario, type Setting, type Step, stepsOf } from './scenario';

/** A day at the store: of twenty requests thirteen read, one lists, six write. */
const makers: readonly ((setting: Setting, number: number) => Step)[] = [
  (setting, number) => readStep(setting, number, 'key', 'json'),
  (setting, number) => addStep(setting, number, 'json'),
  (setting, number) => readStep(setting, number, 'token', 'json'),
  readOrderStep,
  (setting, number) => readStep(setting, number, 'key', 'json'),
  placeOrderStep,
  (setting, number) => readStep(setting, number, 'token', 'json'),
  (setting, number) => readStep(setting, number, 'key', 'json'),
  updateStep,
  readOrderStep,
  (setting, number) => readStep(setting, number, 'token', 'json'),
  (setting) => listScenarios[0]?.steps(setting)[0] as Step,
  (setting, number) => readStep(setting, number, 'key', 'json'),
  (setting, number) => addStep(setting, number, 'json'),
  readOrderStep,
  (setting, number) => readStep(setting, number, 'token', 'json'),
  placeOrderStep,
  (setting, number) => readStep(setting, number, 'key', 'json'),
  (setting, number) => readStep(setting, number, 'token', 'json'),
  updateStep,
];

/** Updated pets are read again later in the round: what a read must give then depends on the order of arrival. */
const readsUnchanged = (step: Step): Step =>
  step.request.method === 'GET' ? { ...step, check: () => {} } : step;

const mixScenario: Scenario = {
  name: 'mix',
  title: () => 'A mix of all of these (JSON)',
  phase: 'write',
  quick: true,
  steps: (setting) =>
    stepsOf((number) => readsUnchanged(makers[number % makers.length]?.(setting, number) as Step)),
};

const all: readonly Scenario[] = [
  ...petScenarios,
  ...listScenarios,
  ...orderAndAdScenarios,
  ...refusalScenarios,
  mixScenario,
];

const phases: readonly Phase[] = ['read', 'write'];

export const allScenarios: readonly Scenario[] = phases.flatMap((phase) =>
  all.filter((scenario) => scenario.phase === phase),
);
