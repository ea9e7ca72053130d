/** The form of a command: the things that it is given, and the codes that it ends with. */

import { dirname, resolve } from 'node:path';
import { styleText } from 'node:util';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { UnplacedDiagnostic } from '../../document/diagnostics/diagnostic';
import { overlaysBeside } from '../../document/source/source-files';
import type { ApiDocument, unverifiedSchemes } from '../../engine';
import type { Credential } from '../../requests/credentials';

/** The things that a project adds to the commands. */
export interface Project {
  /** The kinds of security schemes that its server verifies; by default all that security handlers can. */
  readonly verified?: Parameters<typeof unverifiedSchemes>[1];
  /** Finds what its server would warn of beside. */
  readonly serverProblems?: (document: ApiDocument) => readonly UnplacedDiagnostic[];
  readonly documentsFolder?: string;
}

/** The output of a command, and its project. */
export interface ToolContext extends Project {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** True to show progress on `err`; false by default. */
  readonly isTerminal?: boolean;
  /** True where a person at a terminal is the input; false by default. */
  readonly isTyped?: boolean;
  /** True where `out` shows colours; false by default. */
  readonly hasColours?: boolean;
}

/** Tells the exit code that the command ends with. */
export type Finish = (exitCode: number) => void;

/** Makes a command. Its name, description and examples are those of its entry. */
export type MakeCommand = (context: ToolContext, finish: Finish) => Command;

/** The exit codes: nothing found, something found, used wrongly or unreadable. */
export const exitCodes = { clean: 0, faulty: 1, unusable: 2 } as const;

type Style = 'red' | 'green' | 'yellow' | 'cyan' | 'bold' | 'dim';

/** Returns a function that colours a text, or leaves it as it is where colours are not shown. */
export const textPainter =
  ({ hasColours = false }: Pick<ToolContext, 'hasColours'>) =>
  (style: Style, text: string): string =>
    // Whether the stream shows them has been asked before.
    hasColours ? styleText(style, text, { validateStream: false }) : text;

/** Makes the option for the format of a report; the first format is the default. */
export const formatOption = (formats: readonly string[]): Option =>
  new Option('--format <format>', 'the format of the report').choices(formats).default(formats[0]);

/** Colours the severities in a report that is a text; one of another format stays as it is. */
export const paintReport = (
  context: Pick<ToolContext, 'hasColours'>,
  format: string,
  report: string,
): string => {
  if (format !== 'text') return report;
  const paint = textPainter(context);
  const colours: Readonly<Record<string, Style>> = {
    error: 'red',
    breaking: 'red',
    FAILED: 'red',
    warning: 'yellow',
    compatible: 'green',
  };
  const severity = /(?<=^.*?:\d+:\d+ )(?:error|breaking|warning|compatible)\b|^FAILED\b/gm;
  return report.replaceAll(severity, (word) => paint(colours[word] ?? 'bold', word));
};

/** A file of the project, and its state: `written`, `stale`, `up to date`. */
export interface FileState {
  readonly file: string;
  readonly state: string;
}

/** Writes the report on files, as lines or as JSON with more members. */
export const fileReport = (format: string, files: readonly FileState[], more: object = {}) =>
  format === 'json'
    ? `${JSON.stringify({ files, ...more }, undefined, 2)}\n`
    : files.map(({ file, state }) => `${file}: ${state}\n`).join('');

const repeatable =
  <Value>(parse: (text: string) => Value) =>
  (text: string, all: readonly Value[] = []) => [...all, parse(text)];

/** Makes an option that may stand several times: a list, which is empty without it. */
export const listOption = <Value>(
  flags: string,
  description: string,
  parse: (text: string) => Value,
): Option => new Option(flags, description).argParser(repeatable(parse)).default([]);

/** The overlays of a document. */
export interface OverlayOptions {
  readonly overlay?: readonly string[];
}

/** Makes the option that names overlays. */
export const overlayOption = (): Option =>
  new Option('--overlay <file>', 'apply this overlay to the document; in order, if several')
    // Without a default, so that the help shows none.
    .argParser(repeatable(String));

/** The options about the other files of a document. */
export interface ReferenceOptions extends OverlayOptions {
  readonly allowRemote?: boolean;
  readonly references?: string;
}

/** Adds the options about the other files of a document. */
export const withReferences = (command: Command): Command =>
  command
    .addOption(overlayOption())
    .option('--allow-remote', 'follow references to other servers')
    .option('--references <folder>', 'follow references to local files below this folder');

/** Lists the overlays of a document: those that lie beside one of the project's, and those that options name. */
export const overlaysOf = (
  file: string,
  { overlay = [] }: OverlayOptions,
  { documentsFolder: folder }: Project,
  path = file,
): readonly string[] => {
  const isOurs = folder !== undefined && resolve(folder) === resolve(dirname(file));
  return [...(isOurs ? overlaysBeside(path) : []), ...overlay];
};

/** Gives the settings by which a document is loaded. */
export const loadSettings = ({
  allowRemote = false,
  references,
  overlay = [],
}: ReferenceOptions) => ({ allowRemote, referencesFolder: references, overlays: overlay });

/** Reads `SCHEME=VALUE`, or `SCHEME[scope,scope]=VALUE` for a credential that has these scopes alone. */
export const credentialOption = (text: string): Credential => {
  const [, scheme, scopes, value] = /^([^=[\]]+)(?:\[([^\]]*)\])?=(.+)$/s.exec(text) ?? [];
  if (scheme === undefined || value === undefined) {
    throw new InvalidArgumentError('It must be SCHEME=VALUE or SCHEME[SCOPE,SCOPE]=VALUE.');
  }
  return { scheme, scopes: scopes?.split(/[\s,]+/).filter((scope) => scope !== ''), value };
};
