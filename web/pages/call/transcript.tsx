import { useDeferredValue, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { api, type Schemas } from '../../client/api.ts';
import { createStore, type Store } from '../../client/store.ts';
import { words } from '../../format.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Empty } from '../../ui/states.tsx';
import { answerTimes } from './answer-times.ts';
import { Portions, portionOf, TURNS_A_PORTION } from './portions.tsx';
import { TurnRow } from './turn-row.tsx';

type Signal = Schemas['DetectedSignal'];

interface TranscriptProps {
  call: Pick<Schemas['CallWithTranscript'], 'transcript' | 'claims' | 'version'> &
    Partial<Pick<Schemas['CallWithTranscript'], 'answeredBy' | 'turnPage'>>;
  signals: Signal[];
  chosen: number | null;
  onChoose: (turn: number) => void;
  /** Where the recording is being played, where there is one. */
  head?: Store<number | null>;
}

/** Machines of the far side by the turns in which they speak. */
function machinesOf(answeredBy: Schemas['AnsweredBy'] | null | undefined): Map<number, string> {
  const voices = answeredBy ? [...answeredBy.before, answeredBy] : [];
  return new Map(
    voices.flatMap(({ value, turns }) =>
      value === 'person' ? [] : turns.map((turn) => [turn, words(value)] as const),
    ),
  );
}

/** What fits on a screen is drawn first, and the rest as soon as that is seen. */
const TURNS_AT_ONCE = 30;

export function Transcript({ call, signals, chosen, onChoose, head = NOT_PLAYED }: TranscriptProps) {
  const list = useRef<HTMLOListElement>(null);
  const { transcript, claims } = call;
  const [portion, show] = usePortion(transcript, chosen);
  const isThere = transcript?.some(({ index }) => index === chosen) === true;
  useEffect(() => {
    if (chosen === null || !isThere) return;
    const turn = list.current?.querySelector<HTMLElement>(`#turn-${chosen}`);
    turn?.scrollIntoView({ block: 'center' });
    turn?.focus({ preventScroll: true });
  }, [chosen, isThere]);
  const labels = useStepLabels(call.version);
  const spoken = useSpokenTurn(transcript, head);
  const drawn = useDeferredValue(TURNS_A_PORTION, chosen === null ? TURNS_AT_ONCE : TURNS_A_PORTION);
  if (transcript === null) {
    return <Empty title="The transcript is no longer kept">Its retention is over; what was read from it stays.</Empty>;
  }
  if (transcript.length === 0) return <Empty title="Nobody spoke on this call" />;
  const from = portion * TURNS_A_PORTION;
  const machines = machinesOf(call.answeredBy);
  const times = answerTimes(transcript);
  const steps = (id: string | null) => (id === null ? null : (labels.get(id) ?? id));
  return (
    <Portions
      turns={call.turnPage?.turns ?? transcript.length}
      loaded={transcript.length}
      shown={portion}
      onShow={(next) => {
        show(next);
        list.current?.scrollIntoView({ block: 'start' });
      }}
    >
      <ol ref={list} aria-label="Transcript" data-turns className="min-w-0">
        {transcript.slice(from, from + drawn).map((turn, at) => (
          <TurnRow
            key={turn.index}
            turn={turn}
            machine={machines.get(turn.index) ?? null}
            step={turn.nodeId === transcript[from + at - 1]?.nodeId ? null : steps(turn.nodeId)}
            answer={times.get(turn.index)}
            claims={claims.filter((claim) => claim.turn === turn.index)}
            signals={signals.filter(({ turnIndex }) => turnIndex === turn.index)}
            chosen={chosen === turn.index}
            isPlayed={spoken === turn.index}
            onChoose={onChoose}
          />
        ))}
      </ol>
    </Portions>
  );
}

/** The portion that is looked at: the one of the turn that was chosen last, until another is asked for. */
function usePortion(turns: Schemas['Turn'][] | null, chosen: number | null) {
  const ofChosen = portionOf(turns?.findIndex(({ index }) => index === chosen) ?? 0);
  const [asked, ask] = useState({ chosen, portion: ofChosen });
  const portion = asked.chosen === chosen ? asked.portion : ofChosen;
  return [portion, (next: number) => ask({ chosen, portion: next })] as const;
}

const NOT_PLAYED = createStore<number | null>(null);

/** The turn that the recording is at: the last one that has begun. It changes a few times a minute, unlike the head. */
function useSpokenTurn(turns: Schemas['Turn'][] | null, head: Store<number | null>): number | null {
  return useSyncExternalStore(head.subscribe, () => {
    const ms = head.get();
    if (ms === null) return null;
    return turns?.findLast(({ text, startMs }) => text !== '' && startMs !== null && startMs <= ms)?.index ?? null;
  });
}

/** What people call the steps of the flow, by their ids. */
function useStepLabels(version: number): Map<string, string> {
  const { id: agentId } = useAgent();
  const flow = api.useQuery('get', '/v1/agents/{agentId}/flow', { params: { path: { agentId }, query: { version } } });
  return new Map(flow.data?.steps.map(({ id, label }) => [id, label]));
}
