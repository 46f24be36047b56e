import { basename } from 'node:path';
import type { Command } from 'commander';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** Each asks the command itself what could come next, so that it never knows less than `--help`. */
const SCRIPTS: Record<Shell, (name: string) => string> = {
  bash: (name) => `_${name.replaceAll('-', '_')}() {
  local IFS=$'\\n'
  COMPREPLY=($(${name} complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _${name.replaceAll('-', '_')} ${name}`,
  zsh: (name) => `#compdef ${name}
_${name.replaceAll('-', '_')}() {
  local -a found
  found=("\${(@f)$(${name} complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -a found || _files
}
compdef _${name.replaceAll('-', '_')} ${name}`,
  fish: (name) =>
    `complete -c ${name} -a '(${name} complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'`,
};

export const completionScript = (shell: Shell, name: string) => SCRIPTS[shell](basename(name));

/** @param words what was typed after the program, the last of them not yet whole. @returns what the last may become. */
export function completionsOf(program: Command, words: string[]): string[] {
  const last = words.at(-1) ?? '';
  let command = program;
  for (const word of words.slice(0, -1)) {
    command = command.commands.find((each) => each.name() === word) ?? command;
  }
  const option = command.options.find(({ long }) => long === words.at(-2));
  const names = option === undefined || option.isBoolean() ? namesOf(command, last) : (option.argChoices ?? []);
  return names.filter((name) => name.startsWith(last));
}

function namesOf(command: Command, last: string): string[] {
  if (last.startsWith('-')) return ['--help', ...command.options.flatMap(({ long }) => long ?? [])];
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  return [...command.commands.map((each) => each.name()).filter((name) => name !== 'complete'), ...choices];
}
