import { useSearch } from '@tanstack/react-router';
import { PRINCIPAL_KINDS } from '../../../src/domain/vocabulary.ts';
import { api, type Schemas } from '../../client/api.ts';
import { byCursor } from '../../client/by-cursor.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { SavedViews } from '../../frame/saved-views.tsx';
import { Chip } from '../../ui/chip.tsx';
import { TabLink, TextLink } from '../../ui/link.tsx';
import { More } from '../../ui/more.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Cell, HeadCell, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import type { AuditFilters } from './filters.ts';

type Entry = Schemas['AuditEntry'];

const FROM = '/a/$agentId/audit';
const LABELS = { person: 'People', key: 'Keys', copilot: 'Copilot' };

/** What keys and the copilot changed on the agent, and what they were refused. */
export function AuditPage() {
  const agent = useAgent();
  const filters = useSearch({ from: '/inside/a/$agentId/audit' });
  const entries = api.useInfiniteQuery(
    'get',
    '/v1/agents/{agentId}/audit',
    { params: { path: { agentId: agent.id }, query: { limit: 100, ...filters } } },
    byCursor,
  );
  const rows = entries.data?.pages.flatMap(({ data }) => data);
  return (
    <Page
      title="Audit log"
      actions={<SavedViews page="audit" />}
      below="Every write by a key, through MCP or by the copilot, and every publish and rollback, refused or not; newest first."
    >
      <nav aria-label="Narrow the log" className="mb-3 flex flex-wrap gap-1">
        <TabLink from={FROM} search={{}} chosen={filters.principalKind === undefined}>
          All
        </TabLink>
        {PRINCIPAL_KINDS.map((kind) => (
          <TabLink key={kind} from={FROM} search={{ principalKind: kind }} chosen={filters.principalKind === kind}>
            {LABELS[kind]}
          </TabLink>
        ))}
      </nav>
      <Loaded of={{ data: rows, error: entries.error, refetch: entries.refetch }}>
        {(loaded) => (loaded.length === 0 ? <NoEntries filters={filters} /> : <EntryTable entries={loaded} />)}
      </Loaded>
      <More of={entries} />
    </Page>
  );
}

function NoEntries({ filters }: { filters: AuditFilters }) {
  if (filters.principalKind === undefined)
    return (
      <Empty title="No entries yet">What people change in the app stands in the history of what they changed.</Empty>
    );
  return (
    <Empty
      title={`No entries of ${LABELS[filters.principalKind].toLowerCase()}`}
      action={
        <TextLink from={FROM} search={{}}>
          Show all entries
        </TextLink>
      }
    />
  );
}

function EntryTable({ entries }: { entries: Entry[] }) {
  const names = useNames();
  return (
    <Table label="Audit log">
      <thead>
        <tr>
          <HeadCell>When</HeadCell>
          <HeadCell>Who</HeadCell>
          <HeadCell>What</HeadCell>
          <HeadCell>By</HeadCell>
          <HeadCell>Answer</HeadCell>
          <HeadCell>On</HeadCell>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <EntryRow key={entry.id} entry={entry} names={names} />
        ))}
      </tbody>
    </Table>
  );
}

const REFUSED_FROM = 400;

function EntryRow({ entry, names }: { entry: Entry; names: Map<string, string> }) {
  const { createdAt, principalKind, userId, apiKeyId, operation, tool, surface, status, targetIds } = entry;
  const who = userId ?? apiKeyId;
  return (
    <tr className="hover:bg-sunken/60">
      <Cell>
        <Time at={createdAt} />
      </Cell>
      <Cell>
        {(who && names.get(who)) ?? <span className="text-ink-2">{principalKind}</span>}
        {principalKind !== 'person' && ` (${principalKind})`}
      </Cell>
      <Cell>
        <code className="font-mono text-xs">{tool ?? operation}</code>
      </Cell>
      <Cell className="text-ink-2">{surface}</Cell>
      <Cell>{status < REFUSED_FROM ? status : <Chip tone="caution">{status} refused</Chip>}</Cell>
      <Cell className="max-w-72 truncate font-mono text-xs text-ink-2">{targetIds.join(' ')}</Cell>
    </tr>
  );
}

/** Of people and keys, by id; who is gone keeps no name here. */
function useNames(): Map<string, string> {
  const params = { query: { limit: 100 } };
  const members = api.useQuery('get', '/app/members', { params }).data?.data ?? [];
  const keys = api.useQuery('get', '/app/keys', { params }).data?.data ?? [];
  return new Map([...members, ...keys].map(({ id, name }) => [id, name]));
}
