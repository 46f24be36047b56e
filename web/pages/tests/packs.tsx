import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, type Schemas } from '../../client/api.ts';
import { plural, words } from '../../format.ts';
import { readOnlyReason, useAgent } from '../../frame/agent-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { Panel, Section } from '../../ui/panel.tsx';
import { Loaded, RefusalNote } from '../../ui/states.tsx';
import { PriceLine } from '../runs/run-price.tsx';

type Pack = Schemas['TestPack'];

/** Tests that come with Earshot, fitted to the agent, each pack with what a run of it may cost. */
export function Packs() {
  const agent = useAgent();
  const packs = api.useQuery('get', '/v1/agents/{agentId}/packs', { params: { path: { agentId: agent.id } } });
  return (
    <Section title="Test packs" note="Ready-made tests, fitted to the tools and models of this agent.">
      <Panel className="divide-y divide-line/70">
        <Loaded of={packs} rows={2}>
          {({ data }) => data.map((pack) => <PackRow key={pack.id} pack={pack} />)}
        </Loaded>
      </Panel>
    </Section>
  );
}

function PackRow({ pack }: { pack: Pack }) {
  const agent = useAgent();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [once] = useState(() => crypto.randomUUID());
  const make = api.useMutation('post', '/v1/agents/{agentId}/packs');
  const start = api.useMutation('post', '/v1/agents/{agentId}/runs');
  const params = { path: { agentId: agent.id } };
  const run = async () => {
    const { testSetId } = await make.mutateAsync({ params, body: { pack: pack.id } });
    const headers = { 'Idempotency-Key': once };
    const started = await start.mutateAsync({ params, headers, body: { testSetId, version: agent.currentVersion } });
    void queries.invalidateQueries();
    await navigate({ to: '/a/$agentId/runs/$runId', params: { agentId: agent.id, runId: started.id } });
  };
  const fits = pack.tests.some(({ leftOut }) => leftOut === null);
  const unless = readOnlyReason(agent) ?? (fits ? null : (pack.tests[0]?.leftOut ?? 'It has no test.'));
  return (
    <div className="flex flex-wrap items-start gap-x-6 gap-y-3 px-4 py-4">
      <div className="min-w-0 flex-1 basis-96 space-y-1">
        <h3 className="font-medium">{pack.name}</h3>
        <p className="text-ink-2">{pack.description}</p>
        {fits ? <PriceLine price={pack.price} /> : <p className="text-sm">{unless}</p>}
        <PackTests pack={pack} />
        <RefusalNote error={make.error ?? start.error} />
      </div>
      {/* What was refused is told in the row. */}
      <Button unless={unless} busy={make.isPending || start.isPending} onClick={() => void run().catch(() => null)}>
        Run pack
      </Button>
    </div>
  );
}

function PackTests({ pack: { tests } }: { pack: Pack }) {
  const leftOut = tests.filter((test) => test.leftOut !== null).length;
  return (
    <details className="text-sm">
      <summary className="cursor-pointer text-ink-2">
        {plural(tests.length, 'test')}
        {leftOut > 0 && `, ${leftOut === tests.length ? 'all' : leftOut} left out`}
      </summary>
      <ul className="mt-2 space-y-1">
        {tests.map(({ id, kind, title, leftOut: reason }) => (
          <li key={id}>
            {title} <span className="text-ink-2">({words(kind)})</span>
            {reason && <span className="block text-ink-2">Left out: {reason}</span>}
          </li>
        ))}
      </ul>
    </details>
  );
}
