import { useNavigate } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { LANES, POLARITIES } from '../../../src/domain/vocabulary.ts';
import { api, type Schemas } from '../../client/api.ts';
import { useChange } from '../../client/use-change.ts';
import { useTyped } from '../../client/use-typed.ts';
import { words } from '../../format.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { Select, TextArea, TextField } from '../../ui/field.tsx';
import { RefusalNote } from '../../ui/states.tsx';
import { Reading } from './reading.tsx';

type Watch = Schemas['Watch'];

interface Typed {
  name: string;
  lane: Watch['lane'];
  scope: string;
  expectation: string;
  polarity: Watch['expectation']['polarity'] | '';
  /** Broken calls that are too many, over so many days; empty: no limit. */
  breaks: string;
  days: string;
}

const EMPTY: Typed = { name: '', lane: 'flow', scope: '', expectation: '', polarity: '', breaks: '', days: '7' };

function typedOf({ name, lane, scope, expectation, alarm }: Watch): Typed {
  const breaks = alarm && 'breaks' in alarm ? String(alarm.breaks) : '';
  const days = String(alarm?.days ?? 7);
  return { name, lane, scope: scope.text, expectation: expectation.text, polarity: expectation.polarity, breaks, days };
}

function alarmOf({ breaks, days }: Typed) {
  return breaks.trim() === '' ? null : { breaks: Number(breaks), days: Number(days) };
}

const POLARITY_LABELS = { must: 'It must hold', must_not: 'It must not happen' };

/** A watch in words; what rules make of them is shown before anything is kept. */
export function WatchForm({ before, unless }: { before: Watch | null; unless: string | null }) {
  const agent = useAgent();
  const [kept, keep] = useTyped<Typed>(before ? `watch ${before.id} ${before.revision}` : `watch of ${agent.id}`);
  const typed = kept ?? (before ? typedOf(before) : EMPTY);
  const read = api.useMutation('post', '/app/agents/{agentId}/watches/read');
  const save = useSave(before);
  const change = (changed: Partial<Typed>) => {
    read.reset();
    keep({ ...typed, ...changed });
  };
  const body = wordsOf(typed);
  const show = () => read.mutate({ params: { path: { agentId: agent.id } }, body });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save.run(typed, () => keep(null));
  };
  return (
    <form className="grid gap-8 @page-xl:grid-cols-2" onSubmit={submit}>
      <div className="max-w-2xl space-y-4">
        <TextField
          label="Name"
          required
          maxLength={120}
          value={typed.name}
          onChange={({ target }) => change({ name: target.value })}
        />
        <TextArea
          label="On which calls"
          hint="Left empty: all calls. “Calls on which send_sms was called”, “inbound calls longer than 2 minutes”, “since version 3”."
          maxLength={500}
          rows={2}
          value={typed.scope}
          onChange={({ target }) => change({ scope: target.value })}
        />
        <TextArea
          label="What is expected"
          hint="One thing. “Call confirm_slot before send_sms”, “call book_slot at most once”, “answer within 3 seconds”, “never interrupt”."
          required
          maxLength={2000}
          value={typed.expectation}
          onChange={({ target }) => change({ expectation: target.value })}
        />
        <div className="grid gap-4 @page-sm:grid-cols-2">
          <Select
            label="It"
            value={typed.polarity}
            onChange={({ target }) => change({ polarity: POLARITIES.find((each) => each === target.value) ?? '' })}
          >
            <option value="">As the words say</option>
            {POLARITIES.map((polarity) => (
              <option key={polarity} value={polarity}>
                {POLARITY_LABELS[polarity]}
              </option>
            ))}
          </Select>
          <Select
            label="Lane"
            value={typed.lane}
            onChange={({ target }) => change({ lane: LANES.find((each) => each === target.value) ?? typed.lane })}
          >
            {LANES.map((lane) => (
              <option key={lane} value={lane}>
                {words(lane)}
              </option>
            ))}
          </Select>
        </div>
        <div className="grid gap-4 @page-sm:grid-cols-2">
          <TextField
            label="Tell from so many broken calls"
            hint="Left empty: only when it grows over its own past."
            type="number"
            min={1}
            value={typed.breaks}
            onChange={({ target }) => change({ breaks: target.value })}
          />
          <TextField
            label="Within days"
            type="number"
            min={1}
            max={28}
            value={typed.days}
            onChange={({ target }) => change({ days: target.value })}
          />
        </div>
        <RefusalNote error={save.error ?? read.error} />
        <div className="flex flex-wrap gap-2">
          <Button kind="primary" type="submit" busy={save.busy} unless={unless}>
            {before ? 'Save changes' : 'Create watch'}
          </Button>
          <Button
            busy={read.isPending}
            unless={typed.expectation.trim() === '' ? 'Say first what is expected.' : null}
            onClick={show}
          >
            See how it is read
          </Button>
        </div>
      </div>
      <Reading reading={read.data} />
    </form>
  );
}

function wordsOf({ scope, expectation, polarity }: Typed) {
  return {
    ...(scope.trim() === '' ? {} : { scope: { text: scope.trim() } }),
    expectation: { text: expectation.trim(), ...(polarity === '' ? {} : { polarity }) },
  };
}

/** Words that stayed as they were are not sent: they would make another revision. */
function changesOf(typed: Typed, before: Watch) {
  const { name, lane } = typed;
  const was = typedOf(before);
  const { scope = { code: { kind: 'all_calls' as const } }, expectation } = wordsOf(typed);
  return {
    revision: before.revision,
    name,
    lane,
    ...(typed.breaks === was.breaks && typed.days === was.days ? {} : { alarm: alarmOf(typed) }),
    ...(typed.scope === was.scope ? {} : { scope }),
    ...(typed.expectation === was.expectation && typed.polarity === was.polarity ? {} : { expectation }),
  };
}

function useSave(before: Watch | null) {
  const agent = useAgent();
  const change = useChange();
  const navigate = useNavigate();
  const make = api.useMutation('post', '/app/agents/{agentId}/watches');
  const edit = api.useMutation('patch', '/app/agents/{agentId}/watches/{watchId}');
  const send = (typed: Typed) =>
    before === null
      ? make.mutateAsync({
          params: { path: { agentId: agent.id } },
          body: { name: typed.name, lane: typed.lane, alarm: alarmOf(typed), ...wordsOf(typed) },
        })
      : edit.mutateAsync({
          params: { path: { agentId: agent.id, watchId: before.id } },
          body: changesOf(typed, before),
        });
  const run = async (typed: Typed, onSaved: () => void) => {
    const saved = await change(send(typed));
    if (!saved) return;
    onSaved();
    await navigate({ to: '/a/$agentId/watches/$watchId', params: { agentId: agent.id, watchId: saved.id } });
  };
  return { run, busy: make.isPending || edit.isPending, error: make.error ?? edit.error };
}
