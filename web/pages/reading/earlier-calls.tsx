import { type FormEvent, useState } from 'react';
import { api } from '../../client/api.ts';
import { useChange } from '../../client/use-change.ts';
import { calls, usd } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { RefusalNote } from '../../ui/states.tsx';

const NEWEST = 1_000;

/** Has calls from before read: what that costs first, then the order. */
export function EarlierCalls({ agentId, unless }: { agentId: string; unless: string | null }) {
  const params = { path: { agentId } };
  const change = useChange();
  const [newest, setNewest] = useState(NEWEST);
  const preview = api.useMutation('post', '/app/agents/{agentId}/model-reading/history/preview');
  const order = api.useMutation('post', '/app/agents/{agentId}/model-reading/history');
  const planned = preview.data;
  const look = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const wanted = Number(new FormData(event.currentTarget).get('newest'));
    setNewest(wanted);
    await preview.mutateAsync({ params, body: { newest: wanted } }).catch(() => null);
  };
  const read = async () => {
    if ((await change(order.mutateAsync({ params, body: { newest } }))) !== null) preview.reset();
  };
  return (
    <form className="mt-4 space-y-3 border-t border-line pt-4" onSubmit={(event) => void look(event)}>
      <div className="flex flex-wrap items-end gap-3">
        <TextField
          label="Earlier calls to read, newest first"
          name="newest"
          type="number"
          min={1}
          max={100_000}
          defaultValue={NEWEST}
        />
        <Button type="submit" unless={unless} busy={preview.isPending}>
          Estimate the cost
        </Button>
      </div>
      {planned && (
        <div role="status" className="flex flex-wrap items-center gap-3 text-sm">
          <span>
            {planned.calls === 0
              ? 'No earlier call is left to be read.'
              : (planned.estimate?.text ?? `${calls(planned.calls)} would be read.`)}
            {planned.leftUsd !== null && ` ${usd(planned.leftUsd)} are left of this month.`}
          </span>
          {planned.calls > 0 && (
            <Button kind="primary" unless={unless} busy={order.isPending} onClick={() => void read()}>
              Read them
            </Button>
          )}
        </div>
      )}
      <RefusalNote error={preview.error ?? order.error} />
    </form>
  );
}
