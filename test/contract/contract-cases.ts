/** The promises of a document, operation by operation: the same cases for every service. */

import { beforeEach, describe, expect, test } from '@jest/globals';
import { loadHandlerModules } from '../../src/host/module-loader';
import { isPostgres } from '../support/new-database';
import { useServices } from '../support/services';
import { describeAccess, describeStrangers } from './access-cases';
import type { ContractContext } from './contract-context';
import { contractOperations } from './contract-operation';
import { describeInput } from './input-cases';
import { describeProtocol } from './protocol-cases';
import { describeResponses } from './response-cases';

const noon = Date.UTC(2030, 0, 1, 12);

/** Adds all cases of one service; every case that changes something starts with the demo data as it was. */
export const describeContract = (service: ContractContext['service']): void => {
  const services = useServices({ RATE_LIMIT_PER_HOUR: '1000000' }, () => noon);
  const operations = contractOperations(service);
  const context: ContractContext = { service, operations, services };

  test(`${service} has a handler for every operation`, async () => {
    const modules = await loadHandlerModules('handlers', service);
    const ids = operations.map(({ id }) => id);
    const named = ids.map((operationId) => ({ operationId }));
    const { handlers } = await modules.handlers(
      () => ({ given: [{}], failed: async () => undefined }),
      named,
    );
    const handled = handlers.map(({ operationId }) => operationId);
    expect(handled.sort()).toEqual(ids.sort());
  });

  // What is answered before a handler runs is answered alike on every database.
  if (!isPostgres) {
    describe('input', () => describeInput(context));
    describe('strangers', () => describeStrangers(context));
    describe('protocol', () => describeProtocol(context));
  }
  describe.each([
    ['access', describeAccess],
    ['responses', describeResponses],
  ])('%s', (_, describeCases) => {
    beforeEach(() => services().reset());
    describeCases(context);
  });
};
