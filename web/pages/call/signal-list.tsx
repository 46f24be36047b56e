import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check, X } from 'lucide-react';
import { useState } from 'react';
import { api, type Schemas } from '../../client/api.ts';
import { percent, words } from '../../format.ts';
import { readOnlyReason, useAgent } from '../../frame/agent-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { classes } from '../../ui/classes.ts';
import { Panel } from '../../ui/panel.tsx';
import { ProofQuotes } from '../../ui/proof.tsx';
import { RefusalNote } from '../../ui/states.tsx';

type Signal = Schemas['DetectedSignal'];
type Label = Schemas['SignalLabel'];

interface SignalListProps {
  callId: string;
  signals: Signal[];
  chosen: number | null;
  onChoose: (turn: number) => void;
}

/** The others are one click away: on a phone they would stand between the reader and the transcript. */
const SHOWN_AT_ONCE = 5;

const LABELS_PATH = '/app/agents/{agentId}/calls/{callId}/signals/labels';

export function SignalList({ callId, signals, chosen, onChoose }: SignalListProps) {
  const agent = useAgent();
  const [all, showAll] = useState(false);
  const labels = api.useQuery('get', LABELS_PATH, { params: { path: { agentId: agent.id, callId } } });
  const labelOf = ({ code, turnIndex }: Signal) =>
    labels.data?.data.find((label) => label.code === code && label.turnIndex === turnIndex)?.label ?? null;
  return (
    <section aria-label="Signals">
      <h2 className="mb-2 font-semibold">
        Signals <span className="font-normal text-ink-3">{signals.length}</span>
      </h2>
      {signals.length === 0 && <p className="text-sm text-ink-2">Nothing was noticed on this call.</p>}
      <ul className="space-y-2">
        {signals.slice(0, all ? undefined : SHOWN_AT_ONCE).map((signal) => (
          <li key={`${signal.code} ${signal.turnIndex}`}>
            <Panel className={classes('p-3', chosen === signal.turnIndex && 'border-accent')}>
              <SignalCard signal={signal} onChoose={onChoose} />
              <Labels callId={callId} signal={signal} label={labelOf(signal)} />
            </Panel>
          </li>
        ))}
      </ul>
      {!all && signals.length > SHOWN_AT_ONCE && (
        <div className="mt-2">
          <Button onClick={() => showAll(true)}>Show {signals.length - SHOWN_AT_ONCE} more</Button>
        </div>
      )}
    </section>
  );
}

function SignalCard({ signal, onChoose }: { signal: Signal; onChoose: (turn: number) => void }) {
  const agent = useAgent();
  const { code, title, severity, detail, cause, turnIndex, confidence, location: place, proof, evidenceQuote } = signal;
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <button
          type="button"
          className="min-h-6 text-left font-medium hover:underline"
          onClick={() => onChoose(turnIndex)}
        >
          {title}
        </button>
        <Chip tone={severity === 'critical' || severity === 'high' ? 'bad' : 'caution'}>{words(severity)}</Chip>
      </div>
      <p className="mt-1 text-sm break-words text-ink-2">{detail}</p>
      {proof.length > 0 && evidenceQuote !== '' && (
        <p className="mt-2 border-l-2 border-bad pl-3 text-sm break-words">{evidenceQuote}</p>
      )}
      <ProofQuotes proof={proof} onChoose={onChoose} dense />
      <p className="mt-1 text-sm">{cause.label}</p>
      <p className="mt-1 text-xs text-ink-2">
        at {place.label} · turn {turnIndex} · confidence {percent(confidence)} ·{' '}
        <Link
          to="/a/$agentId/calls"
          params={{ agentId: agent.id }}
          search={{ signal: code }}
          className="text-accent underline"
        >
          calls like this
        </Link>
      </p>
    </>
  );
}

interface LabelsProps {
  callId: string;
  signal: Signal;
  label: Label['label'] | null;
}

/** A person's word on the signal; pressed again it is taken back. */
function Labels({ callId, signal, label }: LabelsProps) {
  const agent = useAgent();
  const queries = useQueryClient();
  const set = api.useMutation('post', LABELS_PATH);
  const remove = api.useMutation('delete', LABELS_PATH);
  const { code, turnIndex } = signal;
  const path = { agentId: agent.id, callId };
  const choose = async (wanted: Label['label']) => {
    const asked =
      label === wanted
        ? remove.mutateAsync({ params: { path, query: { code, turnIndex } } })
        : set.mutateAsync({ params: { path }, body: { code, turnIndex, label: wanted } });
    await asked.catch(() => null);
    void queries.invalidateQueries({ queryKey: ['get', LABELS_PATH] });
  };
  const off = readOnlyReason(agent);
  return (
    <div className="mt-2 flex items-center gap-1">
      <Button kind="quiet" onClick={() => void choose('right')} unless={off} pressed={label === 'right'}>
        <Check size={13} aria-hidden /> Right
      </Button>
      <Button kind="quiet" onClick={() => void choose('wrong')} unless={off} pressed={label === 'wrong'}>
        <X size={13} aria-hidden /> Wrong
      </Button>
      <RefusalNote error={set.error ?? remove.error} />
    </div>
  );
}
