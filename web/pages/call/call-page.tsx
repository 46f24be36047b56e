import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { RECORDING_PLATFORMS } from '../../../src/domain/vocabulary.ts';
import type { Schemas } from '../../client/api.ts';
import { count, duration } from '../../format.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { useKey } from '../../frame/keys.ts';
import { CopyButton } from '../../ui/copy.tsx';
import { Dotted } from '../../ui/dotted.tsx';
import { BackLink, ButtonLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { ProblemNote, Skeleton } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { neighboursOf } from '../calls/list-walk.ts';
import { OutcomeChip } from '../calls/outcome-chip.tsx';
import { evidenceQuery, issueQuery } from '../issue/queries.ts';
import { signalOf } from '../issue/use-evidence.ts';
import { CallFacts } from './call-facts.tsx';
import { CallMetrics } from './call-metrics.tsx';
import { MakeTest } from './make-test.tsx';
import { callQuery, callSignalsQuery } from './queries.ts';
import { Recording } from './recording.tsx';
import { SignalList } from './signal-list.tsx';
import { SoundBands } from './sound-bands.tsx';
import { Timeline } from './timeline.tsx';
import { Transcript } from './transcript.tsx';
import { useTurnOfAddress } from './turn-of-address.ts';
import { usePlayer } from './use-player.ts';

type Call = Schemas['CallWithTranscript'];

export function CallPage() {
  const agent = useAgent();
  const { callId } = useParams({ from: '/inside/a/$agentId/calls/$callId' });
  const path = { agentId: agent.id, callId };
  const call = useQuery(callQuery(path));
  const signals = useQuery(callSignalsQuery(path));
  // Signals stand among the turns, which would move when they come.
  if (!call.data || signals.isPending) {
    return (
      <Page title="Call" above={<BackToCalls callId={callId} />}>
        {call.error ? <ProblemNote error={call.error} onRetry={() => void call.refetch()} /> : <Skeleton rows={10} />}
      </Page>
    );
  }
  return (
    <ShownCall key={callId} call={call.data} signals={signals} error={call.error} onRetry={() => void call.refetch()} />
  );
}

interface ShownProps {
  call: Call;
  /** Why not all of its turns could be read. */
  error: unknown;
  onRetry: () => void;
  signals: { data: Schemas['CallSignals'] | undefined; error: unknown; refetch: () => unknown };
}

function ShownCall({ call, signals, error, onRetry }: ShownProps) {
  const navigate = useNavigate({ from: '/a/$agentId/calls/$callId' });
  const walk = useWalk(call.id);
  const addressed = useTurnOfAddress();
  const detected = useMemo(
    () => (signals.data?.detected ?? []).toSorted((a, b) => a.turnIndex - b.turnIndex),
    [signals.data],
  );
  const agent = useAgent();
  // Whoever walks through the evidence of an issue is shown what makes the call evidence.
  const turn = addressed ?? (walk.issue && signalOf(walk.issue, detected)?.turnIndex) ?? null;
  const startOf = (index: number | null) => call.transcript?.find((each) => each.index === index)?.startMs ?? null;
  const player = usePlayer({ agentId: agent.id, callId: call.id }, startOf(turn) ?? 0);
  const goTo = (index: number) => {
    void navigate({ search: true, hash: `turn-${index}`, replace: true, resetScroll: false });
    const startMs = startOf(index);
    if (startMs !== null) player.playFrom(startMs);
  };
  const stepSignal = (by: 1 | -1) => () => {
    const turns = [...new Set(detected.map(({ turnIndex }) => turnIndex))];
    const from = turn ?? -1;
    const next = by === 1 ? turns.find((each) => each > from) : turns.findLast((each) => each < from);
    if (next !== undefined) goTo(next);
  };
  const goToCall = (callId: string | null) => () => {
    if (callId !== null) void navigate({ params: { agentId: agent.id, callId }, search: true, replace: true });
  };
  useKey({
    ']': stepSignal(1),
    '[': stepSignal(-1),
    n: goToCall(walk.next),
    p: goToCall(walk.previous),
    ...(player.address === null ? {} : { ' ': player.toggle }),
  });
  return (
    <Page
      title={call.objective || 'The caller said nothing'}
      above={<Back walk={walk} />}
      below={
        <>
          <OutcomeChip outcome={call.outcome} />{' '}
          <Dotted>
            <Time at={call.startedAt} />
            {duration(call.durationMs)}
            {`version ${call.version}`}
            {call.intent.label}
          </Dotted>
        </>
      }
      actions={
        <>
          <CopyButton text={() => location.href}>Copy link</CopyButton>
          <CopyButton text={() => JSON.stringify(call, null, 2)}>Copy as JSON</CopyButton>
          <MakeTest callId={call.id} />
          <Walk walk={walk} />
        </>
      }
    >
      {RECORDING_PLATFORMS.includes(agent.provider) && <Recording player={player} timing={call.timing} />}
      {RECORDING_PLATFORMS.includes(agent.provider) && (
        <SoundBands callId={call.id} head={player.head} playFrom={player.playFrom} />
      )}
      {call.transcript && call.transcript.length > 0 && (
        <Timeline
          turns={call.transcript}
          signals={detected}
          durationMs={call.durationMs}
          timing={call.timing}
          head={player.head}
          chosen={turn}
          onChoose={goTo}
        />
      )}
      <div className="mt-6 grid gap-x-8 gap-y-6 @page-xl:grid-cols-[minmax(0,1fr)_22rem] @page-xl:grid-rows-[auto_1fr]">
        <div className="min-w-0 @max-page-xl:row-start-2 @page-xl:row-span-2">
          {error ? <ProblemNote error={error} onRetry={onRetry} /> : null}
          <Transcript call={call} signals={detected} chosen={turn} onChoose={goTo} head={player.head} />
        </div>
        <aside aria-label="What was noticed" className="@max-page-xl:row-start-1">
          {signals.error ? (
            <ProblemNote error={signals.error} onRetry={() => void signals.refetch()} />
          ) : (
            <SignalList callId={call.id} signals={detected} chosen={turn} onChoose={goTo} />
          )}
        </aside>
        <aside aria-label="What is known of the call" className="space-y-6">
          <CallMetrics callId={call.id} onChoose={goTo} />
          <CallFacts call={call} observations={signals.data?.observations ?? null} />
        </aside>
      </div>
    </Page>
  );
}

function BackToCalls({ callId }: { callId: string }) {
  const agent = useAgent();
  const search = neighboursOf(callId).filters ?? {};
  return (
    <Link
      to="/a/$agentId/calls"
      params={{ agentId: agent.id }}
      search={search}
      className="hover:text-ink hover:underline"
    >
      ← Calls
    </Link>
  );
}

interface WalkThrough {
  previous: string | null;
  next: string | null;
  /** The one whose evidence is walked through, and the place of this call among it, from 1; else the list of calls. */
  issue: Schemas['Issue'] | null;
  at: number;
}

/** Next and previous among the evidence of the issue, or within the list, that the reader came from. */
function useWalk(callId: string): WalkThrough {
  const agent = useAgent();
  const { issue: issueId = '' } = useSearch({ from: '/inside/a/$agentId/calls/$callId' });
  const path = { agentId: agent.id, issueId };
  const enabled = issueId !== '';
  const issue = useQuery({ ...issueQuery(path), enabled }).data;
  const evidence = useQuery({ ...evidenceQuery(path), enabled }).data?.data ?? [];
  const at = evidence.findIndex(({ id }) => id === callId);
  if (!issue || at < 0) return { ...neighboursOf(callId), issue: null, at: 0 };
  return { previous: evidence[at - 1]?.id ?? null, next: evidence[at + 1]?.id ?? null, issue, at: at + 1 };
}

function Back({ walk: { issue, at } }: { walk: WalkThrough }) {
  const agent = useAgent();
  const { callId } = useParams({ from: '/inside/a/$agentId/calls/$callId' });
  if (!issue) return <BackToCalls callId={callId} />;
  return (
    <>
      <BackLink
        to="/a/$agentId/issues/$issueId"
        params={{ agentId: agent.id, issueId: issue.id }}
        search={at > 1 ? { evidence: at } : {}}
      >
        {issue.title}
      </BackLink>
      <span>{`Call ${count(at)} of ${count(issue.evidenceCalls)}`}</span>
    </>
  );
}

function Walk({ walk: { previous, next, issue } }: { walk: WalkThrough }) {
  const agent = useAgent();
  const link = (callId: string, text: string) => (
    <ButtonLink to="/a/$agentId/calls/$callId" params={{ agentId: agent.id, callId }} search={true} replace>
      {text}
    </ButtonLink>
  );
  return (
    <>
      {previous && link(previous, issue ? 'Previous call' : 'Newer call')}
      {next && link(next, issue ? 'Next call' : 'Older call')}
    </>
  );
}
