import type { ToolUse } from '../calls/tool-uses.ts';
import type { JsonObject } from '../json.ts';
import { findingsOf, playedFormOf } from '../runs/simulated-call.ts';
import { CATALOGUE } from '../signals/catalogue.ts';
import type { CallForTest } from './call-for-test.ts';
import { cleanText, hasWord } from './plain.ts';
import type { Check, Criterion } from './spec.ts';
import type { StableArguments } from './stable-values.ts';
import { signalsByWeight } from './weigh-signals.ts';

const PROBLEMS_AT_MOST = 5;
const TOOLS_AT_MOST = 10;

/**
 * What the agent must do when the call is played again. Of a call that ended well: what it did. Of one that did not:
 * what its signals say it must do otherwise. What code can decide is required; a judge's word decides only where no
 * check does.
 */
export function criteriaOfCall(given: CallForTest, uses: readonly ToolUse[], stable: StableArguments): Criterion[] {
  const problems = signalsByWeight(given.signals).slice(0, PROBLEMS_AT_MOST);
  const endedWell = given.analysis.outcome === 'resolved' || given.analysis.outcome === 'transferred';
  const canRecur = codesInPlay(given, problems);
  const criteria = [
    ...falseClaims(given),
    ...bannedWords(given),
    ...(endedWell || problems.length > 0 ? workOfTools(uses, problems.length > 0 ? () => null : stable) : []),
    ...(given.analysis.outcome === 'transferred' ? [handsOver()] : []),
    ...onlyWhatIsDone(given),
    ...problems.map((problem) => notAgain(problem, { canRecur: canRecur.has(problem.code), endedWell })),
    asWanted(given, endedWell),
  ];
  return withOneRequired(withUniqueIds(criteria));
}

/** What the agent said was done although no tool had done it. */
function falseClaims({ analysis }: CallForTest): Criterion[] {
  const wrong = analysis.claims.filter(({ verdict, text }) => verdict !== 'backed' && hasWord(text));
  const texts = [...new Set(wrong.map(({ text }) => cleanText(text, 300)))].slice(0, PROBLEMS_AT_MOST);
  return texts.map((text) => ({
    id: 'no_false_claim',
    text: `Does not say “${text}” as long as no tool has done it.`,
    required: true,
    check: { kind: 'not_said', text, by: 'agent' },
  }));
}

const SAYS_WHAT_IT_MUST_NOT = new Set(['forbidden_phrase_said', 'placeholder_spoken', 'markup_spoken', 'prompt_leak']);

function bannedWords({ signals }: CallForTest): Criterion[] {
  return signals
    .filter(({ code, quote }) => SAYS_WHAT_IT_MUST_NOT.has(code) && hasWord(quote))
    .slice(0, PROBLEMS_AT_MOST)
    .map(({ quote }) => {
      const text = cleanText(quote, 300);
      const check: Check = { kind: 'not_said', text, by: 'agent' };
      return { id: 'not_said', text: `Does not say “${text}”.`, required: true, check };
    });
}

/** Tools that did their work, and in which order. Only writes are held to their arguments: look-ups may be made otherwise. */
function workOfTools(uses: readonly ToolUse[], stable: StableArguments): Criterion[] {
  const worked = uses.filter(
    ({ ok, callTurn, refusal, denied, name }) => ok === true && callTurn !== null && !refusal && !denied && name !== '',
  );
  const criteria = worked.map((use) => useOfTool(use, use.effect === 'write' ? stable(use) : null));
  const once = criteria.filter(({ text }, at) => criteria.findIndex((other) => other.text === text) === at);
  const names = [...new Set(worked.map(({ name }) => name))].slice(0, TOOLS_AT_MOST);
  if (names.length < 2) return once.slice(0, TOOLS_AT_MOST);
  const order: Check = { kind: 'order', steps: names };
  const inOrder = { id: 'in_order', text: `Uses ${names.join(', then ')}.`, required: false, check: order };
  return [...once.slice(0, TOOLS_AT_MOST), inOrder];
}

function useOfTool({ name: tool }: ToolUse, args: JsonObject | null): Criterion {
  const id = `calls_${tool}`;
  if (args === null) return { id, text: `Uses ${tool}.`, required: true, check: { kind: 'tool_called', tool } };
  const named = Object.entries(args).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  const text = cleanText(`Uses ${tool} with ${named.join(', ')}.`, 1000);
  return { id, text, required: true, check: { kind: 'tool_called_with', tool, args } };
}

const handsOver = (): Criterion => ({
  id: 'hands_over',
  text: 'Hands the call over.',
  required: true,
  check: { kind: 'ended_by', by: 'transfer' },
});

/** A tool fails in the test as it did on the call: what is asked for is how the agent bears it. */
const BEARS = new Map([
  ['tool_failed', 'When a tool fails, the agent says plainly that it did not work and what happens next.'],
  ['transfer_failed', 'When handing over fails, the agent says so and offers another way.'],
  ['tool_retry_storm', 'When a tool fails again and again, the agent stops trying and says what happens next.'],
]);

/** What the caller's own lines bring back, whatever the agent does, or what only the end of a real call can show. */
const OF_THE_CALLER = new Set(['caller_repeated_self', 'caller_did_not_follow', 'said_already_told', 'dead_end_step']);

/** Codes that our detectors find on the call as it would be played, so that a check can say that they are gone. */
function codesInPlay({ call, configuration, rules }: CallForTest, problems: readonly { code: string }[]): Set<string> {
  const asked = problems.filter(({ code }) => !BEARS.has(code) && !OF_THE_CALLER.has(code));
  if (asked.length === 0) return new Set();
  const by = { attemptId: call.providerCallId, version: call.version, configuration, ...(rules ?? { thresholds: {} }) };
  const found = new Set(findingsOf(playedFormOf(call), by).found.map(({ code }) => code));
  return new Set(asked.flatMap(({ code }) => (found.has(code) ? [code] : [])));
}

type Problem = CallForTest['signals'][number];

/** A call that ended well is held to its work: what it shows beside that fails the test only where it is grave. */
function notAgain({ code, detail, severity }: Problem, of: { canRecur: boolean; endedWell: boolean }): Criterion {
  const title = CATALOGUE.get(code)?.title ?? code;
  const text = BEARS.get(code) ?? `This does not happen: ${title.toLowerCase()}. On the call: ${detail}`;
  const criterion = { id: `not_${code}`, text: cleanText(text, 1000) };
  if (!of.canRecur) return { ...criterion, required: false, check: null };
  const required = !of.endedWell || severity === 'critical' || severity === 'high';
  return { ...criterion, required, check: { kind: 'no_finding', code } };
}

function onlyWhatIsDone({ analysis }: CallForTest): Criterion[] {
  if (!analysis.claims.some(({ verdict }) => verdict === 'backed')) return [];
  const text = 'Says that something is done only after a tool has done it.';
  return [{ id: 'only_what_is_done', text, required: false, check: null }];
}

function asWanted({ analysis }: CallForTest, endedWell: boolean): Criterion {
  const wanted = cleanText(analysis.requests[0]?.text ?? '', 500) || cleanText(analysis.objective, 500);
  const text = endedWell
    ? `The caller gets what was asked for: ${wanted}`
    : `The caller gets what was asked for, or is told plainly why not and what to do instead: ${wanted}`;
  return { id: 'as_wanted', text, required: false, check: null };
}

function withUniqueIds(criteria: readonly Criterion[]): Criterion[] {
  const taken = new Set<string>();
  return criteria.map((criterion) => {
    const base = cleanText(criterion.id, 56);
    let id = base;
    for (let nth = 2; taken.has(id); nth += 1) id = `${base}_${nth}`;
    taken.add(id);
    return { ...criterion, id };
  });
}

/** Where no check was found the judge decides, so that something does. */
function withOneRequired(criteria: Criterion[]): Criterion[] {
  if (criteria.some(({ required }) => required)) return criteria;
  const first = criteria.findIndex(({ check }) => check !== null);
  const at = Math.max(first, 0);
  return criteria.map((criterion, place) => (place === at ? { ...criterion, required: true } : criterion));
}
