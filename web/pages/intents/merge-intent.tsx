import { useState } from 'react';
import { api, type Schemas } from '../../client/api.ts';
import { useChange } from '../../client/use-change.ts';
import { calls } from '../../format.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Select } from '../../ui/field.tsx';

type Intent = Schemas['Intent'];

interface MergeIntentProps {
  intent: Intent;
  /** Of the same kind. */
  others: Intent[];
  unless: string | null;
}

/** Two names of one wish become one. */
export function MergeIntent({ intent, others, unless }: MergeIntentProps) {
  const agent = useAgent();
  const change = useChange();
  const merge = api.useMutation('post', '/app/agents/{agentId}/intents/{intentId}/merge');
  const [chosen, choose] = useState('');
  const intoId = others.some(({ id }) => id === chosen) ? chosen : (others[0]?.id ?? '');
  const params = { path: { agentId: agent.id, intentId: intent.id } };
  return (
    <Confirm
      button="Merge"
      label={`Merge ${intent.label}`}
      unless={unless ?? (others.length === 0 ? 'There is no other one to merge it into.' : null)}
      title={`Merge “${intent.label}” into another one`}
      does="Merge"
      error={merge.error}
      busy={merge.isPending}
      onConfirm={() => change(merge.mutateAsync({ params, body: { intoId } }))}
    >
      <Select label="Merge into" value={intoId} onChange={({ target }) => choose(target.value)}>
        {others.map(({ id, label }) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </Select>
      <p className="mt-3">
        Its {calls(intent.calls)} and all later ones count there within minutes. A merge can’t be undone.
      </p>
    </Confirm>
  );
}
