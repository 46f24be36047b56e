import { isJsonObject, type Json } from '../../json.ts';
import type { Detector } from '../catalogue-entry.ts';
import { entry } from '../entry.ts';
import { checkArguments } from '../json-schema.ts';
import { toolPlace } from '../places.ts';
import { quoteResult, quoteTurn } from '../quotes.ts';

/** The agent called a tool with arguments that its own description does not allow. */
export const toolArgsInvalid: Detector = {
  entry: entry({
    code: 'tool_args_invalid',
    title: 'Tool called with wrong arguments',
    klass: 'technical',
    lane: 'integrations',
    severity: 'high',
    needs: ['tool_results', 'tool_schemas'],
    fact: true,
    isNot: 'Numbers passed as text, or arguments that the schema does not mention.',
    causes: [
      {
        code: 'required_argument_missing',
        label: 'The agent calls before it has what the tool needs',
        category: 'invalid_invocation',
        party: 'agent',
        outside: false,
        recommendation: 'Let the agent ask for every required argument of {place} before it calls.',
        evidence: (facts) => namesOf(facts['missing'], 'Missing'),
      },
      {
        code: 'argument_form',
        label: 'The description of the tool does not say the form of its arguments',
        category: 'invalid_invocation',
        party: 'agent',
        outside: false,
        recommendation: 'Say in the description of {place} which type and which values each argument takes.',
        evidence: (facts) =>
          namesOf(facts['wrongType'], 'Wrong type') ?? namesOf(facts['notAllowed'], 'Not among the allowed values'),
      },
    ],
    check: 'Compare the arguments of these calls with the schema of {place}.',
  }),
  detect(reading) {
    const judged = reading.tools.filter((use) => use.callTurn !== null && isJsonObject(use.definition?.parameters));
    if (judged.length === 0) return { reason: 'The schema of no tool that was called on this call is known.' };
    return judged.flatMap((use) => {
      const faults = checkArguments(use.definition?.parameters ?? null, use.args);
      // A tool that took an empty text and did its work needed no more.
      if (use.ok === true && !use.refusal)
        faults.missing = faults.missing.filter((name) => !isEmptyText(use.args, name));
      const names = [...faults.missing, ...faults.wrongType, ...faults.notAllowed];
      if (names.length === 0) return [];
      const spoken = reading.spokenAt.get(use.callTurn ?? -1);
      return [
        {
          turnIndex: use.resultTurn ?? use.callTurn ?? 0,
          quote: use.resultTurn !== null ? quoteResult(use) : spoken === undefined ? '' : quoteTurn(spoken),
          detail: `"${use.name}" was called with wrong or missing arguments: ${names.slice(0, 8).join(', ')}.`,
          place: toolPlace(use),
          confidence: 1,
          facts: { ...faults },
        },
      ];
    });
  },
};

function isEmptyText(args: Json, name: string): boolean {
  const value = isJsonObject(args) ? args[name] : undefined;
  return typeof value === 'string' && value.trim() === '';
}

function namesOf(value: unknown, what: string): string | null {
  return Array.isArray(value) && value.length > 0 ? `${what}: ${value.slice(0, 8).join(', ')}.` : null;
}
