import type { Detector } from '../catalogue-entry.ts';
import { VARIABLE_UNFILLED } from '../entries/platform.ts';
import { PROMPT } from '../places.ts';

const VARIABLE = /\{\{\s?([\w.-]{1,80})\s?\}\}/g;
const PROMPT_READ = 60_000;
/** Filled by the platforms themselves. */
const OF_PLATFORM =
  /^(?:current_|system__|call_|session_|user_number$|agent_number$|direction$|now$|date$|time$|customer\.number|transport)/i;

/** A variable of the prompt had no value when the call began. */
export const variableUnfilled: Detector = {
  entry: VARIABLE_UNFILLED,
  detect(reading, input) {
    const { configuration } = input;
    if (configuration === null)
      return { reason: 'The configuration of the version that this call ran on was not captured.' };
    const { variables } = reading.call;
    if (variables === null) return { reason: 'The platform does not say with which variables the call began.' };
    const text = `${configuration.prompt ?? ''}\n${configuration.firstMessage ?? ''}`.slice(0, PROMPT_READ);
    const names = new Set([...text.matchAll(VARIABLE)].map((match) => match[1] ?? '').filter((name) => name !== ''));
    const first = reading.agent[0];
    return [...names]
      .filter((name) => !OF_PLATFORM.test(name) && isEmpty(variables[name]) && isEmpty(configuration.variables[name]))
      .map((name) => ({
        turnIndex: first?.index ?? reading.lastIndex,
        quote: '',
        detail: `The variable "${name}" of the prompt had no value when the call began.`,
        place: { ...PROMPT, id: `variable:${name}`, label: `the variable "${name}" of the prompt` },
        confidence: 1,
      }));
  },
};

function isEmpty(value: string | null | undefined): boolean {
  return value === undefined || value === null || value.trim() === '';
}
