import { useNavigate } from '@tanstack/react-router';
import { api, type Schemas } from '../../client/api.ts';
import { useChange } from '../../client/use-change.ts';
import { readOnlyReason, useAgent } from '../../frame/agent-frame.tsx';
import { BackLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { TestEditor } from './test-editor.tsx';
import { NEW_TEST, type TestFile } from './test-file.ts';

export function NewTestPage() {
  const agent = useAgent();
  const change = useChange();
  const navigate = useNavigate();
  const make = api.useMutation('post', '/v1/agents/{agentId}/tests');
  const params = { path: { agentId: agent.id } };
  const save = async ({ spec, ...about }: TestFile) => {
    const body = { ...about, spec: spec as Schemas['TestSpecInput'] };
    const made = await change(make.mutateAsync({ params, body }));
    if (made) await navigate({ to: '/a/$agentId/tests/$testId', params: { agentId: agent.id, testId: made.id } });
    return made;
  };
  return (
    <Page
      title="New test"
      above={
        <BackLink to="/a/$agentId/tests" params={{ agentId: agent.id }}>
          Tests
        </BackLink>
      }
      below="A caller, what the tools answer, and what must hold. A test made from a call already has all of it."
    >
      <TestEditor
        name={`new test ${agent.id}`}
        before={NEW_TEST}
        save="Create test"
        error={make.error}
        busy={make.isPending}
        unless={readOnlyReason(agent)}
        onSave={save}
        onCancel={() => void navigate({ to: '/a/$agentId/tests', params: { agentId: agent.id } })}
      />
    </Page>
  );
}
