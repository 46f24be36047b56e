import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { ResultChip } from '../../charts/attempt-squares.tsx';
import { api, type Schemas } from '../../client/api.ts';
import { DASH, usd, words } from '../../format.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Dotted } from '../../ui/dotted.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ProblemNote, Skeleton } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { Transcript } from '../call/transcript.tsx';
import { useTurnOfAddress } from '../call/turn-of-address.ts';
import { Criteria } from '../result/criteria.tsx';

type Attempt = Schemas['Attempt'];

export function AttemptPage() {
  const agent = useAgent();
  const { attemptId } = useParams({ from: '/inside/a/$agentId/attempts/$attemptId' });
  const attempt = api.useQuery('get', '/v1/agents/{agentId}/attempts/{attemptId}', {
    params: { path: { agentId: agent.id, attemptId } },
  });
  if (!attempt.data) {
    return (
      <Page title="Attempt">
        {attempt.error ? <ProblemNote error={attempt.error} onRetry={() => void attempt.refetch()} /> : <Skeleton />}
      </Page>
    );
  }
  return <ShownAttempt attempt={attempt.data} />;
}

function ShownAttempt({ attempt }: { attempt: Attempt }) {
  const agent = useAgent();
  const navigate = useNavigate({ from: '/a/$agentId/attempts/$attemptId' });
  const turn = useTurnOfAddress();
  const goTo = (index: number) => void navigate({ hash: `turn-${index}`, replace: true, resetScroll: false });
  const { transcript, version, verdicts, problems, callerDrift, result, reason } = attempt;
  return (
    <Page
      title={`Attempt ${attempt.attempt}, version ${version}`}
      above={
        <Link
          to="/a/$agentId/runs/$runId"
          params={{ agentId: agent.id, runId: attempt.runId }}
          className="hover:text-ink hover:underline"
        >
          ← Run
        </Link>
      }
      below={
        <>
          {result ? <ResultChip result={result} /> : <Chip>not scored yet</Chip>}{' '}
          <Dotted>
            <TestLink testId={attempt.testId} />
            <Time at={attempt.startedAt} />
            {usd(attempt.cost.platformUsd + attempt.cost.serviceUsd)}
            {reason}
          </Dotted>
        </>
      }
    >
      <div className="grid gap-8 @page-xl:grid-cols-[minmax(0,1fr)_26rem]">
        <Transcript call={{ transcript, claims: [], version }} signals={[]} chosen={turn} onChoose={goTo} />
        <aside aria-label="Verdicts" className="space-y-6 @max-page-xl:row-start-1">
          <section aria-label="Criteria">
            <h2 className="mb-2 font-semibold">Criteria</h2>
            <Panel className="p-3">
              <Criteria criteria={verdicts} onTurn={goTo} />
            </Panel>
          </section>
          {problems.length > 0 && (
            <section aria-label="Noticed besides">
              <h2 className="mb-2 font-semibold">Noticed besides</h2>
              <ul className="space-y-2 text-sm">
                {problems.map(({ code, title, detail }) => (
                  <li key={`${code} ${detail}`}>
                    {title}
                    <p className="text-xs break-words text-ink-2">{detail}</p>
                  </li>
                ))}
              </ul>
            </section>
          )}
          {callerDrift?.drifted && (
            <section aria-label="Drift">
              <h2 className="mb-2 font-semibold">The caller left its part</h2>
              <ul className="list-disc pl-5 text-sm">
                {callerDrift.reasons.map((why) => (
                  <li key={why}>{why}</li>
                ))}
              </ul>
            </section>
          )}
          <Scored attempt={attempt} />
        </aside>
      </div>
    </Page>
  );
}

function TestLink({ testId }: { testId: string }) {
  const agent = useAgent();
  const path = { agentId: agent.id, testId };
  const test = api.useQuery('get', '/v1/agents/{agentId}/tests/{testId}', { params: { path } });
  return (
    <Link to="/a/$agentId/tests/$testId" params={path} className="underline hover:text-ink">
      {test.data?.title ?? 'Its test'}
    </Link>
  );
}

/** What played and what scored it; scores before, each with its epoch. */
function Scored({ attempt }: { attempt: Attempt }) {
  const { models, noFixture, providerGrader, earlierScores } = attempt;
  return (
    <section aria-label="Scored by">
      <h2 className="mb-2 font-semibold">Played and scored by</h2>
      <dl className="grid grid-cols-[8rem_minmax(0,1fr)] gap-y-1 text-sm">
        <dt className="text-ink-2">Caller</dt>
        <dd>{models.simulator ?? DASH}</dd>
        <dt className="text-ink-2">Judge</dt>
        <dd>{models.judge ?? DASH}</dd>
        <dt className="text-ink-2">Scorer</dt>
        <dd>{models.scorerVersion ?? DASH}</dd>
        <dt className="text-ink-2">The platform says</dt>
        <dd>{providerGrader.status ?? 'nothing'}</dd>
        <dt className="text-ink-2">Without answer</dt>
        <dd>{noFixture.length > 0 ? noFixture.join(', ') : 'no tool'}</dd>
        {earlierScores.map(({ result, scoredAt, epoch }) => (
          <div key={scoredAt} className="contents">
            <dt className="text-ink-2">Earlier score</dt>
            <dd>
              {words(result)}, scorer {epoch.scorerVersion}, <Time at={scoredAt} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
