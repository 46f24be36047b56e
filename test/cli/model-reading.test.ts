import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { readModelConfig } from '../../src/config.ts';
import { createModels, type Models } from '../../src/models/registry.ts';
import { createOutbound, type Outbound } from '../../src/outbound/outbound.ts';
import { type CommandLine, commandLineFor } from '../support/command-line.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { GOOD_ANSWER, modelSettings } from '../support/model-world.ts';
import { sendOutbox } from '../support/outbox.ts';
import { startWorkedWorld, type WorkedWorld } from '../support/worked-world.ts';
import type { Loose, World } from '../support/world.ts';

const address = inject('temporalAddress');

describe.skipIf(address === null)('the command line, where a model reads the calls', () => {
  let server: ModelServer;
  let outbound: Outbound;
  let models: Models;
  let worked: WorkedWorld;
  let world: World;
  let cli: CommandLine;
  let starter: ReturnType<typeof setInterval>;

  beforeAll(async () => {
    server = await startModelServer();
    outbound = createOutbound({ allow: [], trustedOrigins: [server.origin] });
    models = createModels(outbound, readModelConfig(modelSettings(server)));
    worked = await startWorkedWorld(address, null, null, models);
    world = worked.world;
    const { reader } = models;
    world.services.reader = reader && {
      model: reader.model,
      account: reader.account,
      price: models.prices[reader.model],
      isOwn: false,
    };
    world.services.newAgents = { modelReading: 'decide', budgetUsd: 10 };
    starter = setInterval(() => void sendOutbox({ database: world.database, temporal: worked.temporal.gateway }), 100);
    cli = await commandLineFor(world);
  });
  afterAll(async () => {
    clearInterval(starter);
    await worked?.close();
    await outbound?.close();
    await server?.close();
  });

  const answer = ({ schema, material }: Loose) => {
    if (!schema.properties.requests) return { status: 400, error: { message: 'no wordings today' } };
    const quote = /CALLER: (.*)/.exec(material)?.[1] ?? '';
    const request = { ...GOOD_ANSWER.requests[0], turn: 1, quote };
    return { value: { ...GOOD_ANSWER, requests: [request], outcome: null } };
  };
  const file = (name: string, calls: number) => {
    const path = join(cli.folder, name);
    const turns = [
      { role: 'agent', text: 'Hello, how can I help?' },
      { role: 'caller', text: 'I want to book a table for two.' },
    ];
    const lines = Array.from({ length: calls }, (_, at) => JSON.stringify({ id: `${name} ${at}`, turns }));
    writeFileSync(path, lines.join('\n'));
    return path;
  };

  test('an import says what reading costs at most, looks on until all calls are read, and says what it cost', async () => {
    server.answerWith(answer);
    const imported = await cli.run(['import', file('desk.jsonl', 5)]);
    expect(imported.code).toBe(0);
    expect(imported.err).toContain('small-one reads all calls, for at most 10.00 USD a month.');
    expect(imported.out).toContain('small-one: 5 calls read, 0 waiting; 0.0060 USD this month.');

    const shown = await cli.run(['reading']);
    expect(shown.out).toContain('small-one reads all calls, for at most 10.00 USD a month.');
    expect(shown.out).toContain('5 questions this month');
    const call = await cli.run(['calls', '1']);
    expect(call.out).toContain('Read by small-one for 0.0012 USD.');
    expect((await cli.run(['plan'])).out).toMatch(
      /Reading by a model: 0\.01 USD this month\.\n +desk: 5 calls read, 0 waiting, 0\.0060 USD/,
    );
    const again = await cli.run(['import', file('desk.jsonl', 5), '--json']);
    expect(JSON.parse(again.out)).not.toHaveProperty('modelReading');
  });

  test('a model that refuses the key pauses, an import says so and ends, and it is tried again on demand', async () => {
    server.answerWith(() => ({ status: 401 }));
    const imported = await cli.run(['import', file('till.jsonl', 3), '--json']);
    expect(imported.code).toBe(0);
    const { agentId, modelReading } = JSON.parse(imported.out);
    expect(modelReading).toMatchObject({ calls: { read: 0, waiting: 3 }, pause: { kind: 'key' } });
    expect((await cli.run(['reading', '--agent', agentId])).out).toContain('Paused: ');
    server.answerWith(answer);
    expect((await cli.run(['reading', 'try-now', '--agent', agentId])).code).toBe(0);
    await expect
      .poll(async () => JSON.parse((await cli.run(['reading', '--agent', agentId, '--json'])).out).calls, {
        timeout: 30_000,
      })
      .toMatchObject({ read: 3, waiting: 0 });
  });

  test('which calls are read and for how much is set, and earlier calls are read after an estimate', async () => {
    server.answerWith(answer);
    const set = ['settings', 'set', '--agent', 'desk', '--model-share', '20', '--model-budget-usd', '5', '--json'];
    expect(JSON.parse((await cli.run(set)).out)).toMatchObject({
      modelShare: 'suspected',
      modelSharePercent: 20,
      modelBudgetUsd: 5,
    });
    const wrong = await cli.run(['settings', 'set', '--agent', 'desk', '--model-share', '120']);
    expect(wrong).toMatchObject({ code: 4, err: expect.stringContaining('a percentage such as 20') });
    await cli.run(['settings', 'set', '--agent', 'desk', '--model-reading', 'off']);
    await cli.run(['import', file('more.jsonl', 4), '--agent', 'desk']);
    await cli.run(['settings', 'set', '--agent', 'desk', '--model-reading', 'decide']);
    const planned = await cli.run(['reading', 'history', '--agent', 'desk']);
    expect(planned.out).toMatch(/^4 calls of this agent: about .* tokens, .* USD at your prices\.\n4\.99 USD are left/);
    const ordered = await cli.run(['reading', 'history', '--agent', 'desk', '--yes', '--json']);
    expect(JSON.parse(ordered.out).calls).toMatchObject({ read: 5, waiting: 4 });
  });
});
