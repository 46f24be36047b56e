import type { IssueAtWork, Resolution, SpikeResource } from '../../contract/issue-lifecycle.ts';
import type { AgentView } from '../../db/agents/read-agents.ts';
import type { IssueView } from '../../db/issues/read-issues.ts';
import type { IssueCare, ResolutionView } from '../../db/issues/read-lifecycle.ts';
import { resolutionCertainty } from '../../domain/issues/certainty.ts';
import type { LifeStep, LifeWait } from '../../domain/issues/lifecycle.ts';
import { SPIKE_RULE, type Spike } from '../../domain/issues/spike.ts';
import { presentIssue } from './present.ts';
import { reasonOf } from './present-rank.ts';

export function presentIssueAtWork(
  issue: IssueView,
  agent: AgentView,
  care: IssueCare,
  view: ResolutionView,
): IssueAtWork {
  return {
    object: 'issue_at_work',
    issue: presentIssue(issue, agent),
    rankReason: reasonOf(issue, agent),
    rejected: care.rejected,
    resolvedAt: care.resolvedAt,
    owner: care.owner,
    snooze: care.snooze,
    resolution: presentResolution(issue, agent, view),
    spike: presentSpike(care.spike),
    comments: care.comments,
  };
}

export function presentResolution(issue: IssueView, agent: AgentView, view: ResolutionView): Resolution {
  const { sentence, ...certainty } = resolutionCertainty(view.silence);
  return { ...standing(issue, agent, view.step), lastSeenAt: view.lastSeenAt, ...certainty, certainty: sentence };
}

export function presentSpike(spike: Spike | null): SpikeResource | null {
  if (spike === null) return null;
  const { day, calls, of, pastCalls, pastOf, growth, growthLower } = spike;
  return { day, calls, of, pastCalls, pastOf, growth, growthLower, rule: SPIKE_RULE };
}

type Standing = Pick<Resolution, 'state' | 'dueAt' | 'text'>;

function standing(issue: IssueView, agent: AgentView, step: LifeStep | null): Standing {
  if (issue.status === 'resolved') return { state: 'resolved', dueAt: null, text: 'It counts as resolved.' };
  if (step === null) return { state: 'not_timed', dueAt: null, text: 'Time decides nothing about this issue.' };
  if (step.to !== null) {
    const text = 'It is due: it counts as resolved as soon as somebody looks, which is a matter of seconds.';
    return { state: 'waits_for_time', dueAt: null, text };
  }
  return waiting(step.wait, agent.graceDays);
}

function waiting(wait: LifeWait, graceDays: number): Standing {
  switch (wait.for) {
    case 'time': {
      const dueAt = new Date(wait.untilMs).toISOString();
      const text = `It counts as resolved if no call that starts before then shows it (${graceDays} days of grace).`;
      return { state: 'waits_for_time', dueAt, text };
    }
    case 'calls':
      return {
        state: 'waits_for_calls',
        dueAt: null,
        text: `It waits for calls: it counts as resolved after ${graceDays} days without it in which at least one call came on which it could be seen.`,
      };
    case 'analysis':
      return {
        state: 'waits_for_analysis',
        dueAt: null,
        text: `Its time has come, and it waits for calls of the last ${graceDays} days to be analysed: one of them may show it.`,
      };
    case 'import':
      return {
        state: 'waits_for_import',
        dueAt: null,
        text: 'Its time has come, and it waits for an import to end: one of its calls may show it.',
      };
    case 'nothing':
      return { state: 'not_timed', dueAt: null, text: 'Time decides nothing about this issue.' };
    default:
      return wait satisfies never;
  }
}
