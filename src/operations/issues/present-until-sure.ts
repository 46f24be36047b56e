import type { IssueExplanation } from '../../contract/explanation.ts';
import { readLeads } from '../../domain/issues/outcome-cause.ts';
import { calls as say } from '../../domain/issues/sentences.ts';
import { untilCauseEstablished, untilConfirmed } from '../../domain/issues/until-sure.ts';
import { CATALOGUE } from '../../domain/signals/catalogue.ts';
import { kindOfCause, knownCause } from '../../domain/signals/causes.ts';
import { computableBase, type ExplainedIssue } from './explained-issue.ts';
import { namedCode } from './outcome-evidence.ts';

/** What stands between an issue and being sure of it. A resolution has its own rule and its own certainty. */
export function presentUntilSure(facts: ExplainedIssue): IssueExplanation['untilSure'] {
  const { issue } = facts;
  if (issue.countOnly) {
    const sentence = `Nothing that was noticed on these ${say(issue.volume)} is clearly more common than on others that reached the step; whether more calls would show something cannot be said.`;
    const open = { settled: false, moreCalls: null, sentence };
    return { confirmation: open, cause: open };
  }
  const entry = CATALOGUE.get(namedCode(issue) ?? issue.code) ?? { fact: false, noiseFloor: 0.02 };
  const shown = issue.source === 'outcome' ? issue.volume : issue.evidenceCalls;
  return {
    confirmation: untilConfirmed({ confirmed: issue.confirmed, shown, computable: computableBase(issue) }, entry),
    cause: untilCauseEstablished({ established: issue.causeEstablished, shown }, topCause(facts)),
  };
}

/** What a person can do to find out whether the cause is the cause. */
export function proofOf(facts: ExplainedIssue): string[] {
  const { issue, agent } = facts;
  if (issue.countOnly) return ['Listen to these calls: no signal sets them apart, so nothing is to be proved yet.'];
  if (issue.causeEstablished) {
    return [
      `Make the change on one version and let it take calls for ${agent.graceDays} days: the cause is proved when calls of that version still reach ${issue.placeLabel} and no longer show it, while nothing else was changed with it.`,
      'It is disproved when calls of that version show it as often as before.',
    ];
  }
  const table = CATALOGUE.get(namedCode(issue) ?? issue.code)?.causes ?? [];
  // Several rows may stand for one cause, each with evidence of its own.
  const rows = [...new Map(table.map((row) => [row.code, row])).values()];
  if (rows.length === 0) {
    return ['No cause of this code can be read from calls alone: change one thing at a time and compare the versions.'];
  }
  const shown = issue.source === 'outcome' ? issue.volume : issue.evidenceCalls;
  const counts = causeCounts(facts);
  return rows.map(({ code, label }) => {
    const seen = Math.max(0, ...counts.filter((cause) => kindOfCause(cause.code) === code).map((cause) => cause.calls));
    return `"${label}" would be established by its evidence on two thirds of the calls and at least three; it is present on ${seen} of ${shown}.`;
  });
}

function topCause(facts: ExplainedIssue): { label: string; calls: number } | null {
  return causeCounts(facts)[0] ?? null;
}

/** Calls by cause, the commonest first; of an outcome issue only those of the signal that stands for it. */
function causeCounts({ issue, causes }: ExplainedIssue): { code: string; label: string; calls: number }[] {
  if (issue.source === 'detector') return causes;
  const code = namedCode(issue);
  const entry = CATALOGUE.get(code ?? '');
  return readLeads(causes).flatMap((lead) => {
    if (lead.code !== code || lead.causeCode === '') return [];
    const label = entry ? knownCause(entry, lead.causeCode).label : lead.causeCode;
    return [{ code: lead.causeCode, label, calls: lead.calls }];
  });
}
