import { useEffect, useRef } from 'react';
import { api, type Schemas } from '../../client/api.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Empty } from '../../ui/states.tsx';
import { answerTimes } from './answer-times.ts';
import { TurnRow } from './turn-row.tsx';

type Signal = Schemas['DetectedSignal'];

interface TranscriptProps {
  call: Pick<Schemas['CallWithTranscript'], 'transcript' | 'claims' | 'version'>;
  signals: Signal[];
  chosen: number | null;
  onChoose: (turn: number) => void;
}

export function Transcript({ call, signals, chosen, onChoose }: TranscriptProps) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    if (chosen === null) return;
    const turn = list.current?.querySelector<HTMLElement>(`#turn-${chosen}`);
    turn?.scrollIntoView({ block: 'center' });
    turn?.focus({ preventScroll: true });
  }, [chosen]);
  const labels = useStepLabels(call.version);
  const { transcript, claims } = call;
  if (transcript === null) {
    return <Empty title="The transcript is no longer kept">Its retention is over; what was read from it stays.</Empty>;
  }
  if (transcript.length === 0) return <Empty title="Nobody spoke on this call" />;
  const times = answerTimes(transcript);
  const steps = (id: string | null) => (id === null ? null : (labels.get(id) ?? id));
  return (
    <ol ref={list} aria-label="Transcript" className="min-w-0">
      {transcript.map((turn, at) => (
        <TurnRow
          key={turn.index}
          turn={turn}
          step={turn.nodeId === transcript[at - 1]?.nodeId ? null : steps(turn.nodeId)}
          answer={times.get(turn.index)}
          claims={claims.filter((claim) => claim.turn === turn.index)}
          signals={signals.filter(({ turnIndex }) => turnIndex === turn.index)}
          chosen={chosen === turn.index}
          onChoose={onChoose}
        />
      ))}
    </ol>
  );
}

/** What people call the steps of the flow, by their ids. */
function useStepLabels(version: number): Map<string, string> {
  const { id: agentId } = useAgent();
  const flow = api.useQuery('get', '/v1/agents/{agentId}/flow', { params: { path: { agentId }, query: { version } } });
  return new Map(flow.data?.steps.map(({ id, label }) => [id, label]));
}
