import { readToolUses } from '../calls/tool-uses.ts';
import { CATALOGUE } from '../signals/catalogue.ts';
import type { Lane } from '../vocabulary.ts';
import type { CallForTest } from './call-for-test.ts';
import { callerOfCall, linesOfCaller } from './caller-of-call.ts';
import { criteriaOfCall } from './criteria-of-call.ts';
import { fixturesOfCall } from './fixtures-of-call.ts';
import { cleanText } from './plain.ts';
import type { TestSpec } from './spec.ts';
import { stableArguments } from './stable-values.ts';
import { signalsByWeight } from './weigh-signals.ts';

export interface TestFromCall {
  title: string;
  lane: Lane | null;
  spec: TestSpec;
}

/** As many as a spec may have. */
const TURNS_AT_MOST = 50;

const TURNS_AT_LEAST = 12;

/**
 * A test that plays a production call again: its caller with the same lines and facts, the tools as they answered, and
 * what the call shows the agent must do, or must do otherwise where it ended badly.
 * @returns null where the caller said nothing, so that there is nothing to play.
 */
export function specFromCall(given: CallForTest): TestFromCall | null {
  const lines = linesOfCaller(given.call).slice(0, TURNS_AT_MOST);
  const [opening] = lines;
  if (opening === undefined) return null;
  const uses = readToolUses(given.call, given.configuration?.tools ?? []).filter(({ name }) => isName(name));
  const stable = stableArguments(lines, uses);
  const [worst] = signalsByWeight(given.signals);
  return {
    title: titleOf(given, worst?.code, opening),
    lane: worst?.lane ?? null,
    spec: {
      caller: callerOfCall(given, uses, lines),
      fixtures: fixturesOfCall(uses, stable),
      criteria: criteriaOfCall(given, uses, stable),
      maxTurns: Math.max(TURNS_AT_LEAST, lines.length),
      tier: 'text',
    },
  };
}

/** Checks and fixtures can name it. */
const isName = (tool: string) => tool !== '' && cleanText(tool, 200) === tool;

function titleOf({ analysis }: CallForTest, code: string | undefined, opening: string): string {
  const wanted = cleanText(analysis.requests[0]?.text ?? '', 120) || cleanText(opening, 120);
  const problem = code === undefined ? null : (CATALOGUE.get(code)?.title ?? null);
  return problem === null ? wanted : `${problem}: ${wanted}`;
}
