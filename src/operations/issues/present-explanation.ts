import type { IssueExplanation } from '../../contract/explanation.ts';
import { CATALOGUE } from '../../domain/signals/catalogue.ts';
import { computableBase, type ExplainedIssue } from './explained-issue.ts';
import { weighOutcome } from './outcome-evidence.ts';
import { CAUSE_NOT_ESTABLISHED, scoreOf } from './present.ts';
import { presentDifferences } from './present-differences.ts';
import { presentResolution, presentSpike } from './present-lifecycle.ts';
import { reasonOf } from './present-rank.ts';
import { presentUntilSure, proofOf } from './present-until-sure.ts';

const FORMULA =
  '100 × harm × reach × sureness × recency. Harm is what one affected call loses: by the kind of fault, or by how many more of these calls surely end badly than of the others. Reach is the fourth root of the lower 95 % bound of the rate over the calls on which it could be computed; sureness is the square root of the confidence; recency halves every 14 days from the last call of the issue to the newest analysed call of the agent. An issue from which a graver one follows ranks by that one.';
const LABELS_NOTE =
  'What people said about the signals behind this issue. Labels change no count, no rank and no evidence: they stand beside it, and in the precision of the code.';
const CAUSE_RULE =
  'A cause is established when its evidence is present on at least two thirds of the calls and on at least three; it is lost below one half.';

export function presentExplanation(facts: ExplainedIssue): IssueExplanation {
  const { issue, agent, endings } = facts;
  const { evidenceFor, evidenceAgainst } = issue.source === 'outcome' ? weighOutcome(facts) : weigh(facts);
  return {
    object: 'issue_explanation',
    issueId: issue.id,
    key: issue.key,
    rank: {
      priorityScore: scoreOf(issue, agent),
      reason: reasonOf(issue, agent),
      formula: FORMULA,
      parts: issue.priorityParts,
    },
    numbers: {
      ofAllCalls: shareOf(issue.volume, agent.callCount, 'Affected calls, of all analysed calls of the agent.'),
      ofComputableCalls: shareOf(
        issue.source === 'outcome' ? issue.volume : issue.evidenceCalls,
        computableBase(issue),
        'Affected calls, of the calls that reached this place and on which the code could be computed.',
      ),
      endedBadly: shareOf(
        endings.affected.bad,
        endings.affected.calls,
        'Affected calls that ended unresolved or abandoned.',
      ),
    },
    cause: {
      established: issue.causeEstablished,
      summary: issue.causeEstablished ? (issue.causeLabel ?? CAUSE_NOT_ESTABLISHED) : CAUSE_NOT_ESTABLISHED,
      rule: CAUSE_RULE,
    },
    evidenceFor,
    evidenceAgainst,
    differences: presentDifferences(facts.compared),
    untilSure: presentUntilSure(facts),
    proof: proofOf(facts),
    resolution: presentResolution(issue, agent, facts.resolution),
    spike: presentSpike(facts.spike),
    labels: { ...facts.labels, note: LABELS_NOTE },
    history: facts.history,
  };
}

/** For: what the issue's own cause and bad endings rest on. Against: other causes, calls without any, versions that it does not show on. */
function weigh({
  issue,
  causes,
  endings,
  callsByModel,
}: ExplainedIssue): Pick<IssueExplanation, 'evidenceFor' | 'evidenceAgainst'> {
  const calls = issue.evidenceCalls;
  const evidenceFor: IssueExplanation['evidenceFor'] = [
    {
      statement: `${CATALOGUE.get(issue.code)?.title ?? issue.title}, at ${issue.placeLabel}.`,
      calls,
      of: calls,
      causeCode: null,
      version: null,
    },
  ];
  const evidenceAgainst: IssueExplanation['evidenceAgainst'] = [];
  if (callsByModel > 0) {
    const statement = 'Calls on which it stands on the reading of a model, not on a rule.';
    evidenceAgainst.push({ statement, calls: callsByModel, of: calls, causeCode: null, version: null });
  }
  for (const cause of causes) {
    const own = issue.causeEstablished && cause.code === issue.causeCode;
    const item = { calls: cause.calls, of: calls, causeCode: cause.code, version: null };
    if (own) evidenceFor.push({ statement: `The evidence of this cause is present: ${cause.label}.`, ...item });
    else if (issue.causeEstablished) {
      evidenceAgainst.push({ statement: `The evidence of another cause is present: ${cause.label}.`, ...item });
    } else evidenceFor.push({ statement: `The evidence of a possible cause is present: ${cause.label}.`, ...item });
  }
  const explained = Math.max(0, ...causes.map((cause) => cause.calls));
  if (calls > explained) {
    evidenceAgainst.push({
      statement: 'Calls on which the evidence of the commonest cause is not present.',
      calls: calls - explained,
      of: calls,
      causeCode: causes[0]?.code ?? null,
      version: null,
    });
  }
  const { affected, all } = endings;
  const others = { calls: Math.max(0, all.calls - affected.calls), bad: Math.max(0, all.bad - affected.bad) };
  const harmed = affected.calls > 0 && others.calls > 0 && affected.bad / affected.calls > others.bad / others.calls;
  (harmed ? evidenceFor : evidenceAgainst).push({
    statement: `Affected calls that ended badly; of the other calls ${others.bad} of ${others.calls} did.`,
    calls: affected.bad,
    of: affected.calls,
    causeCode: null,
    version: null,
  });
  for (const { version, calls: shown, total } of issue.byVersion) {
    if (total === 0) continue;
    const item = { calls: shown, of: total, causeCode: null, version };
    if (shown > 0) evidenceFor.push({ statement: `Calls of version ${version} that show it.`, ...item });
    else evidenceAgainst.push({ statement: `No call of version ${version} shows it.`, ...item });
  }
  return { evidenceFor, evidenceAgainst };
}

function shareOf(calls: number, of: number, meaning: string): IssueExplanation['numbers']['ofAllCalls'] {
  // The two are kept by different statements: between them a share must not pass one.
  return { calls, of, rate: of > 0 ? Math.min(1, calls / of) : null, meaning };
}
