import { CircleCheck, CircleHelp, CircleSlash, CircleX, LogOut, PhoneForwarded } from 'lucide-react';
import type { Schemas } from '../../client/api.ts';
import { words } from '../../format.ts';
import { Chip, type Tone } from '../../ui/chip.tsx';

type Outcome = NonNullable<Schemas['Call']['outcome']>;

const LOOKS: Record<Outcome, { tone: Tone; icon: typeof CircleX }> = {
  resolved: { tone: 'good', icon: CircleCheck },
  transferred: { tone: 'neutral', icon: PhoneForwarded },
  unresolved: { tone: 'bad', icon: CircleX },
  abandoned: { tone: 'bad', icon: LogOut },
  no_contact: { tone: 'neutral', icon: CircleSlash },
};

export function OutcomeChip({ outcome }: { outcome: Outcome | null }) {
  if (outcome === null) {
    return (
      <Chip>
        <CircleHelp size={12} aria-hidden />
        Not known
      </Chip>
    );
  }
  const { tone, icon: Icon } = LOOKS[outcome];
  return (
    <Chip tone={tone}>
      <Icon size={12} aria-hidden />
      {words(outcome)}
    </Chip>
  );
}
