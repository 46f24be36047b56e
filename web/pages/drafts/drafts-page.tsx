import { api, type Schemas } from '../../client/api.ts';
import { byCursor } from '../../client/by-cursor.ts';
import { count } from '../../format.ts';
import { readOnlyReason, useAgent } from '../../frame/agent-frame.tsx';
import { Chip } from '../../ui/chip.tsx';
import { NameLink } from '../../ui/link.tsx';
import { More } from '../../ui/more.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Cell, HeadCell, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { DraftStatus } from './draft-status.tsx';
import { NewDraft } from './new-draft.tsx';

type Draft = Schemas['DraftListed'];

export function DraftsPage() {
  const agent = useAgent();
  const drafts = api.useInfiniteQuery(
    'get',
    '/v1/agents/{agentId}/drafts',
    { params: { path: { agentId: agent.id }, query: { limit: 100 } } },
    byCursor,
  );
  const rows = drafts.data?.pages.flatMap(({ data }) => data);
  return (
    <Page
      title="Drafts"
      below="Changes of the agent’s text, with what they change, what rules say of them, and runs on exactly this text."
      above={readOnlyReason(agent) ?? undefined}
      actions={<NewDraft unless={readOnlyReason(agent)} />}
    >
      <Loaded of={{ data: rows, error: drafts.error, refetch: drafts.refetch }}>
        {(loaded) =>
          loaded.length === 0 ? (
            <Empty title="No drafts yet">
              Open an issue and press “Open a draft”: its place and its suggestion are the beginning of one.
            </Empty>
          ) : (
            <DraftTable drafts={loaded} />
          )
        }
      </Loaded>
      <More of={drafts} />
    </Page>
  );
}

function DraftTable({ drafts }: { drafts: Draft[] }) {
  const agent = useAgent();
  return (
    <Table label="Drafts">
      <thead>
        <tr>
          <HeadCell>Draft</HeadCell>
          <HeadCell>Status</HeadCell>
          <HeadCell>Over version</HeadCell>
          <HeadCell figure>Changed places</HeadCell>
          <HeadCell>Tests on this text</HeadCell>
          <HeadCell>Changed</HeadCell>
        </tr>
      </thead>
      <tbody>
        {drafts.map(({ id, title, status, baseVersion, stale, changedParts, suiteGate, updatedAt }) => (
          <tr key={id} className="hover:bg-sunken/60">
            <Cell>
              <NameLink to="/a/$agentId/drafts/$draftId" params={{ agentId: agent.id, draftId: id }}>
                {title}
              </NameLink>
            </Cell>
            <Cell>
              <DraftStatus status={status} />
            </Cell>
            <Cell>
              {baseVersion} {stale && <Chip tone="caution">stale</Chip>}
            </Cell>
            <Cell figure>{count(changedParts)}</Cell>
            <Cell>{suiteGate.ok ? <Chip tone="good">✓ ran</Chip> : <span className="text-ink-2">not yet</span>}</Cell>
            <Cell>
              <Time at={updatedAt} short />
            </Cell>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
