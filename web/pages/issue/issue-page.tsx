import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { Schemas } from '../../client/api.ts';
import { percent, words } from '../../format.ts';
import { readOnlyReason, useAgent } from '../../frame/agent-frame.tsx';
import { Chip } from '../../ui/chip.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { Page } from '../../ui/page.tsx';
import { ProblemNote, Skeleton } from '../../ui/states.tsx';
import { OpenDraft } from '../drafts/open-draft.tsx';
import { Generate } from '../tests/generate.tsx';
import { AtWork } from './at-work.tsx';
import { Cause } from './cause.tsx';
import { Comments } from './comments.tsx';
import { Differences } from './differences.tsx';
import { EvidenceStrip } from './evidence-strip.tsx';
import { IssueNumbers } from './issue-numbers.tsx';
import { explanationQuery, issueQuery } from './queries.ts';
import { RankReason } from './rank-reason.tsx';
import { StatusChip } from './status-chip.tsx';
import { StatusDialog } from './status-dialog.tsx';
import { UntilResolved } from './until-resolved.tsx';

type Issue = Schemas['Issue'];

export function IssuePage() {
  const agent = useAgent();
  const { issueId } = useParams({ from: '/inside/a/$agentId/issues/$issueId' });
  const path = { agentId: agent.id, issueId };
  const issue = useQuery(issueQuery(path));
  const explanation = useQuery(explanationQuery(path));
  if (!issue.data) {
    return (
      <Page title="Issue" above={<BackToIssues />}>
        {issue.error ? <ProblemNote error={issue.error} onRetry={() => void issue.refetch()} /> : <Skeleton />}
      </Page>
    );
  }
  return <ShownIssue issue={issue.data} explanation={explanation} />;
}

interface ShownProps {
  issue: Issue;
  explanation: { data: Schemas['IssueExplanation'] | undefined; error: unknown; refetch: () => unknown };
}

function ShownIssue({ issue, explanation }: ShownProps) {
  const agent = useAgent();
  return (
    <Page
      title={`${issue.title}: ${issue.location.label}`}
      above={<BackToIssues />}
      below={issue.sectionNote}
      actions={
        <>
          <CopyButton text={() => briefFor(issue)}>Copy for a coding agent</CopyButton>
          <Generate issueId={issue.id} unless={readOnlyReason(agent)} />
          <OpenDraft issueId={issue.id} unless={readOnlyReason(agent)} />
          <StatusDialog issue={issue} unless={readOnlyReason(agent)} />
        </>
      }
    >
      <div className="mb-6 flex flex-wrap items-center gap-2">
        <StatusChip status={issue.status} />
        <Chip tone={issue.section === 'not_established' ? 'caution' : 'neutral'}>{words(issue.section)}</Chip>
        <Chip>{words(issue.klass)}</Chip>
        {issue.lane && <Chip>{words(issue.lane)}</Chip>}
        {issue.fellOnLive && <Chip tone="good">Gone on the live version</Chip>}
      </div>
      <div className="grid gap-8 @page-xl:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="min-w-0">
          <EvidenceStrip issue={issue} />
          <Cause issue={issue} explanation={explanation.data} />
          {explanation.error ? (
            <div className="mt-8">
              <ProblemNote error={explanation.error} onRetry={() => void explanation.refetch()} />
            </div>
          ) : (
            explanation.data && (
              <>
                <Differences explanation={explanation.data} />
                <RankReason explanation={explanation.data} />
              </>
            )
          )}
          <Comments issue={issue} unless={readOnlyReason(agent)} />
        </div>
        <aside className="min-w-0 space-y-6" aria-label="Figures and history">
          <AtWork issue={issue} unless={readOnlyReason(agent)} />
          <IssueNumbers issue={issue} explanation={explanation.data} />
          {explanation.data && <UntilResolved issue={issue} explanation={explanation.data} />}
        </aside>
      </div>
    </Page>
  );
}

function BackToIssues() {
  return (
    <Link from="/a/$agentId" to="/a/$agentId/issues" className="hover:text-ink hover:underline">
      ← Issues
    </Link>
  );
}

/** What somebody who changes the agent needs to know, as plain text. */
function briefFor(issue: Issue): string {
  return [
    `Issue: ${issue.title} at ${issue.location.kind} "${issue.location.label}"`,
    `Seen on ${issue.volume} calls; ${percent(issue.failedOutcomeShare)} of them ended badly.`,
    `Cause: ${issue.likelyCause ?? issue.causeSummary}`,
    `To change: ${issue.target.kind} "${issue.target.label}"`,
    ...(issue.recommendation ? [`Suggestion: ${issue.recommendation}`] : []),
    `Evidence: ${location.href}`,
  ].join('\n');
}
