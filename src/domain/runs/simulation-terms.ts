import type { AgentConfiguration } from '../versions/configuration.ts';
import type { Platform } from '../vocabulary.ts';
import { retellLiveTools, vapiLiveTools } from './live-tools.ts';

/** What has to be known of a platform before a run of it is let in; how it is played is its adapter's business. */
export interface SimulationTerms {
  /** What a simulated call costs at most at the platform, where the agent's settings don't say otherwise. */
  usdACall: number;
  /** Tools of the version that the platform would run for real, although fixtures are given. */
  liveTools(configuration: AgentConfiguration): string[];
  /** The text of a draft is sent along, or a copy of the agent is made with it. */
  drafts: 'sent' | 'copied';
}

/**
 * Prices are our estimates of ten answers of a large model: Retell gives none for its playground, and of Vapi's chats,
 * which say what they cost, that counts once it is known. The demo's is made up, so that budgets can be met.
 */
export const SIMULATION_TERMS = {
  retell: { usdACall: 0.05, liveTools: retellLiveTools, drafts: 'copied' },
  vapi: { usdACall: 0.05, liveTools: vapiLiveTools, drafts: 'sent' },
  demo: { usdACall: 0.02, liveTools: retellLiveTools, drafts: 'sent' },
} as const satisfies Partial<Record<Platform, SimulationTerms>>;

/** Null: the platform offers nothing that plays a version as text without touching anything real. */
export function simulationTerms(platform: Platform): SimulationTerms | null {
  const terms: Partial<Record<Platform, SimulationTerms>> = SIMULATION_TERMS;
  return terms[platform] ?? null;
}
