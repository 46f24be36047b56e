import { api, type Schemas } from '../../client/api.ts';
import { DASH, latency } from '../../format.ts';
import { Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';

/** Each try of a delivery, oldest first. */
export function Tries({ delivery }: { delivery: Schemas['WebhookDelivery'] }) {
  const params = { path: { webhookId: delivery.webhookId, deliveryId: delivery.id } };
  const withTries = api.useQuery('get', '/app/webhooks/{webhookId}/deliveries/{deliveryId}', { params });
  return (
    <Loaded of={withTries} rows={1}>
      {({ log, id }) => (
        <>
          <p className="mb-1 text-xs text-ink-2">
            webhook-id <code className="font-mono">{id}</code>
          </p>
          <TryList log={log} />
        </>
      )}
    </Loaded>
  );
}

export function TryList({ log }: { log: Schemas['ChannelMessageWithTries']['log'] }) {
  if (log.length === 0) return <p>Not tried yet.</p>;
  return (
    <ol className="space-y-1">
      {log.map(({ try: number, at, status, error, durationMs }) => (
        <li key={`${number} ${at}`} className="flex flex-wrap gap-x-3 text-sm">
          <span className="text-ink-2">{number}.</span>
          <Time at={at} />
          <span>{status ?? DASH}</span>
          <span className="text-ink-2">{latency(durationMs)}</span>
          {error && <span className="min-w-0 break-words">{error}</span>}
        </li>
      ))}
    </ol>
  );
}
