import { useNavigate } from '@tanstack/react-router';
import { api } from '../../client/api.ts';
import { useChange } from '../../client/use-change.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { RefusalNote } from '../../ui/states.tsx';

/** A draft that begins with the place and the suggestion of an issue. */
export function OpenDraft({ issueId, unless }: { issueId: string; unless: string | null }) {
  const agent = useAgent();
  const navigate = useNavigate();
  const change = useChange();
  const make = api.useMutation('post', '/app/agents/{agentId}/drafts');
  const run = async () => {
    const made = await change(make.mutateAsync({ params: { path: { agentId: agent.id } }, body: { issueId } }));
    if (made) await navigate({ to: '/a/$agentId/drafts/$draftId', params: { agentId: agent.id, draftId: made.id } });
  };
  return (
    <>
      <RefusalNote error={make.error} />
      <Button unless={unless} busy={make.isPending} onClick={() => void run()}>
        Open a draft
      </Button>
    </>
  );
}
