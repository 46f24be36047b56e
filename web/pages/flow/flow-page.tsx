import { useNavigate, useSearch } from '@tanstack/react-router';
import { FlowMap } from '../../charts/flow-map.tsx';
import { api, type Schemas } from '../../client/api.ts';
import { calls } from '../../format.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { SavedViews } from '../../frame/saved-views.tsx';
import { Select } from '../../ui/field.tsx';
import { TabLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Loaded, ProblemNote } from '../../ui/states.tsx';
import { CallsLink } from './calls-link.tsx';
import type { FlowFilters } from './filters.ts';
import { FlowTable } from './flow-table.tsx';

type Flow = Schemas['Flow'];

export function FlowPage() {
  const agent = useAgent();
  const filters = useSearch({ from: '/inside/a/$agentId/flow' });
  const flow = useFlow(filters.version);
  const against = useFlow(filters.against ?? filters.version);
  return (
    <Page
      title="Flow"
      actions={<SavedViews page="flow" />}
      below={flow.data && `Version ${flow.data.version}: how its calls go from step to step, and where they end badly.`}
    >
      <Choices filters={filters} current={agent.currentVersion} />
      <Loaded of={flow}>
        {(data) => <ShownFlow flow={data} against={filters.against ? against.data : undefined} filters={filters} />}
      </Loaded>
      {filters.against !== undefined && against.error && (
        <ProblemNote error={against.error} onRetry={() => void against.refetch()} />
      )}
    </Page>
  );
}

function useFlow(version: number | undefined) {
  const agent = useAgent();
  const query = version === undefined ? {} : { version };
  return api.useQuery('get', '/v1/agents/{agentId}/flow', { params: { path: { agentId: agent.id }, query } });
}

function ShownFlow({ flow, against, filters }: { flow: Flow; against: Flow | undefined; filters: FlowFilters }) {
  if (flow.steps.length === 0) {
    return (
      <Empty title="No calls of this version have been analyzed yet">
        The map appears with the first one. Other versions can be chosen above.
      </Empty>
    );
  }
  return (
    <>
      {!flow.steps.some(({ kind }) => kind === 'node') && (
        <p className="mb-3 text-sm text-ink-2">
          This agent has no steps of its own: the map shows where calls begin and the tools that they come to.
        </p>
      )}
      {filters.view === 'table' ? (
        <FlowTable flow={flow} against={against} />
      ) : (
        <FlowMap flow={flow} total={totalOf(flow)} against={against} link={CallsLink} />
      )}
      <p className="mt-2 text-sm text-ink-2">
        {calls(totalOf(flow))} ended at one of these steps. Choose a step or a line to see its calls.
      </p>
    </>
  );
}

/** Each call ends once. */
const totalOf = ({ endings }: Flow) => endings.reduce((sum, ending) => sum + ending.calls, 0);

function Choices({ filters, current }: { filters: FlowFilters; current: number }) {
  const agent = useAgent();
  const navigate = useNavigate({ from: '/a/$agentId/flow' });
  const params = { path: { agentId: agent.id }, query: { limit: 100 } };
  const versions = api.useQuery('get', '/v1/agents/{agentId}/versions', { params }).data?.data ?? [];
  const choose = (name: 'version' | 'against') => (value: string) => {
    const { [name]: _before, ...rest } = filters;
    void navigate({ search: value === '' ? rest : { ...rest, [name]: Number(value) }, replace: true });
  };
  const offered = versions.map(({ version }) => version);
  const isTable = filters.view === 'table';
  return (
    <div className="mb-4 flex flex-wrap items-end gap-4">
      <VersionChoice
        label="Version"
        none={`Live (${current})`}
        {...{ offered }}
        value={filters.version}
        onChoose={choose('version')}
      />
      <VersionChoice
        label="Against"
        none="No other"
        {...{ offered }}
        value={filters.against}
        onChoose={choose('against')}
      />
      <nav aria-label="Map or table" className="flex gap-1">
        <TabLink from="/a/$agentId/flow" search={({ view: _view, ...rest }: FlowFilters) => rest} chosen={!isTable}>
          Map
        </TabLink>
        <TabLink
          from="/a/$agentId/flow"
          search={(before: FlowFilters) => ({ ...before, view: 'table' as const })}
          chosen={isTable}
        >
          Table
        </TabLink>
      </nav>
    </div>
  );
}

interface VersionChoiceProps {
  label: string;
  none: string;
  offered: number[];
  value: number | undefined;
  onChoose: (value: string) => void;
}

function VersionChoice({ label, none, offered, value, onChoose }: VersionChoiceProps) {
  return (
    <div className="w-36">
      <Select label={label} value={value ?? ''} onChange={({ target }) => onChoose(target.value)}>
        <option value="">{none}</option>
        {offered.map((version) => (
          <option key={version} value={version}>
            Version {version}
          </option>
        ))}
      </Select>
    </div>
  );
}
