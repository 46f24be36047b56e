import { Button } from '../../ui/button.tsx';
import { newSubscription, type Subscription, SubscriptionFields } from './subscription-fields.tsx';

interface ListProps {
  value: Subscription[];
  onChange: (changed: Subscription[]) => void;
}

/** Where several want the same event, the earliest time holds. */
export function SubscriptionList({ value, onChange }: ListProps) {
  return (
    <div className="space-y-4">
      {value.map((subscription, at) => (
        // A subscription has no name but its place.
        // oxlint-disable-next-line react/no-array-index-key
        <section key={at} aria-label={`Subscription ${at + 1}`} className="rounded-panel border border-line p-3">
          <SubscriptionFields value={subscription} onChange={(changed) => onChange(value.with(at, changed))} />
          {value.length > 1 && (
            <div className="mt-3">
              <Button kind="quiet" onClick={() => onChange(value.toSpliced(at, 1))}>
                Remove this subscription
              </Button>
            </div>
          )}
        </section>
      ))}
      <Button onClick={() => onChange([...value, newSubscription()])}>Add a subscription</Button>
    </div>
  );
}

/** `6 kinds of events, high and above, daily at 9:00` */
export function describeSubscription({ events, minSeverity, digest, quietHours }: Subscription): string {
  const when =
    digest.every === 'immediate'
      ? 'at once'
      : digest.every === 'daily'
        ? `daily at ${digest.hour}:00`
        : `on ${digest.day}s at ${digest.hour}:00`;
  return [
    `${events.length} ${events.length === 1 ? 'kind' : 'kinds'} of events`,
    minSeverity && `problems from ${minSeverity}`,
    when,
    quietHours && `quiet ${quietHours.from} to ${quietHours.to}`,
  ]
    .filter(Boolean)
    .join(', ');
}
