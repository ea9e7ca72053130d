/** Scenarios that read and write single pets. */

import { addFormStep, addStep, readStep, updateStep } from './pet-steps';
import { type Scenario, stepsOf } from './scenario';

const reads: readonly Scenario[] = [
  {
    name: 'read-json-key',
    title: () => 'Read a pet (JSON, API key)',
    phase: 'read',
    quick: true,
    steps: (setting) => stepsOf((number) => readStep(setting, number, 'key', 'json')),
  },
  {
    name: 'read-xml-key',
    title: () => 'Read a pet (XML, API key)',
    phase: 'read',
    quick: true,
    needsXml: true,
    steps: (setting) => stepsOf((number) => readStep(setting, number, 'key', 'xml')),
  },
  {
    name: 'read-json-token',
    title: () => 'Read a pet (JSON, bearer token)',
    phase: 'read',
    steps: (setting) => stepsOf((number) => readStep(setting, number, 'token', 'json')),
  },
  {
    name: 'read-xml-token',
    title: () => 'Read a pet (XML, bearer token)',
    phase: 'read',
    needsXml: true,
    steps: (setting) => stepsOf((number) => readStep(setting, number, 'token', 'xml')),
  },
];

const writes: readonly Scenario[] = [
  {
    name: 'add-json',
    title: () => 'Add a pet (JSON)',
    phase: 'write',
    quick: true,
    steps: (setting) => stepsOf((number) => addStep(setting, number, 'json')),
  },
  {
    name: 'add-xml',
    title: () => 'Add a pet (XML)',
    phase: 'write',
    needsXml: true,
    steps: (setting) => stepsOf((number) => addStep(setting, number, 'xml')),
  },
  {
    name: 'add-form',
    title: () => 'Add a pet (form)',
    phase: 'write',
    steps: (setting) => stepsOf((number) => addFormStep(setting, number)),
  },
  {
    name: 'update-json',
    title: () => 'Update a pet (JSON)',
    phase: 'write',
    steps: (setting) => stepsOf((number) => updateStep(setting, number)),
  },
];

export const petScenarios: readonly Scenario[] = [...reads, ...writes];
