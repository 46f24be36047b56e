import { basename } from 'node:path';
import type { Command } from 'commander';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** Each asks the command itself what could come next, so that it never knows less than `--help`. */
const SCRIPTS: Record<Shell, (name: string, own: string) => string> = {
  bash: (name, own) => `${own}() {
  local IFS=$'\\n'
  COMPREPLY=($(${name} complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F ${own} ${name}`,
  // As a file of fpath it is itself the function the first time; read by eval it only defines it.
  zsh: (name, own) => `#compdef ${name}
${own}() {
  local -a found
  found=("\${(@f)$(${name} complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -a found || _files
}
if [ "$funcstack[1]" = "${own}" ]; then
  ${own} "$@"
else
  compdef ${own} ${name}
fi`,
  fish: (name) =>
    `complete -c ${name} -a '(${name} complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'`,
};

/** @param program as it was called. */
export function completionScript(shell: Shell, program: string): string {
  const name = basename(program);
  return SCRIPTS[shell](name, `_${name.replaceAll('-', '_')}`);
}

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
