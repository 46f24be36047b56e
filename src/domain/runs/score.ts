import { decide } from '../tests/checks.ts';
import { toolNames } from '../tests/named-parts.ts';
import type { Check, Criterion } from '../tests/spec.ts';
import { cutText } from '../text.ts';
import type { AgentConfiguration } from '../versions/configuration.ts';
import type { AttemptResult, TestExpectation } from '../vocabulary.ts';
import type { CallerDrift, CriterionVerdict, Findings, PlayedCall } from './attempt.ts';
import { undecidedVerdict } from './judge-answers.ts';

export interface Verdict {
  result: AttemptResult;
  /** One line; null where there is nothing to explain. */
  reason: string | null;
}

const REASON_AT_MOST = 400;
const TEXT_AT_MOST = 120;

/**
 * What keeps an attempt from being judged at all, the caller before everything else: an agent is not to be blamed for a
 * caller that left its part, nor for a call that broke off.
 */
export function keptFromJudging(
  criteria: readonly Criterion[],
  played: PlayedCall,
  about: { drift: CallerDrift | null; configuration: AgentConfiguration | null },
): Verdict | null {
  const { drift, configuration } = about;
  // A caller that never came to speak missed its goal by nobody's fault but that of the call.
  const hasSpoken = played.turns.some(({ role, text }) => role === 'caller' && text.trim() !== '');
  if (drift?.drifted && hasSpoken)
    return { result: 'drift', reason: oneLine(['The caller drifted:', ...drift.reasons].join(' ')) };
  if (played.trouble !== null) return { result: 'error', reason: oneLine(played.trouble) };
  const missing = missingTools(criteria, played, configuration);
  if (missing.length > 0) {
    const named = missing.join(', ');
    return { result: 'error', reason: oneLine(`No fixture answered for ${named}, which a required criterion names.`) };
  }
  return criteria.some(({ required }) => required)
    ? null
    : { result: 'error', reason: 'The test has no required criterion, so that nothing would decide it.' };
}

/** Tools that had no fixture and that a required check needs an answer of. That a tool was not called needs none. */
function missingTools(
  criteria: readonly Criterion[],
  { noFixture }: PlayedCall,
  configuration: AgentConfiguration | null,
): string[] {
  const named = criteria
    .flatMap(({ required, check }) => (required && check !== null ? namesOf(check) : []))
    .map((name) => toolNames(name, configuration));
  return noFixture.filter((tool) => named.some((names) => names.has(tool)));
}

function namesOf(check: Check): readonly string[] {
  switch (check.kind) {
    case 'tool_called':
    case 'tool_called_with':
      return [check.tool];
    case 'reached':
      return [check.step];
    case 'order':
      return check.steps;
    case 'tool_not_called':
    case 'said':
    case 'not_said':
    case 'ended_by':
    case 'turns_at_most':
    case 'no_finding':
      return [];
    default:
      return check satisfies never;
  }
}

/** The criteria that code decides. */
export function checkVerdicts(
  criteria: readonly Criterion[],
  played: PlayedCall,
  configuration: AgentConfiguration | null,
  findings: Findings | null = null,
): CriterionVerdict[] {
  return criteria.flatMap(({ check, id, text, required }): CriterionVerdict[] => {
    if (check === null) return [];
    const answer = decide(check, played, configuration, findings);
    if (answer.met === null) return [undecidedVerdict({ id, text, required }, answer.because, [answer])];
    return [
      {
        criterionId: id,
        text,
        required,
        met: answer.met,
        because: answer.because,
        decidedBy: { kind: 'check', model: null, answers: [answer] },
        evidenceTurn: answer.turn,
        quote: answer.quote,
      },
    ];
  });
}

/** What the verdicts come to. Undecided is never failed, and a test that is to fail passes by a criterion that is not met. */
export function resultOf(expect: TestExpectation, verdicts: readonly CriterionVerdict[]): Verdict {
  const required = verdicts.filter((verdict) => verdict.required);
  const notMet = required.filter(({ met }) => met === false);
  const undecided = required.filter(({ met }) => met === null);
  if (notMet.length > 0) {
    return expect === 'fail'
      ? { result: 'passed', reason: oneLine(`Not met, as the test expects: ${listed(notMet)}`) }
      : { result: 'failed', reason: oneLine(`Not met: ${listed(notMet)}`) };
  }
  if (undecided.length > 0) return { result: 'error', reason: oneLine(`Undecided: ${listed(undecided)}`) };
  if (required.length === 0) return { result: 'error', reason: 'No required criterion was judged.' };
  return expect === 'pass'
    ? { result: 'passed', reason: null }
    : { result: 'failed', reason: 'Every required criterion is met, and the test expects that one is not.' };
}

function listed(verdicts: readonly CriterionVerdict[]): string {
  return verdicts
    .map(({ text, because }) => {
      const why = because.replace(/(?<![.\s])[.\s]+$/, '');
      return `“${cutText(text, TEXT_AT_MOST)}”${why === '' ? '' : ` (${why})`}`;
    })
    .join('; ')
    .concat('.');
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= REASON_AT_MOST ? line : `${cutText(line, REASON_AT_MOST - 1)}…`;
}
