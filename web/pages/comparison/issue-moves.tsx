import { Link } from '@tanstack/react-router';
import type { Schemas } from '../../client/api.ts';
import { count, percent } from '../../format.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Chip } from '../../ui/chip.tsx';
import { classes } from '../../ui/classes.ts';
import { Panel, Section } from '../../ui/panel.tsx';
import { VerdictChip } from './verdict-chip.tsx';

type Move = Schemas['IssueMove'];

/** How often each issue was seen before and after; those at a changed place are marked. */
export function IssueMoves({ moves, place }: { moves: Move[]; place: string | null }) {
  return (
    <Section title="Issues" note="share of calls that show them">
      {moves.length === 0 && <p className="text-ink-2">No issue was seen on enough calls to compare.</p>}
      {moves.length > 0 && (
        <Panel>
          <ul className="divide-y divide-line/70 text-sm">
            {moves.map((move) => (
              <MoveRow key={move.issueId} move={move} pointed={move.place === place} />
            ))}
          </ul>
        </Panel>
      )}
    </Section>
  );
}

function MoveRow({ move, pointed }: { move: Move; pointed: boolean }) {
  const agent = useAgent();
  const { issueId, title, place, before, after, callsBefore, callsAfter, atChangedPlace } = move;
  return (
    <li className={classes('flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2', pointed && 'bg-accent-soft')}>
      <span className="min-w-48 flex-1">
        <Link
          to="/a/$agentId/issues/$issueId"
          params={{ agentId: agent.id, issueId }}
          className="font-medium hover:underline"
        >
          {title}
        </Link>{' '}
        <span className="text-ink-2">{place}</span> {atChangedPlace && <Chip tone="accent">changed here</Chip>}
      </span>
      <span className="whitespace-nowrap text-ink-2">
        {side(callsBefore, before)} → {side(callsAfter, after)}
      </span>
      <VerdictChip verdict={move.verdict} direction={move.direction} />
    </li>
  );
}

function side(shown: number, { value, n }: Move['before']): string {
  return `${value === null ? '–' : percent(value)} (${count(shown)} of ${count(n)})`;
}
