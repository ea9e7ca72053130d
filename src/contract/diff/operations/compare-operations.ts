/** Compares the operations of two documents: which are the same, their addresses, and what goes in and out of each. */

import { groupBy } from '../../../base/group-by';
import { templateForm } from '../../../document/read/templates';
import { dayOf } from '../../../model/deprecation';
import { type Operation, type Parameter, requestMethod } from '../../../model/operation';
import { compareBodies } from '../messages/compare-bodies';
import { compareEncodings } from '../messages/compare-encodings';
import { compareParameter, mediaTypeOf, type ParameterRules } from '../messages/compare-parameter';
import { compareResponses } from '../messages/compare-responses';
import {
  compareFlags,
  fieldSpot,
  isBroken,
  type MessageComparison,
  spotOf,
} from '../messages/message-comparison';
import { bothOf, entryPairs, type Pair, type Spot } from '../rules/finding';
import { compareSecurity, type Documents } from './compare-security';
import { compareServers } from './compare-servers';

/**
 * Pairs operations up by method and path, in the order of the new ones; those that are gone come last. Of those that are left the first
 * with the same form are the same: templates that differ in the names of variables, or their spelling, alone.
 */
export const pairOperations = <Paired extends Operation>(
  olds: readonly Paired[],
  news: readonly Paired[],
  formOf = ({ path }: Paired): string => templateForm(path),
): readonly Pair<Paired>[] => {
  const pairs = new Map<Paired, Paired | undefined>(news.map((now) => [now, undefined]));
  const left = new Set(olds);
  for (const placeOf of [({ path }: Paired) => path, formOf]) {
    const keyOf = (operation: Paired): string => `${operation.method} ${placeOf(operation)}`;
    const byKey = groupBy([...left], keyOf);
    for (const [now, found] of pairs) {
      const old = found ?? byKey.get(keyOf(now))?.find((one) => left.has(one));
      if (old === undefined) continue;
      left.delete(old);
      pairs.set(now, old);
    }
  }
  return [
    ...[...pairs].map(([now, old]) => [old, now] as const),
    ...[...left].map((old) => [old, undefined] as const),
  ];
};

/** Tells parameters from each other: the variables of a path by their order, headers whatever their case. */
const parametersOf = ({ path, parameters }: Operation): ReadonlyMap<string, Parameter> => {
  const variables = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name);
  const keyOf = ({ in: place, name }: Parameter): string => {
    if (place === 'path') return `path ${variables.indexOf(name)}`;
    // It has no name in a request.
    if (place === 'querystring') return place;
    return `${place} ${place === 'header' ? name.toLowerCase() : name}`;
  };
  return new Map(parameters.map((parameter) => [keyOf(parameter), parameter]));
};

/** The rules of parameters; receivers of webhooks miss what is no longer sent. */
const parameterRules = (isOfWebhook = false): ParameterRules => ({
  optional: {
    added: 'parameter-added',
    removed: isOfWebhook ? 'sent-parameter-removed' : 'parameter-removed',
  },
  required: {
    added: 'required-parameter-added',
    removed: isOfWebhook ? 'sent-required-parameter-removed' : 'parameter-removed',
  },
  flags: [
    ['required', 'parameter-became-required', 'parameter-became-optional'],
    ['allowReserved', 'parameter-reserved-allowed', 'parameter-reserved-forbidden'],
    ['allowEmptyValue', 'parameter-empty-allowed', 'parameter-empty-forbidden'],
    ['deprecated', 'parameter-deprecated', 'parameter-reactivated'],
  ],
  style: 'parameter-style-changed',
  explode: 'parameter-explode-changed',
  mediaType: 'parameter-media-type-changed',
});

/** Compares what is sent and answered; of what cannot be read in one of the documents it is unknown whether it has changed. */
const compareExchange = (
  comparison: MessageComparison,
  old: Operation,
  now: Operation,
  documents: Documents,
): void => {
  const { whole, sent } = comparison;
  compareFlags(whole, old, now, ['deprecated', 'operation-deprecated', 'operation-reactivated']);
  compareSecurity(sent, old, now, documents);
  const isUnknown = old.brokenFields.length > 0 || now.brokenFields.length > 0;
  if (isUnknown && old.invalidReason !== now.invalidReason) {
    const spots = [spotOf(old, old.invalidReason), spotOf(now, now.invalidReason)] as const;
    whole.report('reference-broken', ...spots);
  }
  for (const [before, after] of entryPairs(parametersOf(old), parametersOf(now))) {
    const isKnown = (before && after) || !isBroken(after ? old : now, 'parameters');
    if (isKnown) compareParameter(sent, before, after, parameterRules(sent.isOfWebhook));
    const mediaType = after && mediaTypeOf(after);
    // The fields of a query string or parameter that is a form have encodings.
    if (before && after && mediaType !== undefined && mediaType === mediaTypeOf(before)) {
      compareEncodings(sent, before, after, mediaType);
    }
  }
  compareBodies(comparison, old, now);
  compareResponses(comparison, old, now);
};

/** Compares a request that the API sends, and what its receivers answer: the sides are exchanged. */
export const compareWebhook: typeof compareExchange = ({ whole, ...sides }, ...versions) => {
  const sent = { ...sides.received, isOfWebhook: true };
  const received = { ...sides.sent, isOfWebhook: true };
  compareExchange({ sent, received, whole }, ...versions);
};

/** An operation as a place, with the day of its sunset. */
export const operationSpot = (operation: Operation | undefined): Spot | undefined => {
  if (operation === undefined) return undefined;
  const until = operation.sunset ? `, until ${dayOf(operation.sunset)}` : '';
  return spotOf(operation, `${requestMethod(operation.method)} ${operation.path}${until}`);
};

/** Compares an operation of the old document with that of the new one. */
export const compareOperation: typeof compareExchange = (comparison, old, now, documents) => {
  const { whole } = comparison;
  if (old.hasId && !(now.hasId && old.operationId === now.operationId)) {
    const spot = fieldSpot(now, 'operationId', now.hasId ? now.operationId : undefined);
    whole.report('operation-id-changed', fieldSpot(old, 'operationId', old.operationId), spot);
  }
  if (old.servers.length > 0 || now.servers.length > 0) {
    const serversOf = ({ servers }: Operation, document: Documents['old']) =>
      servers.length > 0 ? servers : document.servers;
    compareServers(whole, serversOf(old, documents.old), serversOf(now, documents.new));
  }
  compareExchange(comparison, old, now, documents);
  // The operations of all callbacks, as if their names were the beginning of their paths.
  const callbacksOf = ({ callbacks }: Operation) =>
    callbacks.flatMap(({ name, operations }) =>
      operations.map((callback) => ({
        ...callback,
        name,
        key: callback.path,
        path: `${name} ${callback.path}`,
      })),
    );
  const pairs = pairOperations(callbacksOf(old), callbacksOf(now), ({ name }) => name);
  for (const [before, after] of pairs) {
    const spots = [operationSpot(before), operationSpot(after)] as const;
    const both = bothOf(comparison.received, ...spots, 'callback');
    if (!both || !before || !after) continue;
    if (before.key !== after.key) {
      const { report } = comparison.received;
      report('callback-key-changed', spotOf(before, before.key), spotOf(after, after.key));
    }
    compareWebhook(comparison, before, after, documents);
  }
};
