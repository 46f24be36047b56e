import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, type Schemas } from '../../client/api.ts';
import { useChange } from '../../client/use-change.ts';
import { DASH, usd } from '../../format.ts';
import { agentsQuery } from '../../frame/last-agent.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import { Section } from '../../ui/panel.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { Empty, Loaded, RefusalNote } from '../../ui/states.tsx';
import { Cell, HeadCell, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

type Key = Schemas['ApiKey'];

const LIST = ['get', '/app/keys'] as const;

export function Keys({ adminOnly }: { adminOnly: string | null }) {
  const keys = api.useQuery('get', '/app/keys', { params: { query: { limit: 100 } } });
  const [making, setMaking] = useState(false);
  return (
    <Section
      title="Keys"
      note="for the API, the MCP server and the command line"
      aside={<Button onClick={() => setMaking(true)}>New key</Button>}
    >
      <Loaded of={keys} rows={3}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No keys yet">A key reads the API, and with write access starts runs within its budget.</Empty>
          ) : (
            <KeyTable keys={data} adminOnly={adminOnly} />
          )
        }
      </Loaded>
      {making && <NewKey adminOnly={adminOnly} onClose={() => setMaking(false)} />}
    </Section>
  );
}

function makerOf({ createdBy }: Key): string {
  if (createdBy === null) return DASH;
  return createdBy.isMember ? createdBy.name : `${createdBy.name}, who left`;
}

function KeyTable({ keys, adminOnly }: { keys: Key[]; adminOnly: string | null }) {
  const agents = useQuery(agentsQuery()).data?.data ?? [];
  const agentName = (id: string | null) =>
    id === null ? 'All agents' : (agents.find((each) => each.id === id)?.name ?? id);
  return (
    <Table label="Keys">
      <thead>
        <tr>
          <HeadCell>Name</HeadCell>
          <HeadCell>Begins with</HeadCell>
          <HeadCell>Access</HeadCell>
          <HeadCell>Agent</HeadCell>
          <HeadCell figure>Spent this month</HeadCell>
          <HeadCell>Made by</HeadCell>
          <HeadCell>Last used</HeadCell>
          <HeadCell>
            <span className="sr-only">Action</span>
          </HeadCell>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <tr key={key.id} className="hover:bg-sunken/60">
            <Cell className="font-medium">{key.name}</Cell>
            <Cell className="font-mono text-xs whitespace-nowrap">{key.prefix}</Cell>
            <Cell>{key.access}</Cell>
            <Cell>{agentName(key.agentId)}</Cell>
            <Cell figure className="whitespace-nowrap">
              {key.monthlyBudgetUsd === null ? DASH : `${usd(key.spentThisMonthUsd)} of ${usd(key.monthlyBudgetUsd)}`}
            </Cell>
            <Cell>{makerOf(key)}</Cell>
            <Cell>
              <Time at={key.lastUsedAt} />
            </Cell>
            <Cell figure>
              <Revoke keyOf={key} unless={key.access === 'write' ? adminOnly : null} />
            </Cell>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function Revoke({ keyOf, unless }: { keyOf: Key; unless: string | null }) {
  const change = useChange();
  const revoke = api.useMutation('delete', '/app/keys/{keyId}');
  return (
    <Confirm
      button="Revoke"
      label={`Revoke ${keyOf.name}`}
      unless={unless}
      title={`Revoke “${keyOf.name}”?`}
      does="Revoke the key"
      error={revoke.error}
      busy={revoke.isPending}
      onConfirm={() => change(revoke.mutateAsync({ params: { path: { keyId: keyOf.id } } }))}
    >
      Whatever uses it is refused from its next request on. This cannot be undone.
    </Confirm>
  );
}

const DEFAULT_BUDGET_USD = 50;

function NewKey({ adminOnly, onClose }: { adminOnly: string | null; onClose: () => void }) {
  const queries = useQueryClient();
  const agents = useQuery(agentsQuery()).data?.data ?? [];
  const [access, setAccess] = useState<Key['access']>('read');
  const make = api.useMutation('post', '/app/keys');
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const agentId = String(form.get('agent') ?? '');
    const monthlyBudgetUsd = access === 'write' ? Number(form.get('budget')) : null;
    const body = { name: String(form.get('name')), access, agentId: agentId === '' ? null : agentId, monthlyBudgetUsd };
    await make.mutateAsync({ body }).catch(() => null);
    void queries.invalidateQueries({ queryKey: LIST });
  };
  if (make.data) {
    return (
      <ShownOnce title="Copy the key now" value={make.data.key} onClose={onClose}>
        Only a digest of it is stored: it is never shown again.
      </ShownOnce>
    );
  }
  return (
    <Dialog title="New key" onClose={onClose}>
      <form className="space-y-4" onSubmit={(event) => void submit(event)}>
        <TextField label="Name" name="name" required maxLength={100} hint="What it is for." />
        <Select
          label="Access"
          value={access}
          onChange={({ target }) => setAccess(target.value === 'write' ? 'write' : 'read')}
          hint={access === 'write' ? 'Makes tests and starts runs, within the budget.' : 'Reads everything it reaches.'}
        >
          <option value="read">Read</option>
          <option value="write" disabled={adminOnly !== null}>
            Read and write
          </option>
        </Select>
        <Select label="Agent" name="agent">
          <option value="">All agents</option>
          {agents.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
        {access === 'write' && (
          <TextField
            label="Monthly budget, in USD"
            name="budget"
            type="number"
            min={0}
            max={100_000}
            step="0.01"
            defaultValue={DEFAULT_BUDGET_USD}
            required
          />
        )}
        <RefusalNote error={make.error} />
        <div className="flex gap-2">
          <Button kind="primary" type="submit" busy={make.isPending}>
            Make the key
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}
