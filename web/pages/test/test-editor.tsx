import { type FormEvent, useState } from 'react';
import { api, type Schemas } from '../../client/api.ts';
import { useTyped } from '../../client/use-typed.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/field.tsx';
import { Panel } from '../../ui/panel.tsx';
import { RefusalNote } from '../../ui/states.tsx';
import { readFile, type TestFile, textOf } from './test-file.ts';
import { TestForm } from './test-form.tsx';

interface TestEditorProps {
  /** Where unsaved changes are kept. */
  name: string;
  before: TestFile;
  /** On the button that saves. */
  save: string;
  error: unknown;
  busy: boolean;
  unless: string | null;
  /** @returns null where it was refused. */
  onSave: (file: TestFile) => Promise<unknown>;
  onCancel: () => void;
}

/** A test as a form, with its file beside it: what is changed in one shows in the other. */
export function TestEditor({ name, before, save, error, busy, unless, onSave, onCancel }: TestEditorProps) {
  const agent = useAgent();
  const [typed, keep] = useTyped<string>(name);
  const text = typed ?? textOf(before);
  const read = readFile(text);
  const [shown, show] = useState(() => ('file' in read ? read.file : before));
  const file = 'file' in read ? read.file : shown;
  const unread = 'why' in read ? read.why : null;
  const check = api.useMutation('post', '/v1/agents/{agentId}/tests/validate');
  const validate = () => check.mutate({ params: { path: { agentId: agent.id } }, body: { spec: file.spec } });
  const change = (next: string) => {
    keep(next);
    const nextRead = readFile(next);
    if ('file' in nextRead) show(nextRead.file);
    check.reset();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (unread !== null) return;
    if ((await onSave(file)) === null) validate();
    else keep(null);
  };
  const cancel = () => {
    keep(null);
    onCancel();
  };
  const problems = check.data?.problems ?? [];
  return (
    <form onSubmit={(event) => void submit(event)}>
      <div className="grid gap-8 @page-xl:grid-cols-2">
        <fieldset disabled={unread !== null} className="min-w-0">
          <TestForm
            file={file}
            onChange={(next) => change(textOf(next))}
            wrongAt={(param) => problems.find((problem) => problem.param === param)?.message ?? null}
          />
        </fieldset>
        <div className="min-w-0">
          <TextArea
            label="File"
            hint="The same test, as a repository keeps it. Changes here show in the form, and the other way around."
            rows={32}
            spellCheck={false}
            wrap="off"
            value={text}
            error={unread}
            onChange={({ target }) => change(target.value)}
          />
        </div>
      </div>
      <Panel className="sticky bottom-2 mt-6 space-y-2 p-3">
        <RefusalNote error={error ?? check.error} />
        {check.data && <Found validation={check.data} />}
        <div className="flex flex-wrap items-center gap-2">
          <Button kind="primary" type="submit" busy={busy} unless={unless ?? unread}>
            {save}
          </Button>
          <Button busy={check.isPending} unless={unread} onClick={validate}>
            Check
          </Button>
          <Button onClick={cancel}>Cancel</Button>
          {typed !== null && <span className="text-sm text-ink-2">Unsaved changes stay in this tab.</span>}
        </div>
      </Panel>
    </form>
  );
}

function Found({ validation: { valid, problems } }: { validation: Schemas['Validation'] }) {
  return (
    <div role="status" className="space-y-2 text-sm">
      <p className={valid ? 'text-good' : 'text-bad'}>
        {valid ? '✓ This test can be played and decided.' : '✕ This test can’t be saved yet.'}
      </p>
      <ul className="max-h-40 space-y-1 overflow-y-auto">
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
