import { withMadeUpPeople } from '../personal/made-up-call.ts';
import { CATALOGUE } from '../signals/catalogue.ts';
import type { Brief } from '../versions/brief.ts';
import type { AgentConfiguration } from '../versions/configuration.ts';
import type { CallForTest } from './call-for-test.ts';
import { specFromCall, type TestFromCall } from './from-call.ts';
import { isTool, toolsNamedIn } from './named-parts.ts';
import type { TestOrigin } from './origin.ts';
import { cleanText, hasWord } from './plain.ts';
import type { Check, Criterion } from './spec.ts';
import { canShow } from './weigh-signals.ts';

const TITLE_AT_MOST = 200;

/**
 * Made-up people stand for those of the call: a test outlives it, and goes into repositories.
 * @returns null where the caller said nothing, or a call that is played as text can not show it.
 */
export function makeTest(given: CallForTest, origin: TestOrigin): TestFromCall | null {
  const call = withMadeUpPeople(given);
  switch (origin.kind) {
    case 'call':
      return specFromCall(call);
    case 'issue':
      return testOfIssue(call, origin);
    case 'intent':
      return testOfIntent(call, origin);
    case 'rule':
      return testOfRule(call, origin.rule);
  }
}

/**
 * A call that shows an issue, played again: the issue's own criterion comes first.
 * @returns null where a call that is played as text can not show it, or the caller said nothing.
 */
export function testOfIssue(call: CallForTest, issue: { code: string; title: string }): TestFromCall | null {
  if (!canShow(issue.code)) return null;
  const own = call.signals.filter(({ code }) => code === issue.code);
  const others = call.signals.filter(({ code }) => code !== issue.code);
  // As the gravest, so that it is never crowded out by the others of the call.
  const first = own.map((signal) => ({ ...signal, severity: 'critical' as const, turnIndex: -1 }));
  const made = specFromCall({ ...call, signals: [...first, ...others] });
  if (made === null) return null;
  const lane = CATALOGUE.get(issue.code)?.lane ?? made.lane;
  return { ...made, lane, title: cleanText(`${issue.title}: ${made.spec.caller.goal}`, TITLE_AT_MOST) };
}

/** What callers with this intent usually go through. */
function testOfIntent(call: CallForTest, intent: { label: string }): TestFromCall | null {
  const made = specFromCall(call);
  return made && { ...made, title: cleanText(`${intent.label}: ${made.spec.caller.goal}`, TITLE_AT_MOST) };
}

/** A line of the brief, asked for on a call on which it matters. */
export function testOfRule(call: CallForTest, rule: Brief['rules'][number]): TestFromCall | null {
  const made = specFromCall({ ...call, signals: [] });
  if (made === null) return null;
  const check = checkOfRule(rule, call.configuration);
  const own: Criterion = {
    id: `rule_line_${rule.line}`,
    text: cleanText(`Keeps to line ${rule.line} of its own text: ${rule.text}`, 1000),
    required: true,
    check,
  };
  // The call's own work is reported beside it: the line is what is tested.
  const others = made.spec.criteria.map((criterion) => ({ ...criterion, required: false }));
  const spec = { ...made.spec, criteria: [own, ...others].slice(0, 50) };
  return { lane: null, title: cleanText(`Line ${rule.line}: ${rule.text}`, TITLE_AT_MOST), spec };
}

const QUOTED = /["“]([^"“”]{3,300})["”]/;

/** What code can decide of a line: words in quotes, and tools that it names. Null: the judge reads the line. */
export function checkOfRule(
  { text, polarity }: Pick<Brief['rules'][number], 'text' | 'polarity'>,
  configuration: AgentConfiguration | null,
): Check | null {
  const quoted = QUOTED.exec(text)?.[1]?.trim();
  if (quoted !== undefined && hasWord(quoted) && !isTool(quoted, configuration)) {
    return { kind: polarity === 'must' ? 'said' : 'not_said', text: cleanText(quoted, 300), by: 'agent' };
  }
  const tools = toolsNamedIn(text, configuration);
  const [first, second] = tools;
  if (first === undefined) return null;
  if (second === undefined) {
    // "Never use it without …" and "only after …" allow the tool under a condition, which takes a judge.
    if (/\b(if|unless|without|only|when|until|before|after)\b/i.test(text)) return null;
    return polarity === 'must' ? { kind: 'tool_called', tool: first } : { kind: 'tool_not_called', tool: first };
  }
  if (tools.length > 2 || polarity === 'must_not') return null;
  if (/\bbefore\b/i.test(text)) return { kind: 'order', steps: [first, second] };
  return /\bafter\b/i.test(text) ? { kind: 'order', steps: [second, first] } : null;
}
