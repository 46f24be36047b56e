import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { liveStanding } from '../../../src/domain/issues/live-standing.ts';
import { Rate } from '../../charts/rate.tsx';
import { RateBar } from '../../charts/rate-bar.tsx';
import { VersionBars } from '../../charts/version-bars.tsx';
import type { Schemas } from '../../client/api.ts';
import { age, date, percent, when, words } from '../../format.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Chip } from '../../ui/chip.tsx';
import { StatusChip } from '../issue/status-chip.tsx';

type Issue = Schemas['Issue'];

interface IssueRowProps {
  issue: Issue;
  rank: Schemas['RankOfIssue'] | undefined;
  /** All analysed calls: what the rate is taken over. */
  calls: number | undefined;
  scale: number;
  /** Who owns it, and whether it is snoozed; undefined where neither. */
  care: Schemas['IssueCare'] | undefined;
  selected: boolean;
  onSelect: () => void;
  /** Beneath the row. */
  children?: ReactNode;
}

export function IssueRow({ issue, rank, calls, scale, care, selected, onSelect, children }: IssueRowProps) {
  const agent = useAgent();
  const [now] = useState(Date.now);
  const over = calls ?? agent.counts.calls;
  const unseen = liveStanding(issue, agent.currentVersion).sentence;
  return (
    <li className="relative grid gap-x-6 gap-y-2 px-4 py-3 hover:bg-sunken/60 @page-lg:grid-cols-[minmax(0,1fr)_17.5rem] @page-xl:grid-cols-[2.5rem_minmax(0,1fr)_17.5rem_6.5rem_5rem_7rem] @page-xl:gap-x-5 @page-xl:items-center">
      <label className="relative z-10 flex items-center gap-2 text-ink-3 @max-page-xl:absolute @max-page-xl:top-3 @max-page-xl:right-3">
        <input
          type="checkbox"
          checked={selected}
          onChange={onSelect}
          aria-label={`Select ${issue.title}: ${issue.location.label}`}
          className="size-4 shrink-0 accent-accent"
        />
        <span className="@max-page-xl:hidden">{rank?.rank}</span>
      </label>
      <div className="min-w-0 @max-page-xl:pr-8">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Link
            data-row={issue.id}
            to="/a/$agentId/issues/$issueId"
            params={{ agentId: agent.id, issueId: issue.id }}
            className="font-medium after:absolute after:inset-0"
          >
            {issue.title}
          </Link>
          <Chip>{issue.location.label}</Chip>
          {issue.section === 'improve' && <Chip tone="accent">improve</Chip>}
        </div>
        <p className="mt-0.5 line-clamp-2 text-sm text-ink-2">{lineUnder(issue, rank)}</p>
        {unseen && <p className="mt-0.5 text-sm text-ink-2">{unseen}</p>}
      </div>
      <div className="flex items-center gap-3">
        <RateBar k={issue.volume} n={over} of="of all analyzed calls" scale={scale} />
        <Rate k={issue.volume} n={over} />
      </div>
      <p className="text-sm">
        <span className="font-medium">{percent(issue.failedOutcomeShare)}</span>{' '}
        <span className="text-xs text-ink-2">of them ended badly</span>
      </p>
      <div className="@max-page-xl:hidden">
        <VersionBars versions={issue.byVersion} current={agent.currentVersion} />
      </div>
      <div className="flex flex-wrap items-center gap-1.5">
        <StatusChip status={issue.status} />
        <span className="text-xs text-ink-2">{words(issue.impact)} impact</span>
        <span className="w-full text-xs text-ink-2">
          {care?.owner ? `${care.owner.name || 'A member'} · ` : ''}
          <span title={`Found ${when(issue.createdAt)}`}>{age(issue.createdAt, now)} old</span>
        </span>
        {care?.snooze && (
          <span className="w-full text-xs text-caution">
            {care.snooze.until === null ? 'Snoozed until it grows' : `Snoozed until ${date(care.snooze.until)}`}
          </span>
        )}
      </div>
      {children}
    </li>
  );
}

/** The cause, where it says more than the title; else why the issue stands where it stands. */
function lineUnder({ causeEstablished, causeSummary, title }: Issue, rank: IssueRowProps['rank']): string | undefined {
  return causeEstablished && causeSummary !== title ? causeSummary : rank?.reason;
}
