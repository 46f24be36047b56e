import { useNavigate } from '@tanstack/react-router';
import { sendsCalls } from '../../../src/domain/vocabulary.ts';
import { api, type Schemas } from '../../client/api.ts';
import { useChange } from '../../client/use-change.ts';
import { words } from '../../format.ts';
import { readOnlyReason, useAgent } from '../../frame/agent-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { Chip, type Tone } from '../../ui/chip.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Loaded, RefusalNote } from '../../ui/states.tsx';
import { BriefChat } from './brief-chat.tsx';
import { BriefForm } from './brief-form.tsx';
import { BriefText } from './brief-text.tsx';

type AgentBrief = Schemas['AgentBrief'];

/** What a person begins with where nothing was read. */
const EMPTY: Schemas['Brief'] = { purpose: null, steps: [], tools: [], intents: [], done: [], rules: [] };

const READ_MS = 2_000;
const TONES: Record<AgentBrief['setupStatus'], Tone> = { pending: 'caution', approved: 'good', rejected: 'bad' };

/** What was understood of the agent, for a person to approve before calls are read. */
export function BriefPage() {
  const agent = useAgent();
  const unless = readOnlyReason(agent);
  const isBeingRead = (read: AgentBrief | undefined) =>
    read?.brief === null && read.setupStatus === 'pending' && !sendsCalls(agent.provider);
  const brief = api.useQuery(
    'get',
    '/app/agents/{agentId}/brief',
    { params: { path: { agentId: agent.id } } },
    { refetchInterval: ({ state }) => (isBeingRead(state.data) ? READ_MS : false) },
  );
  return (
    <Page
      title="Brief"
      below={
        <span className="flex flex-wrap items-center gap-2">
          {brief.data && <Chip tone={TONES[brief.data.setupStatus]}>{words(brief.data.setupStatus)}</Chip>}
          What the agent is for, what counts as done, and the rules of its own text.
        </span>
      }
      actions={brief.data && !isBeingRead(brief.data) && <Answers brief={brief.data} unless={unless} />}
    >
      <Loaded of={brief}>
        {(data) => (
          <>
            {data.brief === null && (
              <Panel className="mb-6 p-5">
                <p role="status">{data.message ?? READING}</p>
              </Panel>
            )}
            {!isBeingRead(data) && (
              <div className={data.brief ? 'grid gap-8 @page-xl:grid-cols-[minmax(0,1fr)_26rem]' : 'max-w-3xl'}>
                {data.brief && <BriefText brief={data.brief} />}
                <div className="space-y-6">
                  <BriefForm brief={data.brief ?? EMPTY} unless={unless} />
                  <BriefChat brief={data.brief ?? EMPTY} unless={unless} />
                </div>
              </div>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

const READING = 'The configuration of the agent is being read from its platform…';

function Answers({ brief, unless }: { brief: AgentBrief; unless: string | null }) {
  const agent = useAgent();
  const navigate = useNavigate();
  const change = useChange();
  const params = { path: { agentId: agent.id } };
  const approve = api.useMutation('post', '/app/agents/{agentId}/brief/approve');
  const reject = api.useMutation('post', '/app/agents/{agentId}/brief/reject');
  const again = api.useMutation('post', '/app/agents/{agentId}/brief/read');
  const run = async () => {
    const started = await change(approve.mutateAsync({ params }));
    if (started?.object === 'import') await navigate({ to: '/a/$agentId/imports', params: { agentId: agent.id } });
  };
  const missing = brief.brief === null ? 'There is no brief yet.' : null;
  const approved = missing ?? (brief.setupStatus === 'approved' ? 'It is approved already.' : null);
  return (
    <>
      <RefusalNote error={approve.error ?? reject.error ?? again.error} />
      <Button unless={unless} busy={again.isPending} onClick={() => void change(again.mutateAsync({ params }))}>
        Read again
      </Button>
      <Button
        kind="danger"
        unless={unless ?? approved}
        busy={reject.isPending}
        onClick={() => void change(reject.mutateAsync({ params }))}
      >
        Reject
      </Button>
      <Button kind="primary" unless={unless ?? approved} busy={approve.isPending} onClick={() => void run()}>
        {sendsCalls(agent.provider) ? 'Approve' : 'Approve and import calls'}
      </Button>
    </>
  );
}
