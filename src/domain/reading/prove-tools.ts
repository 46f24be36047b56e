import { does } from '../acts/act.ts';
import type { ToolUse } from '../calls/tool-uses.ts';
import { splitName } from '../calls/tool-words.ts';
import { verifies } from '../calls/verifying-tools.ts';
import type { ProofContext } from './proof-context.ts';
import { anyOf, type FindingToProve, isCallers, isToolText, type ProofCheck, turnsOf } from './proof-form.ts';
import { exactQuote } from './quotes.ts';
import { stemsOf, tells, toldIn } from './told.ts';

/** It was used, and nothing says that it failed or that the business said no. */
export function hasWorked({ ok, refusal, denied }: ToolUse): boolean {
  return ok !== false && !refusal && !denied;
}

/** The uses whose call or result stands at a turn. */
export function usesAt(turn: number, { tools }: ProofContext): ToolUse[] {
  return tools.filter(({ callTurn, resultTurn }) => callTurn === turn || resultTurn === turn);
}

const beganAt = ({ callTurn, resultTurn }: ToolUse): number => callTurn ?? resultTurn ?? 0;

/**
 * The tool that would do it did not work: for a claim, before it; for a promise, to the end of the call. Where nothing is known of
 * tools, that none was used shows nothing: then something that was said later has to show that it was not done.
 */
export const noToolSuccess: ProofCheck = (finding, context) => {
  const { configuration, tools } = context;
  const until = finding.code === 'tool_missing' ? Number.POSITIVE_INFINITY : finding.turn;
  const works = (name: string) => tools.some((use) => use.name === name && hasWorked(use) && beganAt(use) < until);
  const names = toolsNamed(finding, context);
  if (names.length > 0) return anyOf(names, (name) => works(name) || !speaksOf(name, finding, context));
  const others = turnsOf(finding, context);
  const isShownLater = others.some(({ turn }) => turn.index > finding.turn);
  if ((configuration?.tools ?? []).length + tools.length === 0 && isShownLater) return null;
  if (configuration === null && tools.length === 0) return 'proof_missing';
  if (others.some(isCallers)) return null;
  // A result shows what was done instead, and a line what is to be done: neither names the tool.
  const nearest = nearestTools(finding.quote, context);
  if (nearest.length === 0) return 'proof_missing';
  return nearest.some(works) ? 'proof_does_not_hold' : null;
};

/**
 * Whether a turn can be of what a tool does: the caller has spoken, and it claims or promises something, or shares a word with
 * the tool. In a language without lists, whatever is said then.
 */
function speaksOf(name: string, { turn, quote }: FindingToProve, context: ProofContext): boolean {
  const { caller, phrasesMissing, spokenAt } = context.talk();
  if (!caller.some(({ index }) => index < turn)) return false;
  const spoken = spokenAt.get(turn);
  if (phrasesMissing !== null || spoken === undefined || does(spoken, 'claims_done', 'promises', 'hands_over'))
    return true;
  const text = knownTools(context).find((tool) => tool.name === name)?.text ?? splitName(name).join(' ');
  const said = new Set(stemsOf(quote));
  return stemsOf(text).some((stem) => said.has(stem));
}

/** By its name, by a call or result of it that did not work, or by a line of the agent's text that names it. */
function toolsNamed(finding: FindingToProve, context: ProofContext): string[] {
  const known = knownTools(context).map(({ name }) => name);
  const named = finding.proof.flatMap(({ in: source, index, quote }) => {
    if (source === 'tool' && index === null) return [quote];
    return source === 'prompt' ? known.filter((name) => exactQuote(quote, name) !== null) : [];
  });
  const pointedAt = turnsOf(finding, context)
    .filter(isToolText)
    .flatMap(({ turn }) => usesAt(turn.index, context).filter((use) => !hasWorked(use)));
  return [...named, ...pointedAt.map(({ name }) => name)];
}

/** Those that share most words with what was said. */
function nearestTools(quote: string, context: ProofContext): string[] {
  const said = new Set(stemsOf(quote));
  const shared = knownTools(context).map(({ name, text }) => ({
    name,
    count: new Set(stemsOf(text).filter((stem) => said.has(stem))).size,
  }));
  const most = Math.max(SHARED_AT_LEAST, ...shared.map(({ count }) => count));
  return shared.filter(({ count }) => count === most).map(({ name }) => name);
}

const SHARED_AT_LEAST = 2;

function knownTools({ configuration, tools }: ProofContext): { name: string; text: string }[] {
  const listed = configuration?.tools ?? [];
  return (listed.length > 0 ? listed : tools).map((tool) => {
    const description = 'description' in tool ? tool.description : '';
    return { name: tool.name, text: `${splitName(tool.name).join(' ')} ${description}` };
  });
}

/** A result that failed or was declined came before, and the same tool did not work between it and the turn. */
export const failedResult: ProofCheck = (finding, context) => {
  const results = turnsOf(finding, context).filter((one) => isToolText(one) && one.turn.index < finding.turn);
  const uses = results.flatMap(({ turn }) => usesAt(turn.index, context));
  return anyOf(uses, (use) => {
    if (use.ok === true && hasWorked(use)) return true;
    const later = context.tools.filter((one) => one.name === use.name && beganAt(one) > beganAt(use));
    return later.some((one) => one.ok === true && hasWorked(one) && (one.resultTurn ?? 0) < finding.turn);
  });
};

/** The caller asked for a person, and was not put through in the agent's next turns. */
export const personRequests: ProofCheck = (finding, context) => {
  const requests = turnsOf(finding, context).filter((one) => isCallers(one) && one.turn.index < finding.turn);
  const first = Math.min(...requests.map(({ turn }) => turn.index));
  return anyOf(requests.slice(0, 1), () => isPutThrough(first, context));
};

const TURNS_TO_PUT_THROUGH = 3;

/** The record shows a hand-over before the agent has spoken more than three times. */
export function isPutThrough(since: number, { call, talk, tools }: ProofContext): boolean {
  const later = talk().agent.filter(({ index }) => index > since);
  const until = later[TURNS_TO_PUT_THROUGH]?.index ?? Number.POSITIVE_INFINITY;
  const isOver = (use: ToolUse) => use.effect === 'transfer' && hasWorked(use) && beganAt(use) > since;
  const byEnding = call.ending.family === 'transfer' && until === Number.POSITIVE_INFINITY;
  return byEnding || tools.some((use) => isOver(use) && beganAt(use) < until);
}

/**
 * The agent's text, or a tool, asks for verification, and nothing that verifies worked before. Where that text is not known, a
 * turn that shows who was speaking is all that there can be. What the caller has just told is no secret, nor what the text says.
 */
export const beforeVerification: ProofCheck = (finding, context) => {
  const { tools, text, talk } = context;
  const isAsked = finding.proof.some((one) => one.in === 'prompt' || (one.in === 'tool' && one.index === null));
  const others = turnsOf(finding, context);
  if (!isAsked && !(text.lines.length === 0 ? others.length > 0 : others.some(isToolText))) return 'proof_missing';
  const named = finding.proof.flatMap((one) => (one.in === 'tool' && one.index === null ? [one.quote] : []));
  const isVerifying = ({ name }: ToolUse) => named.includes(name) || verifies(name);
  const isVerified = tools.some((use) => isVerifying(use) && hasWorked(use) && beganAt(use) < finding.turn);
  if (isVerified) return 'proof_does_not_hold';
  const used = usesAt(finding.turn, context);
  const turn = context.turnAt.get(finding.turn);
  // A tool is asked with what the caller has told; only one that verifies may be.
  if (turn !== undefined && isToolText({ turn, quote: finding.quote })) {
    return used.length > 0 && used.every(isVerifying) ? 'proof_does_not_hold' : null;
  }
  const { language, caller } = talk();
  const { values, names } = toldIn(finding.quote, language);
  const before = caller.filter(({ index }) => index < finding.turn).map((one) => toldIn(one.turn.text, language));
  const isTold = values.length > 0 && values.every((value) => before.some((one) => tells(one, value)));
  const areTold = [...names].every((name) => before.some(({ words }) => words.has(name)));
  return (isTold && areTold) || isInText(finding.quote, context) ? 'proof_does_not_hold' : null;
};

/** All that is told stands in the agent's text, which holds for every caller. */
function isInText(quote: string, { text, talk }: ProofContext): boolean {
  const told = toldIn(quote, talk().language);
  const lines = text.all.map((line) => toldIn(line, talk().language));
  const known = new Set(text.all.flatMap(stemsOf));
  return (
    told.values.every((value) => lines.some((one) => tells(one, value))) &&
    stemsOf(quote).every((stem) => known.has(stem))
  );
}
