import { type FormEvent, useState } from 'react';
import { api, type Schemas } from '../../client/api.ts';
import { useChange } from '../../client/use-change.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/field.tsx';
import { Panel, Section } from '../../ui/panel.tsx';
import { RefusalNote } from '../../ui/states.tsx';

type Test = Schemas['Test'];
type Spec = Test['spec'];

interface EditSpecProps {
  test: Test;
  onClose: () => void;
}

/** The whole spec as its file says it; what the server finds in it is listed by field before anything is kept. */
export function EditSpec({ test, onClose }: EditSpecProps) {
  const agent = useAgent();
  const change = useChange();
  const [text, setText] = useState(() => JSON.stringify(test.spec, null, 2));
  const check = api.useMutation('post', '/v1/agents/{agentId}/tests/validate');
  const save = api.useMutation('put', '/v1/agents/{agentId}/tests/{testId}/spec');
  const read = readSpec(text);
  const unread = 'why' in read ? read.why : null;
  const validate = () => {
    if ('spec' in read) check.mutate({ params: { path: { agentId: agent.id } }, body: { spec: read.spec } });
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!('spec' in read)) return;
    const params = { path: { agentId: agent.id, testId: test.id } };
    // The server reads it whole: what it is not, its answer says field by field.
    const body = { revision: test.revision, spec: read.spec as Spec };
    if (await change(save.mutateAsync({ params, body }))) onClose();
    else validate();
  };
  return (
    <Section
      title="Edit the test"
      note="runs that began keep the revision before; it gates again once it is calibrated"
    >
      <Panel className="p-4">
        <form className="space-y-4" onSubmit={(event) => void submit(event)}>
          <TextArea
            label="Spec"
            rows={24}
            spellCheck={false}
            wrap="off"
            value={text}
            error={unread}
            onChange={({ target }) => {
              setText(target.value);
              check.reset();
            }}
          />
          <RefusalNote error={save.error ?? check.error} />
          {check.data && <Found validation={check.data} />}
          <div className="flex flex-wrap gap-2">
            <Button kind="primary" type="submit" busy={save.isPending} unless={unread}>
              {`Keep as revision ${test.revision + 1}`}
            </Button>
            <Button busy={check.isPending} unless={unread} onClick={validate}>
              Check it
            </Button>
            <Button onClick={onClose}>Cancel</Button>
          </div>
        </form>
      </Panel>
    </Section>
  );
}

function readSpec(text: string): { spec: Record<string, unknown> } | { why: string } {
  try {
    const spec: unknown = JSON.parse(text);
    if (typeof spec === 'object' && spec !== null && !Array.isArray(spec)) return { spec: { ...spec } };
    return { why: 'A spec is one JSON object.' };
  } catch (error) {
    return { why: `This is no JSON yet: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function Found({ validation: { valid, problems } }: { validation: Schemas['Validation'] }) {
  return (
    <div role="status" className="space-y-2 text-sm">
      <p className={valid ? 'text-good' : 'text-bad'}>
        {valid ? '✓ It can be played and decided.' : '✕ It can’t be kept like this.'}
      </p>
      <ul className="space-y-1">
        {problems.map(({ param, message }) => (
          <li key={`${param} ${message}`} className="break-words">
            {param && <code className="mr-1 font-mono text-xs">{param}</code>}
            {message}
          </li>
        ))}
      </ul>
    </div>
  );
}
