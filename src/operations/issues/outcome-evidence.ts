import type { IssueExplanation } from '../../contract/explanation.ts';
import type { IssueView } from '../../db/issues/read-issues.ts';
import { type LeadCount, readLeads, storedCause } from '../../domain/issues/outcome-cause.ts';
import { CATALOGUE } from '../../domain/signals/catalogue.ts';
import { knownCause } from '../../domain/signals/causes.ts';
import type { ExplainedIssue } from './explained-issue.ts';

/** The codes whose signals stand behind an issue: its symptoms, and for an outcome issue the signal that was nominated. */
export function codesBehind(issue: Pick<IssueView, 'source' | 'symptoms' | 'diagnosis'>): string[] {
  if (issue.source === 'detector') return issue.symptoms.map(({ code }) => code);
  const code = namedCode(issue);
  return code === null ? [] : [code];
}

/** The signal that stands for an outcome issue, or null on a count. */
export function namedCode({ diagnosis }: Pick<IssueView, 'diagnosis'>): string | null {
  const signal = diagnosis?.['signal'];
  if (typeof signal !== 'object' || signal === null || Array.isArray(signal)) return null;
  return typeof signal['code'] === 'string' ? signal['code'] : null;
}

/** What was noticed before the end on the calls that ended badly at the step, laid for and against the named cause. */
export function weighOutcome({
  issue,
  causes,
  endings,
}: ExplainedIssue): Pick<IssueExplanation, 'evidenceFor' | 'evidenceAgainst'> {
  const of = issue.evidenceCalls;
  const code = namedCode(issue);
  const item = (statement: string, calls: number, causeCode: string | null = null) => ({
    statement,
    calls: Math.min(calls, of),
    of,
    causeCode,
    version: null,
  });
  const ended = `Calls that ended badly at ${issue.placeLabel}; in all ${endings.all.bad} of ${endings.all.calls} calls ended badly.`;
  const evidenceFor = [item(ended, of)];
  const evidenceAgainst: IssueExplanation['evidenceAgainst'] = [];
  for (const lead of readLeads(causes).slice(0, 20)) {
    const statement = describe(lead);
    const cause = lead.causeCode === '' ? null : lead.causeCode;
    const own = issue.causeEstablished && issue.causeCode === storedCause(lead.code, cause ?? lead.code);
    if (own || (lead.code === code && !issue.causeEstablished)) evidenceFor.push(item(statement, lead.calls, cause));
    else evidenceAgainst.push(item(statement, lead.calls, cause));
  }
  if (of > issue.volume) {
    evidenceAgainst.push(item('Calls that ended badly here without it.', of - issue.volume));
  }
  return { evidenceFor, evidenceAgainst };
}

function describe({ code, causeCode, place }: LeadCount): string {
  const entry = CATALOGUE.get(code);
  const cause = entry ? knownCause(entry, causeCode).label : causeCode;
  const noticed = `"${entry?.title ?? code}" was noticed before the end, at ${place.id}`;
  return causeCode === ''
    ? `${noticed}, without evidence of its cause.`
    : `${noticed}, with the evidence of: ${cause}.`;
}
