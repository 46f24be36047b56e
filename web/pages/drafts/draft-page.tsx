import { useParams } from '@tanstack/react-router';
import { api, type Schemas } from '../../client/api.ts';
import { readOnlyReason, useAgent } from '../../frame/agent-frame.tsx';
import { BackLink, TextLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel, Section } from '../../ui/panel.tsx';
import { Loaded } from '../../ui/states.tsx';
import { DraftActions, Rebase, whyClosed } from './draft-actions.tsx';
import { DraftChecks } from './draft-checks.tsx';
import { DraftDiff } from './draft-diff.tsx';
import { DraftStatus } from './draft-status.tsx';
import { EditReason } from './edit-reason.tsx';
import { EditText } from './edit-text.tsx';
import { Progress } from './progress.tsx';

type Draft = Schemas['Draft'];

export function DraftPage() {
  const agent = useAgent();
  const { draftId } = useParams({ from: '/inside/a/$agentId/drafts/$draftId' });
  const params = { path: { agentId: agent.id, draftId } };
  const draft = api.useQuery('get', '/v1/agents/{agentId}/drafts/{draftId}', { params });
  const unless = readOnlyReason(agent);
  return (
    <Page
      title={draft.data?.title ?? 'Draft'}
      above={
        <BackLink to="/a/$agentId/drafts" params={{ agentId: agent.id }}>
          Drafts
        </BackLink>
      }
      below={draft.data && <Head draft={draft.data} />}
      actions={draft.data && <DraftActions draft={draft.data} unless={unless} />}
    >
      <Loaded of={draft}>
        {(data) => (
          <>
            <Progress draft={data} />
            {data.stale && whyClosed(data) === null && <Stale draft={data} unless={unless} />}
            <div className="grid gap-8 @page-xl:grid-cols-[minmax(0,1fr)_24rem]">
              <div className="min-w-0">
                <Rationale draft={data} unless={unless} />
                <DraftDiff diff={data.diff} />
                {whyClosed(data) === null && <EditText draft={data} unless={unless} />}
              </div>
              <DraftChecks draft={data} />
            </div>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Head({ draft }: { draft: Draft }) {
  const { status, baseVersion, revision, draftHash, publishedVersion } = draft;
  return (
    <span className="flex flex-wrap items-center gap-2">
      <DraftStatus status={status} /> over version {baseVersion} · revision {revision} ·{' '}
      <code className="font-mono text-xs" title={draftHash}>
        {draftHash.slice(0, 17)}
      </code>
      {publishedVersion !== null && `· published as version ${publishedVersion}`}
    </span>
  );
}

function Stale({ draft, unless }: { draft: Draft; unless: string | null }) {
  return (
    <Panel tone="caution" className="mb-6 flex flex-wrap items-center gap-4 p-4">
      <p className="max-w-[76ch] flex-1">
        This draft is based on version {draft.baseVersion}, which is no longer live. Rebase it on the live version, then
        test it again.
      </p>
      <Rebase draft={draft} unless={unless} />
    </Panel>
  );
}

function Rationale({ draft, unless }: { draft: Draft; unless: string | null }) {
  const agent = useAgent();
  const { rationale, evidence } = draft;
  return (
    <Section title="Why" aside={whyClosed(draft) === null && <EditReason draft={draft} unless={unless} />}>
      <p className="max-w-[72ch] whitespace-pre-wrap break-words">{rationale || 'No reason was written down.'}</p>
      {evidence.issue && (
        <p className="mt-1 text-sm">
          From the issue{' '}
          <TextLink
            to="/a/$agentId/issues/$issueId"
            params={{ agentId: agent.id, issueId: evidence.issue.id }}
            className="underline"
          >
            {evidence.issue.title}
          </TextLink>
        </p>
      )}
      {evidence.comparison && (
        <p className="mt-1 text-sm">
          From the comparison of{' '}
          <TextLink
            to="/a/$agentId/compare/$comparisonId"
            params={{ agentId: agent.id, comparisonId: evidence.comparison.id }}
            className="underline"
          >
            version {evidence.comparison.fromVersion} with version {evidence.comparison.toVersion}
          </TextLink>
        </p>
      )}
    </Section>
  );
}
