/** Server URLs can be made of their templates (OAS 3.0.3, Server Object); the first one's path is where all is served. */

import { isPlainObject, type PlainObject } from '../../../../base/plain-object';
import type { UnplacedDiagnostic } from '../../diagnostics/diagnostic';
import { serverPath } from '../../model/server-path';
import type { DocumentObject } from '../../structure/positions';
import { errorOf, ruleOf, warningOf } from '../rule';

const error = errorOf('server');
const warning = warningOf('server');

type Check = (object: DocumentObject) => UnplacedDiagnostic[];

/** A variable without a usable default is told of by itself: `1` stands for it, which fits hosts, ports and paths alike. */
const withDefaults = (url: string, variables: PlainObject): string =>
  url.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
    const value = isPlainObject(variable) ? variable['default'] : undefined;
    return typeof value === 'string' ? value : '1';
  });

const checkUrl: Check = ({ value: { url, variables }, pointer }) => {
  if (typeof url !== 'string') return [];
  const declared = isPlainObject(variables) ? variables : {};
  const undeclared = [...url.matchAll(/\{([^{}]+)\}/g)]
    .map(([, name = '']) => name)
    .filter((name) => !Object.hasOwn(declared, name))
    .map(
      (name) =>
        `The URL names {${name}}, which stands for nothing. Declare it under \`variables\`.`,
    );
  const filled = withDefaults(url, declared);
  const isUrl = serverPath({ url: filled }) !== undefined;
  const messages = isUrl ? undeclared : [...undeclared, `${filled} is no URL. Correct it.`];
  return messages.map((message) => error(`${pointer}/url`, message));
};

/** Both are no more than a SHOULD (OAS 3.0.4, Server Variable Object). */
const checkVariable: Check = ({ value: { enum: values, default: value }, pointer }) => {
  if (!Array.isArray(values)) return [];
  if (values.length === 0) {
    const message =
      'The `enum` lists no value. List the values that the variable may have, or remove `enum`.';
    return [warning(`${pointer}/enum`, message)];
  }
  if (typeof value !== 'string' || values.includes(value)) return [];
  const message = `The default ${JSON.stringify(value)} is not among the values of \`enum\`. Add it there, or choose one of them.`;
  return [warning(`${pointer}/default`, message)];
};

const refuseServers: Check = ({ value, pointer }) => {
  if (!Object.hasOwn(value, 'servers')) return [];
  const message =
    'Everything is served below the first server of the document, and these `servers` are ignored. Remove them.';
  return [warningOf('ignored-servers')(`${pointer}/servers`, message, true)];
};

export const usableServers = ruleOf({
  Server: checkUrl,
  ServerVariable: checkVariable,
  PathItem: refuseServers,
  Operation: refuseServers,
});
