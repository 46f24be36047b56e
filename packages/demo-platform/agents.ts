import type { ReadyGoal } from '../../src/domain/goals/ready-goal.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import type { ReadyTest } from '../../src/domain/tests/ready-test.ts';
import { clinicFlow } from './clinic/configuration.ts';
import { clinicLater } from './clinic/later.ts';
import { CLINIC_AGENT_ID, clinicPlan } from './clinic/plan.ts';
import { clinicTests } from './clinic/tests.ts';
import { type LaterVersions, NO_TRAITS, type Traits } from './later.ts';
import { parcelPrompt } from './parcel/configuration.ts';
import { parcelLater } from './parcel/later.ts';
import { PARCEL_AGENT_ID, parcelPlan } from './parcel/plan.ts';
import { parcelTests } from './parcel/tests.ts';
import type { AgentPlan } from './plan.ts';

const DAY_MS = 86_400_000;

/** The key that the demo platform takes. It protects nothing: all of its data is made up. */
export const DEMO_API_KEY = 'demo';

/** The first is a conversation flow, the second a single prompt. */
export const DEMO_AGENTS: readonly { providerAgentId: string; name: string }[] = [
  { providerAgentId: CLINIC_AGENT_ID, name: 'Maple Court Dental reception' },
  { providerAgentId: PARCEL_AGENT_ID, name: 'Swiftlane parcel helpline' },
];

/** Tests that come with each agent, by its id. */
export const DEMO_TESTS: ReadonlyMap<string, readonly ReadyTest[]> = new Map([
  [CLINIC_AGENT_ID, clinicTests],
  [PARCEL_AGENT_ID, parcelTests],
]);

/** What a person could want of each agent, by its id. */
export const DEMO_GOALS: ReadonlyMap<string, ReadyGoal> = new Map([
  [
    CLINIC_AGENT_ID,
    {
      title: 'Bookings stand in the diary',
      request:
        'Whoever takes a time should end up with a booking, and hear so. Where the diary does not take it, the agent should own up and not say that it is booked.',
    },
  ],
  [
    PARCEL_AGENT_ID,
    {
      title: 'Notes reach the driver',
      request: 'The agent should say that a note for the driver was added only when it was.',
    },
  ],
]);

/** One agent as the platform serves it. */
export interface DemoAgent {
  plan: AgentPlan;
  name: string;
  versions: readonly number[];
  engineId: string;
  engine(version: number, traits?: Traits): JsonObject;
  /** What the version has beside what the newest planned one says. */
  traits(version: number): Traits;
  later: LaterVersions;
  settings(version: number, endMs: number): JsonObject;
}

export function demoAgents(): DemoAgent[] {
  return [
    describe(clinicPlan, clinicLater, 'conversation_flow_2b9d4e6f1a70', clinicFlow, (id, version) => ({
      type: 'conversation-flow',
      conversation_flow_id: id,
      version,
    })),
    describe(parcelPlan, parcelLater, 'llm_8e31c7a5d2f4', parcelPrompt, (id, version) => ({
      type: 'retell-llm',
      llm_id: id,
      version,
    })),
  ];
}

function describe(
  plan: AgentPlan,
  later: LaterVersions,
  engineId: string,
  engine: DemoAgent['engine'],
  engineRef: (id: string, version: number) => JsonObject,
): DemoAgent {
  const name = DEMO_AGENTS.find((agent) => agent.providerAgentId === plan.providerAgentId)?.name ?? '';
  return {
    plan,
    name,
    engineId,
    engine,
    traits: () => NO_TRAITS,
    later,
    versions: plan.periods.map((period) => period.version),
    settings(version, endMs) {
      const period = plan.periods.find((one) => one.version === version);
      return {
        agent_id: plan.providerAgentId,
        agent_name: name,
        channel: 'voice',
        version,
        is_published: true,
        version_title: `Version ${version}`,
        last_modification_timestamp: endMs - (period?.fromDaysAgo ?? 30) * DAY_MS,
        response_engine: engineRef(engineId, version),
        voice_id: plan.providerAgentId === CLINIC_AGENT_ID ? 'demo-Robin' : 'demo-Kim',
        language: 'en-US',
        interruption_sensitivity: 0.8,
        responsiveness: 0.9,
        end_call_after_silence_ms: 30_000,
        max_call_duration_ms: 900_000,
        data_storage_setting: 'everything',
      };
    },
  };
}
