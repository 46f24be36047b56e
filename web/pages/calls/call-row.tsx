import { Link } from '@tanstack/react-router';
import type { Schemas } from '../../client/api.ts';
import { duration, words } from '../../format.ts';
import { Chip } from '../../ui/chip.tsx';
import { Time } from '../../ui/time.tsx';
import { OutcomeChip } from './outcome-chip.tsx';

export const ROW_COLUMNS =
  'grid content-center items-center gap-x-4 px-4 grid-cols-[minmax(0,1fr)_auto] @page-md:grid-cols-[8.5rem_3.5rem_3.5rem_7.5rem_minmax(0,1fr)] @page-lg:grid-cols-[8.5rem_3.5rem_3.5rem_7.5rem_minmax(0,1fr)_minmax(0,16rem)]';

interface CallRowProps {
  call: Schemas['Call'];
  index: number;
  /** Of signals, by their codes. */
  titles: ReadonlyMap<string, string>;
}

export function CallRow({ call, index, titles }: CallRowProps) {
  const { id, startedAt, durationMs, version, outcome, objective, intent, signalCodes, caller, found = [] } = call;
  const [place] = found;
  const [first, ...others] = signalCodes;
  return (
    <>
      <div role="cell" className="@max-page-md:order-1">
        <Link
          from="/a/$agentId/calls"
          to="/a/$agentId/calls/$callId"
          params={{ callId: id }}
          data-row={index}
          className="after:absolute after:inset-0"
        >
          {startedAt === null ? 'No start time' : <Time at={startedAt} short />}
        </Link>
        <span className="text-ink-2 @page-md:hidden"> · {duration(durationMs)}</span>
      </div>
      <div role="cell" className="text-ink-2 @max-page-md:hidden">
        {duration(durationMs)}
      </div>
      <div role="cell" className="text-ink-2 @max-page-md:hidden">
        {version}
      </div>
      <div role="cell" className="@max-page-md:order-2">
        <OutcomeChip outcome={outcome} />
      </div>
      <div role="cell" className="min-w-0 truncate @max-page-md:order-3 @max-page-md:col-span-2">
        <span className="text-ink-2">{place ? `Turn ${place.turn}` : intent.label}</span> {place?.text ?? objective}
        {caller.kind === 'repeat' && (
          <span className="ml-2 text-xs text-ink-3">
            call {caller.nth} of {caller.of}
          </span>
        )}
      </div>
      <div role="cell" className="flex min-w-0 gap-1 overflow-hidden @max-page-lg:hidden">
        {first !== undefined && <Chip>{titles.get(first) ?? words(first)}</Chip>}
        {others.length > 0 && <Chip>+{others.length}</Chip>}
      </div>
    </>
  );
}
