import { useSearch } from '@tanstack/react-router';
import { PRINCIPAL_KINDS } from '../../../src/domain/vocabulary.ts';
import { api, type Schemas } from '../../client/api.ts';
import { byCursor } from '../../client/by-cursor.ts';
import { words } from '../../format.ts';
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

/** What people, keys and the copilot changed on the agent, and what they were refused. */
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
      below="Every change by people, keys, and the copilot, including refused ones. Newest first."
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
    return <Empty title="No entries yet">Changes by people, keys, and the copilot appear here.</Empty>;
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
          <HeadCell>Through</HeadCell>
          <HeadCell>Result</HeadCell>
          <HeadCell>Target</HeadCell>
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
const SURFACES: Record<Entry['surface'], string> = { v1: 'API', mcp: 'MCP', copilot: 'Copilot', app: 'App' };

/** `rollBackDraft` as `Roll back draft`. */
const inWords = (operation: string) => words(operation.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));

/** Where the thing that an operation ends with is shown. */
const PAGES = [
  { noun: 'Draft', label: 'Draft', to: (id: string) => `drafts/${id}` },
  { noun: 'Test', label: 'Test', to: (id: string) => `tests/${id}` },
  { noun: 'Run', label: 'Run', to: (id: string) => `runs/${id}` },
  { noun: 'Watch', label: 'Watch', to: (id: string) => `watches/${id}` },
  { noun: 'Goal', label: 'Goal', to: (id: string) => `goals/${id}` },
  { noun: 'Issue', label: 'Issue', to: (id: string) => `issues/${id}` },
  { noun: 'IssueStatus', label: 'Issue', to: (id: string) => `issues/${id}` },
  { noun: 'Import', label: 'Import', to: (id: string) => `imports/${id}` },
];

function Target({ operation, ids }: { operation: string; ids: readonly string[] }) {
  const agent = useAgent();
  const page = PAGES.find(({ noun }) => operation.endsWith(noun));
  const [first, ...others] = ids.filter((id) => id !== agent.id);
  if (page && first !== undefined && others.length === 0) {
    const to: string = `/a/${agent.id}/${page.to(first)}`;
    return <TextLink to={to}>{page.label}</TextLink>;
  }
  return <span className="block max-w-72 truncate font-mono text-xs text-ink-2">{ids.join(' ')}</span>;
}

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
        <span title={tool ?? operation}>{inWords(operation)}</span>
      </Cell>
      <Cell className="text-ink-2">{SURFACES[surface]}</Cell>
      <Cell>{status < REFUSED_FROM ? 'Done' : <Chip tone="caution">Refused ({status})</Chip>}</Cell>
      <Cell>
        <Target operation={operation} ids={targetIds} />
      </Cell>
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
