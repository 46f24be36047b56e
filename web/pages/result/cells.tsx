import { Link } from '@tanstack/react-router';
import { AttemptSquares, ResultSquare } from '../../charts/attempt-squares.tsx';
import { api, type Schemas } from '../../client/api.ts';
import { count, words } from '../../format.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Panel, Section } from '../../ui/panel.tsx';
import { Criteria } from './criteria.tsx';

type Cell = Schemas['RunResultCell'];

const CHANGES = {
  newly_broken: { tone: 'bad', text: 'newly broken' },
  fixed: { tone: 'good', text: 'fixed' },
} as const;

/** Each test with each caller: what it came to, why, and who decided. */
export function Cells({ cells }: { cells: Cell[] }) {
  const titles = useTestTitles();
  return (
    <Section title="Tests">
      <Panel>
        <ul className="divide-y divide-line/70">
          {cells.map((cell) => (
            <CellRow
              key={`${cell.testId} ${cell.persona}`}
              cell={cell}
              title={titles.get(cell.testId) ?? `Test ${cell.testId.slice(0, 8)}`}
            />
          ))}
        </ul>
      </Panel>
    </Section>
  );
}

function CellRow({ cell, title }: { cell: Cell; title: string }) {
  const { result, gates, gateReason, persona, change, reason, criteria, attempts, k, n, noFixture, findings } = cell;
  const mark = change === 'newly_broken' || change === 'fixed' ? CHANGES[change] : null;
  return (
    <li className="px-4 py-3">
      <details open={result !== 'passed' && result !== 'not_run'}>
        <summary className="flex items-start gap-x-3">
          <ResultSquare result={result} gates={gates} />
          <span className="flex min-h-6 min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
            <span className="font-medium">{title}</span>
            {persona !== '@source' && <Chip>{words(persona)}</Chip>}
            {mark && <Chip tone={mark.tone}>{mark.text}</Chip>}
            <span className="text-sm text-ink-2">
              {count(k)} of {count(n)} passed · {gates ? 'gates' : `does not gate: ${gateReason ?? 'not calibrated'}`}
            </span>
          </span>
        </summary>
        <div className="mt-3 space-y-3 pl-9">
          {reason && <p className="max-w-[76ch]">{reason}</p>}
          <Criteria criteria={criteria} />
          {findings.length > 0 && (
            <p className="text-sm text-ink-2">
              Noticed besides: {findings.map(({ title: found, detail }) => `${found} (${detail})`).join('; ')}
            </p>
          )}
          {noFixture.length > 0 && (
            <p className="text-sm text-caution">No answer was given for: {noFixture.join(', ')}.</p>
          )}
          <Attempts attempts={attempts} />
        </div>
      </details>
    </li>
  );
}

function Attempts({ attempts }: Pick<Cell, 'attempts'>) {
  const agent = useAgent();
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <AttemptSquares attempts={attempts} />
      {attempts.map(({ runId, attempt }) => (
        <Link
          key={runId}
          to="/a/$agentId/attempts/$attemptId"
          params={{ agentId: agent.id, attemptId: runId }}
          className="text-accent hover:underline"
        >
          Attempt {attempt}
        </Link>
      ))}
    </p>
  );
}

function useTestTitles(): Map<string, string> {
  const agent = useAgent();
  const tests = api.useQuery('get', '/v1/agents/{agentId}/tests', {
    params: { path: { agentId: agent.id }, query: { limit: 100 } },
  });
  return new Map(tests.data?.data.map(({ id, title }) => [id, title]));
}
