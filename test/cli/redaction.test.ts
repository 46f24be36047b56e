import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { openPayload } from '../../src/db/calls/payloads.ts';
import { uploadedLinePlace } from '../../src/db/secrets/sealed-places.ts';
import { type CommandLine, commandLineFor } from '../support/command-line.ts';
import { sendOutbox } from '../support/outbox.ts';
import { startWorkedWorld, type WorkedWorld } from '../support/worked-world.ts';

const address = inject('temporalAddress');

describe.skipIf(address === null)('redaction at import', () => {
  let worked: WorkedWorld;
  let cli: CommandLine;
  let starter: ReturnType<typeof setInterval>;

  beforeAll(async () => {
    worked = await startWorkedWorld(address);
    const { world, temporal } = worked;
    starter = setInterval(() => void sendOutbox({ database: world.database, temporal: temporal.gateway }), 100);
    cli = await commandLineFor(world);
  });
  afterAll(async () => {
    clearInterval(starter);
    await worked?.close();
  });

  const turns = [
    { role: 'agent', text: 'Fern Dental, how can I help?', startMs: 0, endMs: 900 },
    { role: 'caller', text: 'This is Quillan Vostrikov, my card is 4111 1111 1111 1111.', startMs: 1000, endMs: 3000 },
    { role: 'caller', text: 'I am patient MRN-123456, write to quillan@example.org.', startMs: 3000, endMs: 4000 },
  ];
  const file = (name: string, lines: unknown[]) => {
    const path = join(cli.folder, name);
    writeFileSync(path, lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''));
    return path;
  };

  test('what an agent leaves out is stored nowhere, and is counted on calls and imports', async () => {
    const plain = file('plain.jsonl', [{ id: 'p1', startedAt: '2026-03-01T10:00:00.000Z', turns: turns.slice(0, 1) }]);
    await cli.run(['import', plain, '--agent', 'Fern', '--json']);
    const bad = await cli.run(['settings', 'set', '--agent', 'Fern', '--redact-pattern', 'slow=(a+)+']);
    expect(bad).toMatchObject({ code: 1, err: expect.stringContaining('Groups are not supported') });
    const kinds = 'card,email,phone,name';
    const set = ['settings', 'set', '--agent', 'Fern', '--redact', kinds, '--redact-pattern', 'patient=MRN-\\d{6}'];
    expect((await cli.run(set)).out).toContain('card, email, phone, name, patient');

    const callerNumber = '+15550100666';
    const calls = ['r1', 'r2'].map((id) => ({ id, startedAt: '2026-03-02T10:00:00.000Z', callerNumber, turns }));
    const broken = '{"id": "r3", "turns": [{"role": "caller", "text": "4111 1111 1111 1111"';
    const unreadable = { id: 'r4', turns: 'my card is 4111 1111 1111 1111' };
    const ran = await cli.run([
      'import',
      file('calls.jsonl', [...calls, broken, unreadable]),
      '--agent',
      'Fern',
      '--json',
    ]);
    const result = JSON.parse(ran.out);
    expect(result).toMatchObject({ stored: 2, redacted: { card: 2, email: 2, name: 2, patient: 2 } });

    const call = JSON.parse((await cli.run(['calls', 'r1', '--agent', 'Fern', '--json'])).out).call;
    expect(call.transcript[1].text).toBe('This is [name], my card is [card].');
    expect(call.transcript[2].text).toBe('I am patient [patient], write to [email].');
    expect(call.redacted).toEqual({ card: 1, email: 1, name: 1, patient: 1 });
    expect(call.caller).toMatchObject({ of: 2 });
    expect((await cli.run(['calls', 'r1', '--agent', 'Fern'])).out).toContain('Redacted: 1 ');

    const stored = await everything();
    for (const own of ['4111', 'Quillan', 'Vostrikov', 'MRN-1', 'quillan@', '5550100666'])
      expect(stored).not.toContain(own);
    expect(stored).toContain('[card]');
  });

  /** All that the database has of calls, opened. */
  async function everything(): Promise<string> {
    const { database, services, workspaceId } = worked.world;
    const { vault } = services;
    const rows = async <Row>(query: ReturnType<typeof sql<Row>>) =>
      (await query.execute(database.em().getKysely())).rows;
    const texts = await rows(sql<{ text: string }>`
      select call::text as text from transcripts union all select analysis::text from call_analyses
      union all select row_to_json(s)::text from call_signals s union all select row_to_json(f)::text from import_failures f
      union all select row_to_json(c)::text from calls c`);
    const payloads = await rows(
      sql<{ callId: string; sealed: Buffer }>`select call_id as "callId", sealed from raw_payloads`,
    );
    const lines = await rows(
      sql<{ importId: string; line: number; sealed: string }>`
        select import_id as "importId", line, sealed_payload as sealed from uploaded_records`,
    );
    const failures = await rows(
      sql<{ agentId: string; ref: string; sealed: string | null }>`
        select agent_id as "agentId", ref, sealed_payload as sealed from import_failures`,
    );
    const { failurePlace } = await import('../../src/db/secrets/sealed-places.ts');
    return [
      ...texts.map(({ text }) => text),
      ...payloads.map(({ callId, sealed }) => JSON.stringify(openPayload(vault, { workspaceId, callId }, sealed))),
      ...lines.map(({ importId, line, sealed }) => vault.open(sealed, uploadedLinePlace(workspaceId, importId, line))),
      ...failures.map(({ agentId, ref, sealed }) =>
        sealed === null ? '' : vault.open(sealed, failurePlace(workspaceId, agentId, ref)),
      ),
    ].join('\n');
  }
});
