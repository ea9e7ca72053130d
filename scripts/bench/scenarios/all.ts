/** All scenarios, reading ones first. */

import { listScenarios } from './lists';
import { mixScenario } from './mix';
import { orderAndAdScenarios } from './orders-and-ads';
import { petScenarios } from './pets';
import { refusalScenarios } from './refusals';
import type { Phase, Scenario } from './scenario';

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
