import type { Schemas } from '../../client/api.ts';
import { count, when, words } from '../../format.ts';
import { Panel } from '../../ui/panel.tsx';
import { Empty } from '../../ui/states.tsx';

type Connection = Schemas['Connection'];

/** Spans that came in over a connection: what became of them, and what would fix what became of none. */
export function SentSpans({ connection: { platform, spans } }: { connection: Connection }) {
  if (spans === null) {
    return (
      <Empty title={`No spans of ${words(platform)} came in during the last two days`}>
        <code className="font-mono text-sm">npx earshot doctor</code> says whether this server takes them.
      </Empty>
    );
  }
  return (
    <Panel>
      <p className="px-4 py-3">
        <span className="font-medium">{words(platform)}</span>: {count(spans.spans)} spans in {count(spans.traces)}{' '}
        traces, the last on {when(spans.lastAt)}.{' '}
        {spans.nextAt === null
          ? 'Nothing waits.'
          : `${count(spans.waiting)} traces wait for their calls to be over; calls are made next at ${when(spans.nextAt)}.`}
      </p>
      {spans.left.length > 0 && (
        <ul aria-label="Spans of which no call was made" className="divide-y divide-line/70 border-t border-line/70">
          {spans.left.map(({ reason, library, says, advice }) => (
            <li key={`${reason} ${library}`} className="px-4 py-3">
              <p className="font-medium break-words">{says}</p>
              <p className="text-ink-2 break-words">{advice}</p>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
