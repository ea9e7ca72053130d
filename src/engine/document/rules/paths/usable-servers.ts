/** Server URLs can be made of their templates (OAS 3.0.3, Server Object); the first one's path is where all is served. */

import { pointerTo } from '../../../lang/text-place';
import { isFields } from '../../../schema/validation/checks/schema-fields';
import type { UnplacedDiagnostic } from '../../diagnostics/diagnostic';
import { serverPath } from '../../model/server-path';
import { errorOf, type Rule, warningOf } from '../rule';

const error = errorOf('server');
const ignored = warningOf('ignored-servers');

const urlFindings = (server: object, pointer: string): UnplacedDiagnostic[] => {
  const { url, variables }: { url?: unknown; variables?: unknown } = server;
  if (typeof url !== 'string') return [];
  const declared = isFields(variables) ? variables : {};
  const names = [...url.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1] ?? '');
  const at = `${pointer}/url`;
  const undeclared = names
    .filter((name) => !Object.hasOwn(declared, name))
    .map((name) =>
      error(
        at,
        `The URL names {${name}}, which stands for nothing. Declare it under \`variables\`.`,
      ),
    );
  const isUrl = serverPath({ url, variables: {} }) !== undefined;
  return isUrl ? undeclared : [...undeclared, error(at, `${url} is no URL. Correct it.`)];
};

const variableFindings = (variable: object, pointer: string): UnplacedDiagnostic[] => {
  const { enum: values, default: value }: { enum?: unknown; default?: unknown } = variable;
  if (!Array.isArray(values) || value === undefined || values.includes(value)) return [];
  const message = `The default ${String(value)} is not among the values of \`enum\`. Add it there, or choose one of them.`;
  return [error(pointerTo(pointer, 'default'), message)];
};

export const usableServers: Rule = ({ objects }) =>
  objects.flatMap(({ value, pointer, name }): UnplacedDiagnostic[] => {
    if (name === 'Server') return urlFindings(value, pointer);
    if (name === 'ServerVariable') return variableFindings(value, pointer);
    if ((name !== 'PathItem' && name !== 'Operation') || !Object.hasOwn(value, 'servers'))
      return [];
    const message =
      'Everything is served below the first server of the document, and these `servers` are ignored. Remove them.';
    return [ignored(`${pointer}/servers`, message, true)];
  });
