import type { JsonObject } from '../../domain/json.ts';
import type { Platform } from '../../domain/vocabulary.ts';
import type { InboundPlatform, PlatformEvent } from '../../inbound/inbound-platform.ts';
import { inboundPlatform } from '../../inbound/registry.ts';
import { Failure } from '../failure.ts';

/** A call that can be fetched, or in a sentence why the event tells of none. */
export type ReadEvent = { event: PlatformEvent } | { reason: string };

/**
 * What an event says: by the platform's own fields, else by the format that it is recognized as, so that a call without
 * its envelope counts too. What the platform sends of calls that go on, or may send one day, is no fault.
 * @throws Failure `invalid_body` for what another tool writes
 */
export async function readEvent(
  platform: Platform,
  inbound: InboundPlatform,
  document: JsonObject,
): Promise<ReadEvent> {
  const event = inbound.read(document);
  if (event !== null) return { event };
  // Few events are no news.
  const { nearestOf, payloadIn, recognize, writerOf } = await import('../../platforms/formats/registry.ts');
  const format = recognize(document);
  if (format === null) return { reason: `The event is none that is known. ${nearestOf(document).sentence}` };
  const writer = writerOf(format);
  if (writer !== platform) {
    const owner = writer && inboundPlatform(writer);
    const instead = owner ? `Send it to the address of a connection to ${owner.title}` : 'Send it to `/ingest/calls`';
    throw new Failure(
      'invalid_body',
      `This address takes events of ${inbound.title}, and what came is of another format: ${format.name}. ${instead}, or import it with \`earshot import\`.`,
    );
  }
  const read = payloadIn(format, document);
  if ('advice' in read) return { reason: read.advice };
  const call = inbound.callOf(read.payload);
  if (call !== null) return { event: { kind: format.name, ...call } };
  return { reason: `${format.name}: it does not say which call of which agent it is.` };
}
