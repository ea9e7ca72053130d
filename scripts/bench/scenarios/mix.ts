/** A day at the store: of twenty requests thirteen read, one lists, six write. */

import { listScenarios } from './lists';
import { placeOrderStep, readOrderStep } from './orders-and-ads';
import { addStep, readStep, updateStep } from './pets';
import { type Scenario, type Setting, type Step, stepsOf } from './scenario';

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

export const mixScenario: Scenario = {
  name: 'mix',
  title: () => 'A mix of all of these (JSON)',
  phase: 'write',
  quick: true,
  steps: (setting) =>
    stepsOf((number) => readsUnchanged(makers[number % makers.length]?.(setting, number) as Step)),
};
