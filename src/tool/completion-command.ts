/** `completion SHELL` prints the script by which a shell completes commands, options, their choices and files. */

import { Argument, Command } from 'commander';
import { exitCodes, type MakeCommand } from './command/command';

/** The words that may follow: after a command that takes one of a few, and after an option that does. */
type Words = readonly (readonly [after: string, words: readonly string[]])[];

const choicesOf = (command: Command): Words => {
  const name = command.name();
  const { options, registeredArguments } = command;
  return [
    ...registeredArguments.map(({ argChoices = [] }) => [`${name} ${name}`, argChoices] as const),
    ...options.map(({ long, argChoices = [] }) => [`${name} ${long}`, argChoices] as const),
  ].filter(([, words]) => words.length > 0);
};

const optionsOf = (command: Command): readonly string[] => [
  ...command.options.flatMap(({ long, hidden }) => (hidden ? [] : (long ?? []))),
  '--help',
];

const caseOf = ([after, words]: Words[number]): string =>
  `    '${after}') next='${words.join(' ')}' ;;`;

/** Prints a function of the shell: the words by the command and the word before, and files where there are none. */
const bash = (program: Command): string => {
  const { commands } = program;
  const complete = `_${program.name().replaceAll(/\W/g, '_')}`;
  const names = commands.map((command) => command.name());
  const options = commands.map((command) => [command.name(), optionsOf(command)] as const);
  return `${complete}() {
  local next='' current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" name="\${COMP_WORDS[1]}"
  if [ "$COMP_CWORD" = 1 ]; then
    next='${[...names, ...optionsOf(program)].join(' ')}'
  else
    case "$name $before" in
${commands.flatMap(choicesOf).map(caseOf).join('\n')}
    esac
  fi
  if [ -z "$next" ]; then
    case "$current" in -*) case "$name" in
${options.map(caseOf).join('\n')}
    esac ;; esac
  fi
  COMPREPLY=($(compgen -W "$next" -- "$current"))
}
complete -o default -F ${complete} ${program.name()}
`;
};

const shells: Readonly<Record<string, (program: Command) => string>> = {
  bash,
  // The same: zsh brings the builtins of bash.
  zsh: (program) =>
    `autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n${bash(program)}`,
};

/** Makes the command; the other commands of its program must be loaded. */
export const completionCommand: MakeCommand = ({ out }, finish) =>
  new Command()
    .addArgument(new Argument('<shell>').choices(Object.keys(shells)))
    .action((shell: string, _options: object, { parent }: Command) => {
      if (parent !== null) out(shells[shell]?.(parent) ?? '');
      finish(exitCodes.clean);
    });
