import { api, type Schemas } from '../../client/api.ts';
import { useChange } from '../../client/use-change.ts';
import { readOnlyReason, useAgent } from '../../frame/agent-frame.tsx';
import { TestEditor } from './test-editor.tsx';
import { fileOf, type TestFile } from './test-file.ts';

type Test = Schemas['Test'];

/** What it plays makes a new revision; its title, lane and expectation are the test's own. */
export function EditTest({ test, onClose }: { test: Test; onClose: () => void }) {
  const agent = useAgent();
  const change = useChange();
  const about = api.useMutation('patch', '/app/agents/{agentId}/tests/{testId}');
  const spec = api.useMutation('put', '/v1/agents/{agentId}/tests/{testId}/spec');
  const params = { path: { agentId: agent.id, testId: test.id } };
  const before = fileOf(test);
  const save = async ({ spec: changed, ...rest }: TestFile) => {
    const { spec: was, ...restBefore } = before;
    const work = async () => {
      // The server reads it whole: what it is not, its answer says field by field.
      const body = { revision: test.revision, spec: changed as Test['spec'] };
      if (differs(changed, was)) await spec.mutateAsync({ params, body });
      if (differs(rest, restBefore)) await about.mutateAsync({ params, body: rest });
      return true;
    };
    const saved = await change(work());
    if (saved) onClose();
    return saved;
  };
  return (
    <TestEditor
      name={`test ${test.id} ${test.revision}`}
      before={before}
      save="Save test"
      error={spec.error ?? about.error}
      busy={spec.isPending || about.isPending}
      unless={readOnlyReason(agent)}
      onSave={save}
      onCancel={onClose}
    />
  );
}

const differs = (one: unknown, other: unknown) => JSON.stringify(one) !== JSON.stringify(other);
