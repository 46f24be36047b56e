import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { flatten, type SentSpan } from '../../src/domain/spans/span.ts';
import { readTraces } from '../../src/inbound/otlp/read-traces.ts';
import { startTracing, type Tracing } from '../../src/tracing/start-tracing.ts';
import { sendOutbox } from '../support/outbox.ts';
import { untilTrue } from '../support/pipeline.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startWorkedWorld, type WorkedWorld } from '../support/worked-world.ts';

const address = inject('temporalAddress');
const ENDPOINT = 'OTEL_EXPORTER_OTLP_ENDPOINT';

describe.skipIf(address === null)('a request is traced', () => {
  let collector: Receiver;
  let tracing: Tracing;
  let worked: WorkedWorld;
  beforeAll(async () => {
    collector = await startReceiver();
    process.env[ENDPOINT] = collector.url;
    tracing = await startTracing('earshot-test', { share: 1, delayMs: 100 });
    worked = await startWorkedWorld(address);
  });
  afterAll(async () => {
    delete process.env[ENDPOINT];
    await worked?.close();
    await tracing?.close();
    await collector?.close();
  });

  test('through API, outbox, workflow, activities and SQL, as one trace under its id', async () => {
    const { world, temporal } = worked;
    const token = await world.token();
    const made = await world.ask('POST', '/app/agents', {
      as: token,
      body: { platform: 'file', providerAgentId: 'calls' },
    });
    const imports = `/app/agents/${made.body.id}/imports`;
    const started = await world.ask('POST', imports, {
      as: token,
      payload: JSON.stringify({ id: 'call-1', turns: [{ role: 'caller', text: 'I want to book a secret table.' }] }),
      headers: { 'content-type': 'application/x-ndjson' },
    });
    await sendOutbox({ database: world.database, temporal: temporal.gateway });
    await untilTrue(
      async () => (await world.ask('GET', `${imports}/${started.body.id}`, { as: token })).body.status === 'complete',
    );
    const requestId = started.headers['request-id'] ?? '';
    // The workflow is told of by the task that ends it, a moment after its row.
    await temporal.gateway.client.workflow.getHandle(`import/${started.body.id}/1`).result();
    await untilTrue(async () => ofRequest(requestId).some(({ name }) => name === 'workflow importCalls'), 60_000);

    const spans = ofRequest(requestId);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    const byId = new Map(spans.map((span) => [span.spanId, span]));
    const pathTo = (name: string): string[] => {
      const path: string[] = [];
      let span = spans.find((one) => one.name === name);
      for (; span; span = byId.get(span.parentId ?? '')) path.unshift(span.name);
      return path;
    };
    const root = 'POST /app/agents/:agentId/imports';
    expect(pathTo('sql insert').slice(0, 1)).toEqual([root]);
    expect(pathTo('activity importAtOnce')).toEqual([
      root,
      'outbox agentCoordinator',
      'workflow importCalls',
      'activity importAtOnce',
    ]);
    const imported = spans.find(({ name }) => name === 'activity importAtOnce');
    const within = spans.filter(({ parentId }) => parentId === imported?.spanId).map(({ name }) => name);
    expect(within).toContain('sql select');
    expect(JSON.stringify(spans)).not.toContain('secret table');
  });

  function ofRequest(requestId: string): SentSpan[] {
    const sent = collector.received.flatMap(({ body }) => flatten(readTraces(body, 'protobuf').groups));
    return sent.filter(({ attributes }) => attributes['earshot.request_id'] === requestId);
  }
});
