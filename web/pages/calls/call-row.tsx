import { Link } from '@tanstack/react-router';
import type { Schemas } from '../../client/api.ts';
import { duration, words } from '../../format.ts';
import { Chip } from '../../ui/chip.tsx';
import { Time } from '../../ui/time.tsx';
import { OutcomeChip } from './outcome-chip.tsx';

export const ROW_COLUMNS =
  'grid items-center gap-x-4 px-4 grid-cols-[minmax(0,1fr)_auto] @page-md:grid-cols-[8.5rem_3.5rem_3.5rem_7.5rem_minmax(0,1fr)] @page-lg:grid-cols-[8.5rem_3.5rem_3.5rem_7.5rem_minmax(0,1fr)_minmax(0,16rem)]';

const SIGNALS_SHOWN = 2;

export function CallRow({ call, index }: { call: Schemas['Call']; index: number }) {
  const { id, startedAt, durationMs, version, outcome, objective, intent, signalCodes, caller } = call;
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
      <div role="cell" className="min-w-0 truncate @max-page-md:hidden">
        <span className="text-ink-2">{intent.label}</span> {objective}
        {caller.kind === 'repeat' && (
          <span className="ml-2 text-xs text-ink-3">
            call {caller.nth} of {caller.of}
          </span>
        )}
      </div>
      <div role="cell" className="flex min-w-0 gap-1 overflow-hidden @max-page-lg:hidden">
        {signalCodes.slice(0, SIGNALS_SHOWN).map((code) => (
          <Chip key={code}>{words(code)}</Chip>
        ))}
        {signalCodes.length > SIGNALS_SHOWN && <Chip>+{signalCodes.length - SIGNALS_SHOWN}</Chip>}
      </div>
    </>
  );
}
