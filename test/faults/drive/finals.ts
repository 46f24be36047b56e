import type { Receiver } from '../../support/receiver.ts';
import type { Client } from './client.ts';
import type { Answer } from './journal.ts';
import type { Site } from './site.ts';

/** What stands at the end, as the API tells it, and what the receiver of webhooks was sent. */
export interface Finals {
  tests: { id: string; title: string }[];
  watches: { id: string; name: string; state: string; samples: { callId: string; label: string | null }[] }[];
  /** Calls that wait for a model to read them, and those that it read. */
  reading: { waiting: number; read: number };
  drafts: { id: string; title: string; status: string }[];
  /** Prompts of the versions that were published at the platform. */
  wordsThere: string[];
  /** What Earshot made at the platform beside the agent and has not taken away. */
  leftThere: string[];
  keys: { id: string; name: string; spentUsd: number }[];
  imports: { id: string; status: string }[];
  runs: {
    id: string;
    status: string;
    approvedAt: string | null;
    /** Whether a key pays for it. */
    isPaidByKey: boolean;
    costUsd: number;
    cells: number;
    counted: number;
    /** Of each attempt, by test, persona and number. */
    attempts: string[];
  }[];
  erasures: { id: string; status: string }[];
  /** Calls by the agent that they are of. */
  calls: Record<'fed' | 'polled', { id: string; ref: string; outcome: string | null }[]>;
  /** Refs that stand-in and uploads offered for the polled agent. */
  offered: string[];
  /** What reading an erased call was answered with. */
  erasedStatuses: { callId: string; status: number }[];
  /** Targets of the audit's entries on making tests with a key. */
  testsAudited: string[];
  /** Ids of runs, of the audit's entries on approvals that were taken. */
  approvalsAudited: string[];
  /** `isTaken`: the receiver said so. */
  deliveries: { messageId: string; runId: string; bytes: string; isTaken: boolean }[];
}

/** Reads all of it. @throws when the API does not answer, although nothing is broken any more. */
export async function readFinals(
  client: Client,
  site: Site,
  { fedId, erasedIds }: { fedId: string; erasedIds: string[] },
): Promise<Finals> {
  const { playedId, polledId, draftedId, writeKey: as } = site.workspace;
  const all = async (path: string, key?: string) => {
    const found = await client.walk(path, key);
    if (found === null) throw new Error(`${path} could not be read.`);
    return found;
  };
  const callsOf = async (agentId: string) =>
    (await all(`/v1/agents/${agentId}/calls`, as)).map(({ id, providerCallId, outcome }) => ({
      id,
      ref: providerCallId,
      outcome,
    }));
  const runsOf = async (agentId: string) => {
    const runs = await all(`/v1/agents/${agentId}/runs`, as);
    return Promise.all(
      runs.map(async ({ id, status, approvedAt, createdBy, cost, summary }) => ({
        id,
        status,
        approvedAt,
        isPaidByKey: String(createdBy).startsWith('key:'),
        costUsd: cost.platformUsd + cost.serviceUsd,
        cells: summary?.cells ?? 0,
        counted: Object.values<number>(summary?.counts ?? {}).reduce((sum, count) => sum + count, 0),
        attempts: (await all(`/v1/agents/${agentId}/attempts?runId=${id}`, as)).map(
          ({ testId, persona, attempt }) => `${testId} ${persona} ${attempt}`,
        ),
      })),
    );
  };
  /** Targets of the entries on an operation that was done. */
  const auditedOf = async (agentId: string, wanted: string, isWanted: (entry: Answer['body']) => boolean) =>
    (await all(`/v1/agents/${agentId}/audit`, as))
      .filter((entry) => entry.operation === wanted && isWanted(entry))
      .flatMap(({ targetIds }) => targetIds);
  const { versions, made } = site.workshop;
  return {
    tests: await all(`/v1/agents/${playedId}/tests`, as),
    watches: await all(`/v1/agents/${fedId}/watches`, as),
    reading: (await client.insist('GET', `/app/agents/${fedId}/model-reading`))?.body.calls,
    keys: (await all('/app/keys')).map(({ id, name, spentThisMonthUsd }) => ({
      id,
      name,
      spentUsd: spentThisMonthUsd,
    })),
    imports: [...(await all(`/app/agents/${fedId}/imports`)), ...(await all(`/app/agents/${polledId}/imports`))],
    drafts: await all(`/v1/agents/${draftedId}/drafts`, as),
    wordsThere: versions.filter(({ published }) => published).map(({ engine }) => String(engine.general_prompt)),
    leftThere: [...made.agents.keys(), ...made.engines.keys()],
    runs: [...(await runsOf(playedId)), ...(await runsOf(draftedId))],
    erasures: await all(`/app/agents/${fedId}/erasures`),
    calls: { fed: await callsOf(fedId), polled: await callsOf(polledId) },
    offered: [...site.platform.calls.keys()],
    erasedStatuses: await Promise.all(
      erasedIds.map(async (callId) => {
        const answer = await client.insist('GET', `/v1/agents/${fedId}/calls/${callId}`, { as });
        return { callId, status: answer?.status ?? 0 };
      }),
    ),
    testsAudited: await auditedOf(
      playedId,
      'createTest',
      ({ status, apiKeyId }) => status === 201 && apiKeyId !== null,
    ),
    approvalsAudited: await auditedOf(draftedId, 'approveRun', ({ status }) => status === 200),
    deliveries: deliveriesOf(site.receiver),
  };
}

/** What is sent of a run is its result document, which calls it a batch. */
function deliveriesOf({ received }: Receiver): Finals['deliveries'] {
  return received.map(({ headers, body, answered }) => ({
    messageId: headers['webhook-id'] ?? '',
    runId: JSON.parse(body.toString()).batchId,
    bytes: body.toString('base64'),
    isTaken: answered !== null && answered < 300,
  }));
}
