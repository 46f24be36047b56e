import { Link } from '@tanstack/react-router';
import type { Schemas } from '../../client/api.ts';
import { calls, count, words } from '../../format.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Panel, Section } from '../../ui/panel.tsx';
import { useSignalTitles } from '../calls/use-signals.ts';

type Board = Schemas['Board'];

/** What was seen without making an issue of it, and what could not be seen. */
export function BoardNotes({ board, isSummed }: { board: Board; isSummed: boolean }) {
  const { unexplained, unconfirmed, missing, summary, hidden } = board;
  return (
    <div className="mt-10 grid gap-x-6 gap-y-8 @page-lg:grid-cols-2">
      {(isSummed || hidden.text !== '') && (
        <p className="col-span-full max-w-[100ch] text-sm text-ink-2">{isSummed ? summary : hidden.text}</p>
      )}
      {unexplained.length > 0 && <Unexplained rows={unexplained} board={board} />}
      <div>
        {unconfirmed.length > 0 && (
          <Section title="Seen, and too rare to be confirmed">
            <Panel>
              <ul className="divide-y divide-line/70 text-sm">
                {unconfirmed.map(({ issueId, title, place, calls: seen }) => (
                  <li key={issueId} className="flex gap-3 px-4 py-2">
                    <span className="min-w-0 flex-1">
                      {title} <span className="text-ink-2">at {place}</span>
                    </span>
                    <span className="whitespace-nowrap text-ink-2">{calls(seen)}</span>
                  </li>
                ))}
              </ul>
            </Panel>
          </Section>
        )}
        {missing.length > 0 && <Missing rows={missing} />}
      </div>
    </div>
  );
}

function Unexplained({ rows, board }: { rows: Board['unexplained']; board: Board }) {
  const agent = useAgent();
  return (
    <Section
      title="Ended badly, cause not established"
      note={`${count(board.endedBadlyCounted)} of ${calls(board.endedBadly)} that ended badly`}
    >
      <Panel>
        <ul className="divide-y divide-line/70 text-sm">
          {rows.map(({ title, calls: seen, ending, callIds }) => (
            <li key={title} className="px-4 py-2">
              <div className="flex gap-3">
                <span className="min-w-0 flex-1">{title}</span>
                <span className="whitespace-nowrap text-ink-2">{calls(seen)}</span>
              </div>
              <p className="text-xs text-ink-2">
                {ending}{' '}
                {callIds.slice(0, 3).map((callId, at) => (
                  <Link
                    key={callId}
                    to="/a/$agentId/calls/$callId"
                    params={{ agentId: agent.id, callId }}
                    className="mr-2 text-accent underline"
                  >
                    call {at + 1}
                  </Link>
                ))}
              </p>
            </li>
          ))}
        </ul>
      </Panel>
    </Section>
  );
}

function Missing({ rows }: { rows: Board['missing'] }) {
  const titles = useSignalTitles();
  return (
    <Section title="What could not be computed on any call">
      <Panel>
        <ul className="divide-y divide-line/70 text-sm">
          {rows.map(({ reason, codes, remedy }) => (
            <li key={reason} className="px-4 py-2">
              <p>{reason}</p>
              <p className="text-xs text-ink-2">
                {codes.map((code) => titles.get(code) ?? words(code)).join(', ')}
                {remedy && <> · {remedy}</>}
              </p>
            </li>
          ))}
        </ul>
      </Panel>
    </Section>
  );
}
