/** A line of the log for people: one coloured line a request, with the reason of a failure, in place of JSON. */

import { printable } from '../../base/text/printable';

/** A line of the log, as far as it is shown in a way of its own. */
interface LogLine {
  readonly level: number;
  readonly msg?: string;
  readonly method?: string;
  readonly path?: string;
  readonly operation?: string;
  readonly status?: number;
  readonly milliseconds?: number;
  readonly mock?: boolean;
  readonly reason?: string;
  readonly err?: { readonly stack?: string; readonly message?: string };
}

/** Escape sequences of ECMA-48 (SGR). */
const colours = { red: 31, green: 32, yellow: 33, cyan: 36, grey: 90 } as const;

/** Writes a text in a colour, or as it is. */
export type Paint = (colour: keyof typeof colours, text: string) => string;

/** @param isColoured - whether there are colours */
export const painter =
  (isColoured: boolean): Paint =>
  (colour, text) =>
    isColoured ? `\u001B[${colours[colour]}m${text}\u001B[0m` : text;

const statusColour = (status: number): keyof typeof colours => {
  if (status >= 500) return 'red';
  if (status >= 400) return 'yellow';
  return status >= 300 ? 'cyan' : 'green';
};

const levelColour = (level: number): keyof typeof colours => {
  if (level >= 50) return 'red';
  return level >= 40 ? 'yellow' : 'grey';
};

/** Fields that a terminal does not need, or that are shown in a way of their own. */
const hidden = new Set(['level', 'time', 'pid', 'hostname', 'service', 'requestId', 'msg', 'err']);

/** Writes the fields of a line as `name=value`. */
const fieldsOf = (line: object): string =>
  Object.entries(line)
    .filter(([name]) => !hidden.has(name))
    .map(([name, value]) => ` ${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('');

/** Writes a line of JSON as a line for people; an error brings its stack. */
export const readableLine = (json: string, paint: Paint): string => {
  const line: LogLine = JSON.parse(json);
  const { level, msg = '', method, path = '', operation, status = 0, reason, err } = line;
  if (method === undefined) {
    const stack = err === undefined ? '' : `\n${err.stack ?? err.message}`;
    return paint(levelColour(level), `${printable(msg + fieldsOf(line))}${stack}`);
  }
  const time = paint('grey', `${line.milliseconds?.toFixed(1)} ms`);
  const what = [operation, line.mock && '(mock)'].filter(Boolean).join(' ');
  const why = reason === undefined ? '' : ` ${printable(reason)}`;
  return `${method.padEnd(6)} ${path} ${paint('cyan', printable(what) || '-')} ${paint(statusColour(status), String(status))} ${time}${why}`;
};
