import { useNavigate } from '@tanstack/react-router';
import { api, type Schemas } from '../../client/api.ts';
import { useChange } from '../../client/use-change.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { RefusalNote } from '../../ui/states.tsx';
import { RunPrice } from '../runs/run-price.tsx';
import { Publish, RollBack } from './publish.tsx';

interface DraftActionsProps {
  draft: Schemas['Draft'];
  unless: string | null;
}

/** Why a draft cannot be worked on any more; null while it can. */
export function whyClosed({ status }: Schemas['Draft']): string | null {
  return status === 'draft' || status === 'testing' ? null : `It is ${status}.`;
}

export function DraftActions({ draft, unless }: DraftActionsProps) {
  const { status, rolledBackAt, diff } = draft;
  if (status === 'published') return rolledBackAt === null && <RollBack draft={draft} unless={unless} />;
  if (whyClosed(draft) !== null) return null;
  return (
    <>
      <Discard draft={draft} unless={unless} />
      <Test draft={draft} unless={unless ?? (diff.length === 0 ? 'Nothing differs from the base yet.' : null)} />
      <Publish draft={draft} unless={unless} />
    </>
  );
}

/** Plays every test on exactly this text. */
function Test({ draft, unless }: DraftActionsProps) {
  const agent = useAgent();
  const navigate = useNavigate();
  const change = useChange();
  const start = api.useMutation('post', '/v1/agents/{agentId}/runs');
  const run = async () => {
    const body = { all: true, draftId: draft.id };
    const started = await change(start.mutateAsync({ params: { path: { agentId: agent.id } }, body }));
    if (started) await navigate({ to: '/a/$agentId/runs/$runId', params: { agentId: agent.id, runId: started.id } });
    return started;
  };
  return (
    <Confirm
      button="Run all tests on it"
      kind="plain"
      unless={unless}
      title="Run all tests on this draft?"
      does="Start the run"
      isSafe
      error={start.error}
      busy={start.isPending}
      onConfirm={run}
    >
      <RunPrice repeats={false} />
    </Confirm>
  );
}

export function Rebase({ draft, unless }: DraftActionsProps) {
  const agent = useAgent();
  const change = useChange();
  const rebase = api.useMutation('post', '/app/agents/{agentId}/drafts/{draftId}/rebase');
  const params = { path: { agentId: agent.id, draftId: draft.id } };
  return (
    <>
      <RefusalNote error={rebase.error} />
      <Button
        unless={unless ?? whyClosed(draft)}
        busy={rebase.isPending}
        onClick={() => void change(rebase.mutateAsync({ params }))}
      >
        Lay it over the live version
      </Button>
    </>
  );
}

function Discard({ draft, unless }: DraftActionsProps) {
  const agent = useAgent();
  const change = useChange();
  const discard = api.useMutation('post', '/app/agents/{agentId}/drafts/{draftId}/discard');
  const params = { path: { agentId: agent.id, draftId: draft.id } };
  return (
    <Confirm
      button="Discard"
      kind="danger"
      unless={unless}
      title="Discard this draft?"
      does="Discard the draft"
      error={discard.error}
      busy={discard.isPending}
      onConfirm={() => change(discard.mutateAsync({ params }))}
    >
      Nothing changes at the platform. It stays in the list, and cannot be taken up again.
    </Confirm>
  );
}
