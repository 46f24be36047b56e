import { type FormEvent, useState } from 'react';
import { api, type Schemas } from '../../client/api.ts';
import { useChange } from '../../client/use-change.ts';
import { useTyped } from '../../client/use-typed.ts';
import { count } from '../../format.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { Select, TextArea } from '../../ui/field.tsx';
import { Panel, Section } from '../../ui/panel.tsx';
import { Loaded, RefusalNote } from '../../ui/states.tsx';
import { whyClosed } from './draft-actions.tsx';

type Draft = Schemas['Draft'];

/** A text that can be changed, as it stands in the draft. */
interface Part {
  path: string;
  label: string;
  text: string;
}

interface EditTextProps {
  draft: Draft;
  unless: string | null;
}

/** The texts of the agent, whole; what is typed in several places is kept together. */
export function EditText({ draft, unless }: EditTextProps) {
  const agent = useAgent();
  const live = api.useQuery('get', '/v1/agents/{agentId}/text', { params: { path: { agentId: agent.id } } });
  return (
    <Section title="Change the text" note="earlier runs no longer count after a change">
      <Loaded of={live} rows={3}>
        {({ parts }) => <Editor draft={draft} parts={partsIn(draft, parts)} unless={unless ?? whyClosed(draft)} />}
      </Loaded>
    </Section>
  );
}

/** A part that the draft changed stands as it changed it; where another version went live, only those can be told. */
function partsIn(draft: Draft, live: readonly Part[]): Part[] {
  const changed = draft.diff.map(({ path, label, after }): Part => ({ path, label, text: after }));
  if (draft.stale) return changed;
  const untouched = live.filter(({ path }) => !changed.some((part) => part.path === path));
  return [...changed, ...untouched];
}

function Editor({ draft, parts, unless }: EditTextProps & { parts: Part[] }) {
  const agent = useAgent();
  const change = useChange();
  const save = api.useMutation('patch', '/v1/agents/{agentId}/drafts/{draftId}');
  const [kept, keep] = useTyped<Record<string, string>>(`draft ${draft.id}`);
  const typed = kept ?? {};
  const [chosen, choose] = useState(draft.target?.path ?? parts[0]?.path);
  const part = parts.find(({ path }) => path === chosen) ?? parts[0];
  const changes = parts.flatMap(({ path, text: before }) => {
    const text = typed[path];
    return text === undefined || text === before ? [] : [{ path, text }];
  });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const params = { path: { agentId: agent.id, draftId: draft.id } };
    const saved = await change(save.mutateAsync({ params, body: { revision: draft.revision, changes } }));
    if (saved) keep(null);
  };
  if (!part) return <p className="text-ink-2">The text of the live version was never read from the platform.</p>;
  return (
    <Panel className="p-4">
      <form className="space-y-4" onSubmit={(event) => void submit(event)}>
        <Select label="Place" value={part.path} onChange={({ target }) => choose(target.value)}>
          {parts.map(({ path, label }) => (
            <option key={path} value={path}>
              {label}
              {changes.some((each) => each.path === path) ? ' (changed here)' : ''}
            </option>
          ))}
        </Select>
        <TextArea
          label={`Text of ${part.label}`}
          rows={Math.min(18, Math.max(4, Math.ceil(part.text.length / 80)))}
          value={typed[part.path] ?? part.text}
          readOnly={unless !== null}
          onChange={({ target }) => keep({ ...typed, [part.path]: target.value })}
        />
        <RefusalNote error={save.error} />
        <Button
          type="submit"
          busy={save.isPending}
          unless={unless ?? (changes.length === 0 ? 'Nothing has changed yet.' : null)}
        >
          {changes.length > 1 ? `Save ${count(changes.length)} changes` : 'Save change'}
        </Button>
      </form>
    </Panel>
  );
}
