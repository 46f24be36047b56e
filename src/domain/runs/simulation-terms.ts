import type { AgentConfiguration } from '../versions/configuration.ts';
import type { Platform } from '../vocabulary.ts';

/** What has to be known of a platform before a run of it is let in; how it is played is its adapter's business. */
export interface SimulationTerms {
  /** What a simulated call costs at most at the platform, where the agent's settings don't say otherwise. */
  usdACall: number;
  /** Tools of the version that the platform would run for real, although fixtures are given. */
  liveTools(configuration: AgentConfiguration): string[];
}

const MOCKED: SimulationTerms['liveTools'] = () => [];

/** Retell and Vapi bill text by the message or token; these are estimates for a conversation of about twenty turns. */
const TERMS: Partial<Record<Platform, SimulationTerms>> = {
  retell: { usdACall: 0.05, liveTools: MOCKED },
  vapi: { usdACall: 0.05, liveTools: MOCKED },
  demo: { usdACall: 0.02, liveTools: MOCKED },
};

/** Null: the platform offers nothing that plays a version as text without touching anything real. */
export function simulationTerms(platform: Platform): SimulationTerms | null {
  return TERMS[platform] ?? null;
}
