import type { AgentConfiguration } from '../versions/configuration.ts';
import { type Platform, sendsCalls } from '../vocabulary.ts';
import { elevenLabsLiveTools, retellLiveTools, vapiLiveTools } from './live-tools.ts';

/** What has to be known of a platform before a run of it is let in; how it is played is its adapter's business. */
export interface SimulationTerms {
  /** What a simulated call costs at most at the platform, where the agent's settings don't say otherwise. */
  usdACall: number;
  /**
   * Tools of the version that the platform would run for real, although fixtures are given.
   * @param hasToolAddress whether the platform can reach an address of ours that answers in their place.
   */
  liveTools(configuration: AgentConfiguration, hasToolAddress?: boolean): string[];
  /** The text of a draft is sent along, or a copy of the agent is made with it. Null: neither. */
  drafts: 'sent' | 'copied' | null;
}

/**
 * Prices are our estimates of ten answers of a large model: Retell gives none for its playground, and of Vapi's chats,
 * which say what they cost, that counts once it is known. ElevenLabs' tests ask a second model to judge each answer. The demo's is made up, so that budgets can be met.
 */
export const SIMULATION_TERMS = {
  retell: { usdACall: 0.05, liveTools: retellLiveTools, drafts: 'copied' },
  vapi: { usdACall: 0.05, liveTools: vapiLiveTools, drafts: 'sent' },
  elevenlabs: { usdACall: 0.1, liveTools: elevenLabsLiveTools, drafts: 'sent' },
  demo: { usdACall: 0.02, liveTools: retellLiveTools, drafts: 'sent' },
} as const satisfies Partial<Record<Platform, SimulationTerms>>;

/** An agent at a chat address of the customer's own: it hands its tools back, and what it costs is their own business. */
export const CHAT_TERMS = { usdACall: 0, liveTools: () => [], drafts: null } as const satisfies SimulationTerms;

/**
 * @param hasChat whether an agent that sends its calls has a chat address.
 * @returns null where nothing plays a version as text without touching anything real.
 */
export function simulationTerms(platform: Platform, hasChat = false): SimulationTerms | null {
  const terms: Partial<Record<Platform, SimulationTerms>> = SIMULATION_TERMS;
  return terms[platform] ?? (hasChat && sendsCalls(platform) ? CHAT_TERMS : null);
}
