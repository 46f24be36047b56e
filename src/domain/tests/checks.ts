import type { Turn } from '../calls/call.ts';
import { storedText } from '../calls/quotes.ts';
import type { ToolUse } from '../calls/tool-uses.ts';
import type { CriterionAnswer, Findings, PlayedCall } from '../runs/attempt.ts';
import { CATALOGUE } from '../signals/catalogue.ts';
import { cutText } from '../text.ts';
import type { AgentConfiguration } from '../versions/configuration.ts';
import { readEvents, toolUsesOf } from './call-events.ts';
import { findPhrase, hasWords } from './find-phrase.ts';
import { isTool, stepsNamed, toolNames } from './named-parts.ts';
import { type Difference, differenceOf } from './same-argument.ts';
import type { Check } from './spec.ts';
import { canFind } from './weigh-signals.ts';

const SHOWN_AT_MOST = 120;

/**
 * What code says about one criterion of a simulated call. `met` is null where the call can't decide it, with why. The
 * quote is an exact part of the turn: of what was said, of the tool's name or arguments where the turn called one.
 * @param findings of our own detectors on the call; without them `no_finding` can't be decided.
 */
export function decide(
  check: Check,
  played: PlayedCall,
  configuration: AgentConfiguration | null,
  findings: Findings | null = null,
): CriterionAnswer {
  switch (check.kind) {
    case 'tool_called':
      return toolCalled(usesOf(check.tool, played, configuration), check.tool, check.times ?? null);
    case 'tool_not_called':
      return toolNotCalled(usesOf(check.tool, played, configuration), check.tool);
    case 'tool_called_with':
      return toolCalledWith(usesOf(check.tool, played, configuration), check);
    case 'said':
    case 'not_said':
      return said(check, played);
    case 'ended_by':
      return endedBy(check.by, played);
    case 'reached':
      return inOrder([check.step], played, configuration);
    case 'order':
      return inOrder(check.steps, played, configuration);
    case 'turns_at_most':
      return turnsAtMost(check.turns, played);
    case 'no_finding':
      return noFinding(check.code, played, findings);
    default:
      return check satisfies never;
  }
}

function usesOf(tool: string, played: PlayedCall, configuration: AgentConfiguration | null): ToolUse[] {
  const names = toolNames(tool, configuration);
  return toolUsesOf(played, configuration).filter(({ name }) => names.has(name));
}

/** `times`: exactly so often; without it, at least once. */
function toolCalled(uses: readonly ToolUse[], tool: string, times: number | null): CriterionAnswer {
  const because = `${calledWords(tool, uses.length)}${times === null ? '' : `, wanted was ${often(times)}`}.`;
  const met = times === null ? uses.length > 0 : uses.length === times;
  const telling = met || times === null ? uses[0] : (uses[times] ?? uses.at(-1));
  return { met, ...nameOf(telling), because };
}

function toolNotCalled(uses: readonly ToolUse[], tool: string): CriterionAnswer {
  return { met: uses.length === 0, ...nameOf(uses[0]), because: `${calledWords(tool, uses.length)}.` };
}

function toolCalledWith(
  uses: readonly ToolUse[],
  check: Extract<Check, { kind: 'tool_called_with' }>,
): CriterionAnswer {
  const { tool, args } = check;
  if (uses.length === 0) return { met: false, turn: null, quote: null, because: `${calledWords(tool, 0)}.` };
  const tried = uses.map((use) => ({
    use,
    difference: use.callTurn === null ? UNRECORDED : differenceOf(args, use.args),
  }));
  const match = tried.find(({ difference }) => difference === null);
  if (match) {
    return { met: true, ...argumentsOf(match.use), because: `The agent called ${tool} with what was wanted.` };
  }
  const unclear = tried.find(({ difference }) => difference?.sameness === 'unclear');
  const shown = unclear ?? tried.at(-1);
  const why = shown?.difference ? differenceInWords(shown.difference) : '';
  const how = unclear ? 'and it can’t be told whether that is what was wanted' : 'never with what was wanted';
  return {
    met: unclear ? null : false,
    ...argumentsOf(shown?.use),
    because: `${calledWords(tool, uses.length)}, ${how}: ${why}.`,
  };
}

/** A platform that gives a result without the call behind it says nothing of its arguments. */
const UNRECORDED: Difference = { sameness: 'unclear', path: '', wanted: null, given: undefined };

function differenceInWords(difference: Difference): string {
  if (difference === UNRECORDED) return 'its arguments are not recorded';
  const { path, wanted, given } = difference;
  const name = path === '' ? 'the arguments' : `"${path}"`;
  const shown = given === undefined ? 'missing' : cutText(storedText(given), SHOWN_AT_MOST);
  return `${name} was ${shown}, wanted was ${cutText(storedText(wanted), SHOWN_AT_MOST)}`;
}

function said(check: Extract<Check, { kind: 'said' | 'not_said' }>, played: PlayedCall): CriterionAnswer {
  const by = check.by ?? 'agent';
  if (!hasWords(check.text)) {
    return { met: null, turn: null, quote: null, because: 'The check names no word that could be said.' };
  }
  const phrase = `“${cutText(check.text, SHOWN_AT_MOST)}”`;
  for (const turn of played.turns) {
    const quote = turn.role === by ? findPhrase(turn.text, check.text) : null;
    if (quote !== null) {
      return { met: check.kind === 'said', turn: turn.index, quote, because: `The ${by} said ${phrase}.` };
    }
  }
  if (check.kind === 'not_said' && check.after === 'tool_result' && !played.turns.some(isToolAnswer(played))) {
    const because = `The ${by} never said ${phrase}, and no tool answered that could have brought it there.`;
    return { met: null, turn: null, quote: null, because };
  }
  return { met: check.kind === 'not_said', turn: null, quote: null, because: `The ${by} never said ${phrase}.` };
}

/** One that the test stands in for: the fixed not-available error brings nothing along. */
const isToolAnswer =
  ({ noFixture }: PlayedCall) =>
  ({ toolResult }: Turn) =>
    toolResult !== null && !(toolResult.name !== null && noFixture.includes(toolResult.name));

const ENDED = {
  agent: 'The agent ended the call',
  caller: 'The caller ended the call',
  transfer: 'The agent handed the call over',
  limit: 'The call reached its last turn and nobody ended it',
} as const;

function endedBy(by: 'agent' | 'caller' | 'transfer', played: PlayedCall): CriterionAnswer {
  if (played.endedBy === null) {
    return { met: null, turn: null, quote: null, because: 'The call broke off before anybody ended it.' };
  }
  const met = played.endedBy === by;
  return { met, ...wordsOfTurn(played.turns.at(-1)), because: `${ENDED[played.endedBy]}.` };
}

/** Each after the one before it, others between them allowed. A name that is neither a step nor a tool can't be decided. */
function inOrder(
  names: readonly string[],
  played: PlayedCall,
  configuration: AgentConfiguration | null,
): CriterionAnswer {
  const tools = toolUsesOf(played, configuration);
  const events = readEvents(played, tools);
  let next = 0;
  let turn: number | null = null;
  for (const name of names) {
    const steps = stepsNamed(name, configuration);
    const called = toolNames(name, configuration);
    const isNamed = (id: string, kind: 'tool' | 'step') =>
      kind === 'tool' ? called.has(id) : id === name || steps.has(id);
    const at = events.findIndex(({ id, kind }, index) => index >= next && isNamed(id, kind));
    if (at < 0) {
      const isBefore = events.slice(0, next).some(({ id, kind }) => isNamed(id, kind));
      const isKnown = isBefore || steps.size > 0 || isTool(name, configuration);
      const because = missingInWords(name, isBefore, isKnown);
      return { met: isKnown ? false : null, turn: null, quote: null, because };
    }
    next = at + 1;
    turn = events[at]?.turn ?? turn;
  }
  const because = names.length === 1 ? `The call came to ${names[0]}.` : `The call came to ${names.join(', then ')}.`;
  return { met: true, ...wordsOfTurn(played.turns.find(({ index }) => index === turn)), because };
}

function missingInWords(name: string, isBefore: boolean, isKnown: boolean): string {
  if (isBefore) return `The call came to ${name}, and not after what had to come before it.`;
  if (isKnown) return `The call never came to ${name}.`;
  return `The version has no step and no tool named ${name}, so that nothing shows whether the call came there.`;
}

/** Counts what caller and agent said; turns in which only a tool worked are none. */
function turnsAtMost(most: number, played: PlayedCall): CriterionAnswer {
  const spoken = played.turns.filter(({ role, text }) => (role === 'caller' || role === 'agent') && text.trim() !== '');
  const because = `Caller and agent spoke ${spoken.length} turns, ${most} were allowed.`;
  return { met: spoken.length <= most, ...wordsOfTurn(spoken[most] ?? spoken.at(-1)), because };
}

function noFinding(code: string, played: PlayedCall, findings: Findings | null): CriterionAnswer {
  const title = CATALOGUE.get(code)?.title ?? code;
  const finding = findings?.found.find((one) => one.code === code);
  if (finding) {
    const turn = played.turns.find(({ index }) => index === finding.turnIndex);
    const isSaid = finding.quote !== '' && turn?.text.includes(finding.quote);
    const shown = isSaid ? { turn: finding.turnIndex, quote: finding.quote } : wordsOfTurn(turn);
    return { met: false, ...shown, because: `${title}: ${finding.detail}` };
  }
  const open = findings === null ? 'Nobody looked for findings.' : whyOpen(code, findings);
  if (open !== null) return { met: null, turn: null, quote: null, because: open };
  return { met: true, turn: null, quote: null, because: `The call does not show “${title}”.` };
}

/** Why nothing can be said of a code that was not found; null where it is not there. */
function whyOpen(code: string, { withoutFixture, open }: Findings): string | null {
  if (!canFind(code)) return `Our detectors can't say of a call that is played as text whether it shows ${code}.`;
  if (withoutFixture.includes(code)) return 'It shows only where a tool had no fixture.';
  return open.find((one) => one.code === code)?.reason ?? null;
}

function nameOf(use: ToolUse | undefined): Pick<CriterionAnswer, 'turn' | 'quote'> {
  return { turn: use ? (use.callTurn ?? use.resultTurn) : null, quote: use?.name ?? null };
}

function argumentsOf(use: ToolUse | undefined): Pick<CriterionAnswer, 'turn' | 'quote'> {
  if (use === undefined || use.callTurn === null) return { turn: use?.resultTurn ?? null, quote: null };
  return { turn: use.callTurn, quote: storedText(use.args) };
}

const QUOTE_AT_MOST = 240;

function wordsOfTurn(turn: Turn | undefined): Pick<CriterionAnswer, 'turn' | 'quote'> {
  if (turn === undefined) return { turn: null, quote: null };
  if (turn.text.trim() !== '') return { turn: turn.index, quote: cutText(turn.text, QUOTE_AT_MOST) };
  return { turn: turn.index, quote: turn.toolCall?.name ?? turn.toolResult?.name ?? null };
}

const calledWords = (tool: string, times: number) =>
  times === 0 ? `The agent never called ${tool}` : `The agent called ${tool} ${often(times)}`;

function often(times: number): string {
  if (times === 0) return 'never';
  return times === 1 ? 'once' : `${times} times`;
}
