import { useState } from 'react';
import { api, type Schemas } from '../../client/api.ts';
import { useChange } from '../../client/use-change.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ButtonLink } from '../../ui/link.tsx';
import { RefusalNote } from '../../ui/states.tsx';

type Watch = Schemas['Watch'];

interface DecisionsProps {
  watch: Watch;
  unless: string | null;
}

/** Turn on, pause, edit, reject: each where the state of the watch allows it. */
export function Decisions({ watch, unless }: DecisionsProps) {
  const agent = useAgent();
  const { id: watchId, state, goLiveBlock } = watch;
  const decide = useDecision(watchId);
  const [rejecting, setRejecting] = useState(false);
  return (
    <>
      <RefusalNote error={decide.error} />
      {unless === null && (
        <ButtonLink to="/a/$agentId/watches/$watchId/edit" params={{ agentId: agent.id, watchId }}>
          Edit
        </ButtonLink>
      )}
      {state !== 'rejected' && (
        <Button kind="danger" unless={unless} onClick={() => setRejecting(true)}>
          Reject
        </Button>
      )}
      {state === 'live' ? (
        <Button unless={unless} busy={decide.busy} onClick={() => void decide.pause()}>
          Pause
        </Button>
      ) : (
        <Button
          kind="primary"
          unless={unless ?? goLiveBlock ?? whyNotNow(state)}
          busy={decide.busy}
          onClick={() => void decide.turnOn()}
        >
          Turn on
        </Button>
      )}
      {rejecting && (
        <Dialog title="Reject this watch?" onClose={() => setRejecting(false)}>
          <p className="mb-4 text-ink-2">
            It judges no calls and is not suggested again. Editing it later makes it a draft.
          </p>
          <div className="flex gap-2">
            <Button
              kind="danger"
              busy={decide.busy}
              onClick={() => void decide.reject().then(() => setRejecting(false))}
            >
              Reject the watch
            </Button>
            <Button onClick={() => setRejecting(false)}>Keep it</Button>
          </div>
        </Dialog>
      )}
    </>
  );
}

function whyNotNow(state: Watch['state']): string | null {
  return state === 'review' || state === 'paused' ? null : 'Only a watch in review or a paused one can be turned on.';
}

function useDecision(watchId: string) {
  const agent = useAgent();
  const change = useChange();
  const turnOn = api.useMutation('post', '/app/agents/{agentId}/watches/{watchId}/turn-on');
  const pause = api.useMutation('post', '/app/agents/{agentId}/watches/{watchId}/pause');
  const reject = api.useMutation('post', '/app/agents/{agentId}/watches/{watchId}/reject');
  const told = { params: { path: { agentId: agent.id, watchId } } };
  return {
    busy: turnOn.isPending || pause.isPending || reject.isPending,
    error: turnOn.error ?? pause.error ?? reject.error,
    turnOn: () => change(turnOn.mutateAsync(told)),
    pause: () => change(pause.mutateAsync(told)),
    reject: () => change(reject.mutateAsync(told)),
  };
}
