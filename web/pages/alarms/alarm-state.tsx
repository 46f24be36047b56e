import { BellOff, BellRing, CircleCheck, CircleHelp, TriangleAlert } from 'lucide-react';
import type { Schemas } from '../../client/api.ts';
import { Chip } from '../../ui/chip.tsx';
import { type Looks, StateChip } from '../../ui/state-chip.tsx';

export type Alarm = Schemas['Alarm'];

const LOOKS: Looks<NonNullable<Alarm['state']>> = {
  ok: { tone: 'good', icon: CircleCheck, label: 'OK' },
  warning: { tone: 'caution', icon: TriangleAlert, label: 'Warning' },
  critical: { tone: 'bad', icon: BellRing, label: 'Critical' },
  no_data: { tone: 'neutral', icon: CircleHelp, label: 'No data' },
};

export function AlarmStateChip({ state }: { state: NonNullable<Alarm['state']> }) {
  return <StateChip state={state} looks={LOOKS} />;
}

export const isSilenced = ({ silencedUntil }: Alarm) =>
  silencedUntil !== null && Date.parse(silencedUntil) > Date.now();

/** How an alarm stands: its state, and what people did about it. */
export function AlarmStanding({ alarm }: { alarm: Alarm }) {
  const { state, level, on, acknowledged } = alarm;
  return (
    <span className="flex flex-wrap items-center gap-1.5">
      {!on && <Chip>Off</Chip>}
      {on && state === null && <Chip>Not looked at yet</Chip>}
      {state !== null && <AlarmStateChip state={state} />}
      {state === 'no_data' && level !== null && level !== 'ok' && <AlarmStateChip state={level} />}
      {acknowledged && <Chip tone="accent">Acknowledged</Chip>}
      {isSilenced(alarm) && (
        <Chip>
          <BellOff size={12} aria-hidden />
          Silenced
        </Chip>
      )}
    </span>
  );
}
