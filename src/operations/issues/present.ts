import type { IssueResource } from '../../contract/issue.ts';
import type { AgentView } from '../../db/agents/read-agents.ts';
import type { IssueView } from '../../db/issues/read-issues.ts';
import { priorityScore } from '../../domain/issues/priority.ts';
import { FIX_STATES } from '../../domain/vocabulary.ts';

export const CAUSE_NOT_ESTABLISHED = 'Cause not established.';

export function presentIssue(issue: IssueView, agent: AgentView): IssueResource {
  const { section, sectionNote } = presentSection(issue, agent);
  return {
    object: 'issue',
    id: issue.id,
    key: issue.key,
    code: issue.code,
    title: issue.title,
    klass: issue.klass,
    lane: issue.lane,
    status: issue.status,
    source: issue.source,
    countOnly: issue.countOnly,
    location: { kind: issue.placeKind, id: issue.placeId, label: issue.placeLabel },
    cause: presentCause(issue),
    causeEstablished: issue.causeEstablished,
    causeSummary: issue.causeEstablished ? (issue.causeLabel ?? CAUSE_NOT_ESTABLISHED) : CAUSE_NOT_ESTABLISHED,
    section,
    sectionNote,
    target: { kind: issue.targetKind, id: issue.targetId, label: issue.targetLabel },
    symptoms: issue.symptoms.map(({ code, label, count }) => ({ code, label, count })),
    intentSlug: issue.intentSlug,
    likelyCause: issue.likelyCause,
    recommendation: issue.countOnly ? null : issue.recommendation,
    volume: issue.volume,
    rate: issue.rate,
    failedOutcomeShare: issue.failedOutcomeShare,
    impact: issue.impact,
    confidence: issue.confidence,
    priorityScore: scoreOf(issue, agent),
    downstreamOf: issue.downstreamOfKey,
    consequences: issue.consequences.map(({ id, key, title, volume }) => ({ id, key, title, volume })),
    firstSeenVersion: issue.firstSeenVersion,
    lastSeenVersion: issue.lastSeenVersion,
    fellOnLive: issue.fellOnLive,
    diagnosis: issue.diagnosis,
    createdAt: issue.createdAt,
    updatedAt: issue.updatedAt,
    evidenceCalls: issue.evidenceCalls,
    byVersion: issue.byVersion
      .toSorted((a, b) => b.version - a.version)
      .map(({ version, calls, total, rate }) => ({ version, calls, total, rate })),
    graceDays: agent.graceDays,
    fix: presentFix(issue, agent),
  };
}

export function scoreOf(issue: IssueView, agent: AgentView): number {
  if (issue.countOnly) return 0;
  return priorityScore(issue.orderKey, agent.newestCallAt === null ? null : new Date(agent.newestCallAt));
}

function presentCause(issue: IssueView): IssueResource['cause'] {
  if (!issue.causeEstablished || issue.causeLabel === null) return null;
  // What is named for an outcome issue belongs to a signal of its calls, so the issue's own cause has no code.
  const code = issue.source === 'outcome' ? null : issue.causeCode;
  return { code, label: issue.causeLabel, detail: issue.causeDetail };
}

/** What is held back says why: withdrawn, of the kind that this board does not show, or what the grouping noted. */
function presentSection(issue: IssueView, agent: AgentView): Pick<IssueResource, 'section' | 'sectionNote'> {
  if (issue.withdrawn) {
    const note = issue.sectionNote?.startsWith('Withdrawn:')
      ? issue.sectionNote
      : 'Withdrawn: the analysis no longer produces this issue.';
    return { section: 'hidden', sectionNote: note };
  }
  if (issue.source !== agent.boardSource && issue.section !== 'hidden') {
    return {
      section: 'hidden',
      sectionNote: `The board of this agent shows ${agent.boardSource} issues; this is the other kind.`,
    };
  }
  return { section: issue.section, sectionNote: issue.sectionNote };
}

function presentFix(issue: IssueView, agent: AgentView): IssueResource['fix'] {
  const { state, version, liveDays, text } = issue.fix ?? {};
  return {
    state: FIX_STATES.find((known) => known === state) ?? 'no_change',
    version: typeof version === 'number' ? version : null,
    liveDays: typeof liveDays === 'number' ? liveDays : 0,
    graceDays: agent.graceDays,
    text: typeof text === 'string' ? text : 'No fix is recorded for this issue.',
  };
}
