/** The public face of mocks: handlers that are made from a model, and what goes with them. */

export { longestDelay, type MockOptions } from './conditions';
export type { MemoryOptions } from './memory/memory';
export { mockCredentials, openMocks } from './mocks';
export { exampleProblems } from './samples/example-errors';
