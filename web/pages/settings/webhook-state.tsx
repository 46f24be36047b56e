import type { Schemas } from '../../client/api.ts';
import { Chip } from '../../ui/chip.tsx';
import { Time } from '../../ui/time.tsx';

export function WebhookState({ webhook }: { webhook: Schemas['Webhook'] }) {
  if (!webhook.enabled) return <Chip>off</Chip>;
  if (webhook.failingSince === null) return <Chip tone="good">on</Chip>;
  return (
    <span className="whitespace-nowrap">
      <Chip tone="bad">failing</Chip> since <Time at={webhook.failingSince} short />
    </span>
  );
}
