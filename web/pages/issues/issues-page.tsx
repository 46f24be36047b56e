import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { type LiveStanding, liveStanding } from '../../../src/domain/issues/live-standing.ts';
import { ISSUE_CLASSES } from '../../../src/domain/vocabulary.ts';
import type { Schemas } from '../../client/api.ts';
import { calls, count, words } from '../../format.ts';
import { readOnlyReason, useAgent } from '../../frame/agent-frame.tsx';
import { useKey } from '../../frame/keys.ts';
import { SavedViews } from '../../frame/saved-views.tsx';
import { TabLink, TextLink } from '../../ui/link.tsx';
import { moveFocus } from '../../ui/move-focus.ts';
import { Page } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { BoardNotes } from './board-notes.tsx';
import type { IssueFilters } from './filters.ts';
import { IssueRow } from './issue-row.tsx';
import { OutcomeStrip } from './outcome-strip.tsx';
import { boardQuery, issuesQuery } from './queries.ts';
import { Triage } from './triage.tsx';
import { type BoardCare, isShown, useCare } from './use-care.ts';
import { Welcome } from './welcome.tsx';
import { WorstIssue } from './worst-issue.tsx';

type Issue = Schemas['Issue'];
type Board = Schemas['Board'];

export function IssuesPage() {
  const agent = useAgent();
  const filters = useSearch({ from: '/inside/a/$agentId/issues' });
  const issues = useQuery(issuesQuery(agent.id, filters));
  const board = useQuery(boardQuery(agent.id));
  const care = useCare(agent.id);
  const narrowed = filters.status !== undefined || filters.klass !== undefined || filters.care !== undefined;
  return (
    <Page
      title="Issues"
      below={`${calls(agent.counts.calls)} analyzed`}
      above={agent.readOnly ? readOnlyReason(agent) : undefined}
      actions={<SavedViews page="issues" />}
    >
      <Welcome firstIssueId={issues.data?.data[0]?.id} />
      <OutcomeStrip agentId={agent.id} />
      <Tabs filters={filters} care={care} />
      {/* The rows hold words of the board, and would grow under the reader's eyes. */}
      <Loaded of={board.isPending || !care ? { ...issues, data: undefined } : issues}>
        {({ data }) => {
          const shown = care ? data.filter((issue) => isShown(issue, filters, care)) : data;
          return (
            <>
              {shown.length === 0 ? (
                <NoIssues narrowed={narrowed || data.length > 0} summary={board.data?.summary} />
              ) : (
                <List issues={shown} board={board.data} care={care} worst={narrowed ? undefined : shown[0]} />
              )}
              {!narrowed && board.data && <BoardNotes board={board.data} isSummed={data.length > 0} />}
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

const TABS: { label: string; filters: Pick<IssueFilters, 'status' | 'care'> }[] = [
  { label: 'Open', filters: {} },
  { label: 'Mine', filters: { care: 'mine' } },
  { label: 'New', filters: { status: 'discovered' } },
  { label: 'Investigating', filters: { status: 'investigating' } },
  { label: 'Measuring', filters: { status: 'measuring' } },
  { label: 'Regressed', filters: { status: 'regressed' } },
  { label: 'Snoozed', filters: { care: 'snoozed' } },
  { label: 'Resolved', filters: { status: 'resolved' } },
];
const LISTED_CLASSES = ISSUE_CLASSES.filter((klass) => klass !== 'behaviour');

function Tabs({ filters, care }: { filters: IssueFilters; care: BoardCare | null }) {
  const agent = useAgent();
  // With the classes that are chosen; a list that goes on behind its first page is not counted.
  const { klass } = filters;
  const open = useQuery(issuesQuery(agent.id, klass ? { klass } : {})).data;
  const countOf = (tab: Pick<IssueFilters, 'status' | 'care'>) => {
    if (!open || open.hasMore || !care || tab.status === 'resolved') return null;
    const isOfStatus = ({ status }: Issue) => tab.status === undefined || status === tab.status;
    return open.data.filter((issue) => isOfStatus(issue) && isShown(issue, tab, care)).length;
  };
  return (
    <nav aria-label="Narrow the issues" className="mb-3 flex flex-wrap items-center gap-x-1 gap-y-1">
      {TABS.map(({ label, filters: tab }) => {
        const members = countOf(tab);
        return (
          <TabLink
            key={label}
            from="/a/$agentId/issues"
            search={({ status: _status, care: _care, ...rest }) => ({ ...rest, ...tab })}
            chosen={filters.status === tab.status && filters.care === tab.care}
          >
            {label}
            {members !== null && <span className="ml-1.5 text-xs font-normal text-ink-3">{count(members)}</span>}
          </TabLink>
        );
      })}
      <span className="mx-2 h-5 w-px bg-line" />
      {LISTED_CLASSES.map((klass) => (
        <TabLink
          key={klass}
          from="/a/$agentId/issues"
          search={({ klass: before, ...rest }) => (before === klass ? rest : { ...rest, klass })}
          chosen={filters.klass === klass}
        >
          {words(klass)}
        </TabLink>
      ))}
    </nav>
  );
}

function NoIssues({ narrowed, summary }: { narrowed: boolean; summary: string | undefined }) {
  const { id: agentId } = useAgent();
  if (!narrowed) {
    return (
      <Empty
        title="No issues"
        action={
          <TextLink to="/a/$agentId/imports" params={{ agentId }}>
            See what imports are doing
          </TextLink>
        }
      >
        {summary}
      </Empty>
    );
  }
  return (
    <Empty
      title="No issues with these filters"
      action={
        <Link from="/a/$agentId/issues" search={{}} className="text-accent underline">
          Show all open issues
        </Link>
      }
    />
  );
}

interface ListProps {
  issues: Issue[];
  board: Board | undefined;
  care: BoardCare | null;
  worst: Issue | undefined;
}

/** The contract's order as it comes, with a heading where the kind of issue changes. */
function List({ issues, board, care, worst }: ListProps) {
  const agent = useAgent();
  const list = useRef<HTMLDivElement>(null);
  const step = (by: number) => () => moveFocus(list.current, by);
  const [selected, select] = useState<ReadonlySet<string>>(new Set());
  const toggle = (issueId: string) =>
    select(
      (before) => new Set(before.has(issueId) ? [...before].filter((id) => id !== issueId) : [...before, issueId]),
    );
  const toggleFocused = () => {
    const issueId = document.activeElement?.getAttribute('data-row');
    if (issueId) toggle(issueId);
  };
  useKey({ j: step(1), k: step(-1), x: toggleFocused });
  const chosen = issues.filter(({ id }) => selected.has(id)).map(({ id }) => id);
  const ranks = new Map(board?.ranks.map((rank) => [rank.issueId, rank]));
  const scale = Math.max(...issues.map(({ rate }) => rate)) * 1.5;
  const isAs = (as: LiveStanding['as']) => (issue: Issue) =>
    issue.section !== 'not_established' && liveStanding(issue, agent.currentVersion).as === as;
  const groups = [
    { title: 'Still happening', of: isAs('happening') },
    { title: `Not seen on version ${agent.currentVersion} yet`, of: isAs('unseen') },
    { title: 'Gone on the live version', of: isAs('fell') },
    { title: 'Resolved', of: isAs('resolved') },
    { title: 'Cause not established', of: (issue: Issue) => issue.section === 'not_established' },
  ];
  return (
    <div ref={list}>
      {groups.map(({ title, of }) => {
        const members = issues.filter(of);
        if (members.length === 0) return null;
        return (
          <section key={title} aria-label={title} className="mt-6">
            <h2 className="mb-2 text-sm font-semibold text-ink-2">
              {title} <span className="font-normal text-ink-3">{count(members.length)}</span>
            </h2>
            <ul className="divide-y divide-line/70 rounded-panel border border-line bg-surface">
              {members.map((issue) => (
                <IssueRow
                  key={issue.id}
                  issue={issue}
                  rank={ranks.get(issue.id)}
                  calls={board?.calls}
                  scale={scale}
                  care={care?.of(issue.id)}
                  selected={selected.has(issue.id)}
                  onSelect={() => toggle(issue.id)}
                >
                  {issue === worst && <WorstIssue issue={issue} />}
                </IssueRow>
              ))}
            </ul>
          </section>
        );
      })}
      <Triage agentId={agent.id} chosen={chosen} me={care?.personId ?? null} onDone={() => select(new Set())} />
    </div>
  );
}
