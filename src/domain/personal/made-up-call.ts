import type { NormalisedCall, Turn } from '../calls/call.ts';
import { isJsonObject, type Json } from '../json.ts';
import type { CallForTest } from '../tests/call-for-test.ts';
import type { AgentConfiguration } from '../versions/configuration.ts';
import { collectPersonal } from './collect.ts';
import { openReplacer, type SaidWhere } from './replace.ts';

/**
 * The call with made-up persons, numbers, addresses and birthdays in the places of the real ones: the same one has the
 * same stand-in in every word that was said, in what tools were asked and answered, and in what the analysis says of it.
 * What the agent's own configuration holds stays. Which stand-in is taken follows from the order in which values come and
 * not from the values, so that nothing leads back to them.
 */
export function withMadeUpPeople(given: CallForTest): CallForTest {
  const standIn = standInsOf(given);
  const { analysis, signals } = given;
  return {
    ...given,
    call: standIn.call(given.call),
    analysis: {
      ...analysis,
      objective: standIn.text(analysis.objective),
      requests: analysis.requests.map((request) => ({ ...request, text: standIn.text(request.text) })),
      claims: analysis.claims.map((claim) => ({ ...claim, text: standIn.text(claim.text) })),
    },
    signals: signals.map((signal) => ({
      ...signal,
      detail: standIn.text(signal.detail),
      quote: standIn.text(signal.quote),
    })),
  };
}

function standInsOf({ call, configuration }: Pick<CallForTest, 'call' | 'configuration'>) {
  const known = collectPersonal(call, textsOf(configuration));
  const replaced = openReplacer(known);
  const text = (given: string, of?: SaidWhere) => (given === '' ? given : replaced.text(given, of));
  const json = (value: Json): Json => {
    if (typeof value === 'string') return text(value);
    if (typeof value === 'number') return replaced.number(value);
    if (Array.isArray(value)) return value.map(json);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [/@|\d{6}/.test(key) ? text(key) : key, json(part)]),
    );
  };
  const turn = (given: Turn, at: number): Turn => ({
    ...given,
    text: text(given.text, { isSaid: true, pieces: known.pieces.get(at) }),
    words: null,
    alternatives: null,
    toolCall: given.toolCall && { ...given.toolCall, args: json(given.toolCall.args) },
    toolResult: given.toolResult && { ...given.toolResult, body: json(given.toolResult.body) },
  });
  return {
    text: (given: string) => text(given, { isSaid: true }),
    call: (given: NormalisedCall): NormalisedCall => ({
      ...given,
      callerNumber: null,
      turns: given.turns.map(turn),
      variables: given.variables && (json(given.variables) as Record<string, string>),
      platformAnalysis: null,
    }),
  };
}

/** What the agent is told by its owner is no data of a caller. */
function textsOf(configuration: AgentConfiguration | null): string[] {
  if (configuration === null) return [];
  const { name, prompt, firstMessage, tools, nodes } = configuration;
  return [
    name,
    prompt ?? '',
    firstMessage ?? '',
    ...tools.flatMap(({ description, parameters }) => [description, JSON.stringify(parameters)]),
    ...nodes.flatMap(({ label, text, edges }) => [label, text ?? '', ...edges.map(({ condition }) => condition ?? '')]),
  ];
}
