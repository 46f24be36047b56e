import { api, type Schemas } from '../../client/api.ts';
import { count } from '../../format.ts';
import { readOnlyReason, useAgent } from '../../frame/agent-frame.tsx';
import { Chip } from '../../ui/chip.tsx';
import { NameLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Section } from '../../ui/panel.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Cell, HeadCell, Table } from '../../ui/table.tsx';
import { MergeIntent } from './merge-intent.tsx';
import { RenameIntent } from './rename-intent.tsx';

type Intent = Schemas['Intent'];
type Kind = Intent['kind'];

const KINDS: [kind: Kind, title: string][] = [
  ['intent', 'Intents'],
  ['use_case', 'Use cases'],
  ['sub_use_case', 'Sub use cases'],
  ['persona', 'Kinds of callers'],
];

const SHOWN = 100;

export function IntentsPage() {
  return (
    <Page
      title="Intents"
      below="What callers want, found in their words. Your names and merges stay when calls are analyzed again."
    >
      {KINDS.map(([kind, title]) => (
        <OfKind key={kind} kind={kind} title={title} />
      ))}
    </Page>
  );
}

function OfKind({ kind, title }: { kind: Kind; title: string }) {
  const agent = useAgent();
  const params = { path: { agentId: agent.id }, query: { kind, limit: SHOWN } };
  const intents = api.useQuery('get', '/v1/agents/{agentId}/intents', { params });
  const none = intents.data?.data.length === 0;
  if (none && kind !== 'intent') return null;
  return (
    <Section title={title}>
      <Loaded of={intents} rows={4}>
        {({ data }) =>
          none ? (
            <Empty title="No intents yet">They appear once the first calls are analyzed.</Empty>
          ) : (
            <IntentTable title={title} intents={data.toSorted((a, b) => b.calls - a.calls)} />
          )
        }
      </Loaded>
    </Section>
  );
}

function IntentTable({ title, intents }: { title: string; intents: Intent[] }) {
  const agent = useAgent();
  const unless = readOnlyReason(agent);
  return (
    <Table label={title}>
      <thead>
        <tr>
          <HeadCell>Name</HeadCell>
          <HeadCell figure>Calls</HeadCell>
          <HeadCell>Includes</HeadCell>
          <HeadCell>
            <span className="sr-only">Actions</span>
          </HeadCell>
        </tr>
      </thead>
      <tbody>
        {intents.map((intent) => (
          <tr key={intent.id} className="hover:bg-sunken/60">
            <Cell>
              <Name intent={intent} /> {intent.named && <Chip>named by a person</Chip>}
            </Cell>
            <Cell figure>{count(intent.calls)}</Cell>
            <Cell className="break-words text-ink-2">{intent.aliases.join(', ')}</Cell>
            <Cell className="whitespace-nowrap">
              <span className="flex justify-end gap-1">
                <RenameIntent intent={intent} unless={unless} />
                <MergeIntent intent={intent} others={intents.filter(({ id }) => id !== intent.id)} unless={unless} />
              </span>
            </Cell>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

/** Calls are filtered by intents alone. */
function Name({ intent: { kind, slug, label } }: { intent: Intent }) {
  const agent = useAgent();
  if (kind !== 'intent') return <span className="font-medium">{label}</span>;
  return (
    <NameLink to="/a/$agentId/calls" params={{ agentId: agent.id }} search={{ intent: slug }}>
      {label}
    </NameLink>
  );
}
