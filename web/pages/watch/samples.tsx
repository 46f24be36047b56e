import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { api, type Schemas } from '../../client/api.ts';
import { count } from '../../format.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { useKey } from '../../frame/keys.ts';
import { moveFocus } from '../../ui/move-focus.ts';
import { Section } from '../../ui/panel.tsx';
import { Empty, RefusalNote } from '../../ui/states.tsx';
import { SampleCard } from './sample-card.tsx';

type Watch = Schemas['Watch'];
type Label = NonNullable<Watch['samples'][number]['label']>;

interface SamplesProps {
  watch: Watch;
  unless: string | null;
}

/** Calls that the backtest flagged, for people to label, and some that it cleared, to look at. */
export function Samples({ watch, unless }: SamplesProps) {
  const flagged = watch.samples.filter(({ kind }) => kind === 'flagged');
  const cleared = watch.samples.filter(({ kind }) => kind === 'cleared');
  if (watch.samples.length === 0) return <NoSamples />;
  return (
    <>
      {flagged.length > 0 && <Flagged watch={watch} samples={flagged} unless={unless} />}
      {cleared.length > 0 && (
        <Section title="Calls on which it held" note="to compare with; these are not labelled">
          <details>
            <summary className="flex min-h-8 w-fit items-center gap-1 text-sm text-ink-2 hover:text-ink">
              {count(cleared.length)} of them
            </summary>
            <ul className="mt-2 space-y-2">
              {cleared.map((sample) => (
                <SampleCard key={sample.callId} sample={sample} />
              ))}
            </ul>
          </details>
        </Section>
      )}
    </>
  );
}

function NoSamples() {
  return (
    <Section title="Samples">
      <Empty title="No samples yet">A backtest draws calls on which it did not hold, for people to label.</Empty>
    </Section>
  );
}

function Flagged({ watch, samples, unless }: SamplesProps & { samples: Watch['samples'] }) {
  const list = useRef<HTMLUListElement>(null);
  const { label, error } = useLabel(watch);
  const give = (callId: string, value: Label) => {
    if (unless === null) void label(callId, value);
  };
  const answer = (value: Label) => () => {
    const callId = focusedCall(list.current);
    if (callId === null) return;
    give(callId, value);
    moveFocus(list.current, 1);
  };
  useKey({
    j: () => moveFocus(list.current, 1),
    k: () => moveFocus(list.current, -1),
    s: () => focusedCall(list.current) && moveFocus(list.current, 1),
    u: () => focusedCall(list.current) && moveFocus(list.current, -1),
    y: answer('right'),
    n: answer('wrong'),
  });
  return (
    <Section
      title="Calls on which it did not hold"
      note={`${count(watch.labels.labelled)} of ${count(samples.length)} labelled`}
    >
      <p className="mb-2 text-sm text-ink-2">
        Did the agent really go wrong here? <Keys />
      </p>
      <RefusalNote error={error} />
      <ul ref={list} className="space-y-2">
        {samples.map((sample) => (
          <SampleCard
            key={sample.callId}
            sample={sample}
            labelling={{ unless, onLabel: (value) => give(sample.callId, value) }}
          />
        ))}
      </ul>
    </Section>
  );
}

const KEYS = [
  ['j k', 'next and previous'],
  ['y', 'right'],
  ['n', 'wrong'],
  ['s', 'skip'],
  ['u', 'back'],
] as const;

function Keys() {
  return (
    <span className="whitespace-nowrap @max-page-md:hidden">
      {KEYS.map(([keys, does]) => (
        <span key={keys} className="mr-3">
          <kbd className="font-mono text-xs text-ink">{keys}</kbd> {does}
        </span>
      ))}
    </span>
  );
}

function focusedCall(list: HTMLElement | null): string | null {
  const card = document.activeElement?.closest<HTMLElement>('[data-call]');
  return card && list?.contains(card) ? (card.dataset['call'] ?? null) : null;
}

/** Shown at once: a label is taken back by giving the other one. */
function useLabel(watch: Watch) {
  const agent = useAgent();
  const queries = useQueryClient();
  const params = { path: { agentId: agent.id, watchId: watch.id } };
  const send = api.useMutation('post', '/v1/agents/{agentId}/watches/{watchId}/labels');
  const { queryKey } = api.queryOptions('get', '/v1/agents/{agentId}/watches/{watchId}', { params });
  const label = async (callId: string, value: Label) => {
    queries.setQueryData<Watch>(queryKey, (before) => before && withLabel(before, callId, value));
    const body = { callId, label: value, revision: watch.revision };
    const labelled = await send.mutateAsync({ params, body }).catch(() => null);
    if (labelled) queries.setQueryData<Watch>(queryKey, labelled);
    else void queries.invalidateQueries({ queryKey });
  };
  return { label, error: send.error };
}

function withLabel(watch: Watch, callId: string, label: Label): Watch {
  return {
    ...watch,
    samples: watch.samples.map((sample) => (sample.callId === callId ? { ...sample, label } : sample)),
  };
}
