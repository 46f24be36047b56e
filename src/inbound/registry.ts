import type { Platform } from '../domain/vocabulary.ts';
import { elevenLabsEvents } from './elevenlabs.ts';
import type { InboundPlatform } from './inbound-platform.ts';
import { retellEvents } from './retell.ts';
import { vapiEvents } from './vapi.ts';

/** The platforms that send events. The demo's key is known to everybody, so it sends none. */
const INBOUND: Partial<Record<Platform, InboundPlatform>> = {
  retell: retellEvents,
  vapi: vapiEvents,
  elevenlabs: elevenLabsEvents,
};

export const inboundPlatform = (platform: Platform): InboundPlatform | null => INBOUND[platform] ?? null;
