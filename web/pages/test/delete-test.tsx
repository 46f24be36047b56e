import { api, type Schemas } from '../../client/api.ts';
import { useChange } from '../../client/use-change.ts';
import { readOnlyReason, useAgent } from '../../frame/agent-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { RefusalNote } from '../../ui/states.tsx';

/** It leaves the list, and can be brought back from its own page, which earlier runs still lead to. */
export function DeleteTest({ test }: { test: Schemas['Test'] }) {
  const agent = useAgent();
  const change = useChange();
  const edit = api.useMutation('patch', '/app/agents/{agentId}/tests/{testId}');
  const unless = readOnlyReason(agent);
  const archive = (archived: boolean) =>
    change(edit.mutateAsync({ params: { path: { agentId: agent.id, testId: test.id } }, body: { archived } }));
  if (test.archivedAt !== null) {
    return (
      <>
        <RefusalNote error={edit.error} />
        <Button unless={unless} busy={edit.isPending} onClick={() => void archive(false)}>
          Restore
        </Button>
      </>
    );
  }
  return (
    <Confirm
      button="Delete"
      kind="plain"
      unless={unless}
      title="Delete this test?"
      does="Delete the test"
      error={edit.error}
      busy={edit.isPending}
      onConfirm={() => archive(true)}
    >
      It leaves the list, test sets and later runs. Results of earlier runs stay, and from them it can be restored.
    </Confirm>
  );
}
