/** Compares the operations of two documents: which are the same, their addresses, and what goes in and out of each. */

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
  inverse,
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
  const exactKey = ({ method, path }: Operation): string => `${method} ${path}`;
  const anonymousKey = (operation: Paired): string => `${operation.method} ${formOf(operation)}`;
  const exact = new Map(olds.map((old) => [exactKey(old), old]));
  const pairs = new Map(news.map((now) => [now, exact.get(exactKey(now))]));
  const left = new Set(olds);
  for (const old of pairs.values()) if (old !== undefined) left.delete(old);
  for (const [now, found] of pairs) {
    if (found !== undefined) continue;
    const old = [...left].find((operation) => anonymousKey(operation) === anonymousKey(now));
    if (old === undefined) continue;
    left.delete(old);
    pairs.set(now, old);
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

const parameterRules: ParameterRules = {
  optional: 'parameter',
  required: { added: 'required-parameter-added', removed: 'parameter-removed' },
  flags: [
    ['required', 'parameter-became-required', 'parameter-became-optional'],
    ['allowReserved', 'parameter-reserved-allowed', 'parameter-reserved-forbidden'],
    ['allowEmptyValue', 'parameter-empty-allowed', 'parameter-empty-forbidden'],
    ['deprecated', 'parameter-deprecated', 'parameter-reactivated'],
  ],
  style: 'parameter-style-changed',
  explode: 'parameter-explode-changed',
  mediaType: 'parameter-media-type-changed',
};

/** Receivers of webhooks miss what is no longer sent. */
const sentParameterRules: ParameterRules = {
  ...parameterRules,
  optional: { added: 'parameter-added', removed: 'sent-parameter-removed' },
  required: { added: 'required-parameter-added', removed: 'sent-required-parameter-removed' },
};

const compareParameters = (
  { sent }: MessageComparison,
  oldOperation: Operation,
  newOperation: Operation,
): void => {
  for (const [old, now] of entryPairs(parametersOf(oldOperation), parametersOf(newOperation))) {
    const isKnown = (old && now) || !isBroken(now ? oldOperation : newOperation, 'parameters');
    const rules = sent.isOfWebhook ? sentParameterRules : parameterRules;
    if (isKnown) compareParameter(sent, old, now, rules);
    const mediaType = now && mediaTypeOf(now);
    // The fields of a query string or parameter that is a form have encodings.
    if (old && now && mediaType !== undefined && mediaType === mediaTypeOf(old)) {
      compareEncodings(sent, old, now, mediaType);
    }
  }
};

/** Compares parameters, bodies and responses; of what cannot be read in one of the documents it is unknown whether it has changed. */
const compareMessages = (comparison: MessageComparison, old: Operation, now: Operation): void => {
  const isUnknown = old.brokenFields.length > 0 || now.brokenFields.length > 0;
  if (isUnknown && old.invalidReason !== now.invalidReason) {
    const spots = [spotOf(old, old.invalidReason), spotOf(now, now.invalidReason)] as const;
    comparison.whole.report('reference-broken', ...spots);
  }
  compareParameters(comparison, old, now);
  compareBodies(comparison, old, now);
  compareResponses(comparison, old, now);
};

/** Compares a request that the API sends, and what its receivers answer. */
export const compareWebhook = (
  comparison: MessageComparison,
  old: Operation,
  now: Operation,
  documents: Documents,
): void => {
  const swapped = inverse(comparison);
  compareFlags(swapped.whole, old, now, deprecation);
  compareSecurity(swapped.sent, old, now, documents);
  compareMessages(swapped, old, now);
};

const deprecation = ['deprecated', 'operation-deprecated', 'operation-reactivated'] as const;

/** An operation as a place, with the day of its sunset. */
export const operationSpot = (operation: Operation | undefined): Spot | undefined => {
  if (operation === undefined) return undefined;
  const until = operation.sunset ? `, until ${dayOf(operation.sunset)}` : '';
  return spotOf(operation, `${requestMethod(operation.method)} ${operation.path}${until}`);
};

/** Compares an operation of the old document with that of the new one. */
export const compareOperation = (
  comparison: MessageComparison,
  old: Operation,
  now: Operation,
  documents: Documents,
): void => {
  const { whole } = comparison;
  if (old.hasId && !(now.hasId && old.operationId === now.operationId)) {
    const spot = fieldSpot(now, 'operationId', now.hasId ? now.operationId : undefined);
    whole.report('operation-id-changed', fieldSpot(old, 'operationId', old.operationId), spot);
  }
  compareFlags(whole, old, now, deprecation);
  if (old.servers.length > 0 || now.servers.length > 0) {
    const serversOf = ({ servers }: Operation, document: Documents['old']) =>
      servers.length > 0 ? servers : document.servers;
    compareServers(whole, serversOf(old, documents.old), serversOf(now, documents.new));
  }
  compareSecurity(comparison.sent, old, now, documents);
  compareMessages(comparison, old, now);
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
