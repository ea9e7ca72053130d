/** The log for people: one coloured line a request, in place of JSON. */

import { type Logger, pino } from 'pino';
import { printable } from '../../src/engine';
import { openLog } from '../../src/server/observability/log';

type Level = Parameters<typeof openLog>[0];

/** A line of the log, as far as it is shown. */
interface LogLine {
  readonly level: number;
  readonly msg?: string;
  readonly method?: string;
  readonly path?: string;
  readonly operation?: string;
  readonly status?: number;
  readonly milliseconds?: number;
  readonly mock?: boolean;
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

/** A line of JSON as a line for people; an error brings its stack. */
export const readableLine = (json: string, paint: Paint): string => {
  const line: LogLine = JSON.parse(json);
  const { level, msg = '', method = '', path = '', operation, status, err } = line;
  if (status === undefined) {
    const stack = err === undefined ? '' : `\n${err.stack ?? err.message}`;
    return paint(levelColour(level), `${msg}${stack}`);
  }
  const time = paint('grey', `${line.milliseconds?.toFixed(1)} ms`);
  const what = [operation, line.mock && '(mock)'].filter(Boolean).join(' ');
  return `${method.padEnd(6)} ${path} ${paint('cyan', printable(what) || '-')} ${paint(statusColour(status), String(status))} ${time}`;
};

/** Opens the log: for people where a terminal shows it, as JSON where a program reads it. */
export const openDevelopmentLog = (level: Level, output: NodeJS.WriteStream): Logger => {
  if (!output.isTTY) return openLog(level);
  const paint = painter(output.hasColors());
  return pino({ level }, { write: (json) => output.write(`${readableLine(json, paint)}\n`) });
};
