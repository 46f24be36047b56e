import type { Schemas } from '../../client/api.ts';
import { Chip } from '../../ui/chip.tsx';
import { Time } from '../../ui/time.tsx';

type Standing = Pick<Schemas['Channel'], 'enabled' | 'failingSince' | 'unavailable' | 'waitsForReader'>;

export function ChannelState({ of: { enabled, failingSince, unavailable, waitsForReader } }: { of: Standing }) {
  if (waitsForReader) return <Chip tone="caution">waits</Chip>;
  if (unavailable !== null) return <Chip tone="caution">can’t send</Chip>;
  if (!enabled) return <Chip>off</Chip>;
  if (failingSince === null) return <Chip tone="good">on</Chip>;
  return (
    <span className="whitespace-nowrap">
      <Chip tone="bad">failing</Chip> since <Time at={failingSince} short />
    </span>
  );
}
