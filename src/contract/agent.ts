import { z } from 'zod';
import { ONBOARDING_STEPS, PLATFORMS, SETUP_STATUSES } from '../domain/vocabulary.ts';
import { count, timestamp, uuid } from './common.ts';
import { retention, retentionFrom } from './retention.ts';

export const agent = z
  .strictObject({
    object: z.literal('agent'),
    id: uuid,
    name: z.string(),
    provider: z.enum(PLATFORMS).describe("The voice platform's slug."),
    providerAgentId: z.string().describe("The agent's id on that platform."),
    source: z.string().describe("The platform's slug, or `demo` for synthetic data shaped like the platform's."),
    currentVersion: z.int(),
    setupStatus: z.enum(SETUP_STATUSES),
    onboardingStep: z.enum(ONBOARDING_STEPS),
    readOnly: z.boolean().describe('True only for the shared demo agents, which refuse every write.'),
    graceDays: z
      .int()
      .min(1)
      .max(90)
      .describe('An open issue counts as resolved after this many days of calls without it.'),
    createdAt: timestamp,
    updatedAt: timestamp,
    counts: z.strictObject({ calls: count, openIssues: count, versions: count, tests: count }),
  })
  .meta({
    id: 'Agent',
    examples: [
      {
        object: 'agent',
        id: '019d1f4e-6a10-7c3e-9b1a-2f6d0c4e8a11',
        name: 'Front desk',
        provider: 'retell',
        providerAgentId: 'agent_71c2',
        source: 'retell',
        currentVersion: 4,
        setupStatus: 'approved',
        onboardingStep: 'done',
        readOnly: false,
        graceDays: 7,
        createdAt: '2026-02-01T08:00:00.000Z',
        updatedAt: '2026-03-02T09:15:04.120Z',
        counts: { calls: 812, openIssues: 9, versions: 4, tests: 0 },
      },
    ],
  });
export type AgentResource = z.infer<typeof agent>;

/** What a change of settings answers: the agent, and how long its calls are kept by now. */
export const changedAgent = z.strictObject({ ...agent.shape, retention, retentionFrom }).meta({ id: 'ChangedAgent' });
export type ChangedAgent = z.infer<typeof changedAgent>;
