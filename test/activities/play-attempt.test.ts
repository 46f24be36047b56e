import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ActivityDeps } from '../../activities/deps.ts';
import { canonicalJson } from '../../src/db/convert.ts';
import { endPlaying, openAttempt, TakenOverError } from '../../src/db/runs/attempts.ts';
import { storeStep } from '../../src/db/runs/store-step.ts';
import { configurationOf } from '../../src/db/versions/versions.ts';
import { ATTACKS } from '../../src/domain/packs/attacks.ts';
import { testsOfPack } from '../../src/domain/packs/pack.ts';
import { checkVerdicts } from '../../src/domain/runs/score.ts';
import { newId } from '../../src/ids.ts';
import type { AttemptKey } from '../../src/temporal/run-tests.ts';
import { BOOKING_LINES, booked, found, free } from '../support/booking.ts';
import { openPlayingWorld, type PlayingWorld, specOf } from '../support/playing.ts';

let world: PlayingWorld;
beforeAll(async () => {
  world = await openPlayingWorld();
});
afterAll(() => world?.close());
beforeEach(() => {
  world.proxy.requests.length = 0;
  world.server.asked.length = 0;
});
afterEach(() => world.proxy.interfere(() => null));

const booking = { caller: { ...specOf({}).caller, script: BOOKING_LINES }, fixtures: [found, free, booked] };

const said = (turns: { role: string; text: string }[]) =>
  turns.filter(({ text }) => text !== '').map(({ role, text }) => `${role}: ${text}`);

/** The process ends when the platform has answered so many questions and nobody has heard the last answer. */
function dyingAfter(answers: number): ActivityDeps {
  const adapter = world.deps.platforms.adapter('demo');
  const { simulation } = adapter;
  if (simulation === null) throw new Error('the demo can be played');
  let given = 0;
  const dying = {
    ...simulation,
    async answer(...asked: Parameters<typeof simulation.answer>) {
      const answer = await simulation.answer(...asked);
      given += 1;
      if (given > answers) throw new Error('killed');
      return answer;
    },
  };
  const platforms = { ...world.deps.platforms, adapter: () => ({ ...adapter, simulation: dying }) };
  return { ...world.deps, platforms };
}

describe('a scripted caller', () => {
  test('plays a booking to its end, with the tools that the test stands in for', async () => {
    const key = await world.cell(booking);
    expect(await world.play(key)).toEqual({ trouble: null });
    const stored = await world.played(key);
    expect(said(stored.played.turns)).toEqual([
      'agent: Thank you for calling Maple Court Dental, this is Robin. How can I help you today?',
      "caller: I'd like to book a cleaning.",
      'agent: Happy to help. May I have your full name and date of birth, please?',
      'caller: Ada Wren, born on March 4th, 1990.',
      'agent: Thank you, one moment while I find your file.',
      'agent: Which day would suit you?',
      'caller: Next Tuesday, please.',
      'agent: On Tuesday, November 24th I have 9:10 AM or 2:30 PM. Which do you want?',
      'caller: Two thirty is good.',
      "agent: You're booked for Tuesday, November 24th at 2:30 PM. Is there anything else I can do for you?",
      'caller: No, thank you.',
      'agent: Thank you for calling Maple Court Dental. Goodbye!',
    ]);
    expect(stored).toMatchObject({
      state: 'played',
      played: { endedBy: 'agent', trouble: null, noFixture: [] },
      platformNanoUsd: 20_000_000,
      serviceNanoUsd: 0,
    });
    expect(stored.played.turns.flatMap(({ toolCall }) => (toolCall ? [toolCall] : []))).toMatchObject([
      { name: 'find_patient', args: { name: 'Ada Wren', date_of_birth: '1990-03-04' } },
      { name: 'check_availability', args: { date: '2026-11-24', service: 'a cleaning' } },
      { name: 'book_appointment', args: { patient_id: 'P-77', date: '2026-11-24', time: '14:30' } },
    ]);
    expect(stored.played.turns.map(({ index }) => index)).toEqual(stored.played.turns.map((_, at) => at));
    expect(stored.played.steps).toEqual([
      'node_welcome',
      'node_identify',
      'fn_find_patient',
      'node_pick_day',
      'fn_check_availability',
      'node_offer_slots',
      'fn_book',
      'node_wrap_up',
      'node_end',
    ]);
    expect(stored.raw[0]).toMatchObject({ role: 'node_transition', new_node_id: 'node_welcome' });
  });

  test('says goodbye and hangs up when the script is over and the agent goes on', async () => {
    const key = await world.cell({ caller: { ...specOf({}).caller, script: [] } });
    await world.play(key);
    const { played } = await world.played(key);
    expect(played.turns.at(-1)).toMatchObject({ role: 'caller', text: 'Thank you, goodbye.' });
    expect(played.endedBy).toBe('caller');
  });

  test('is given so many turns as the test allows', async () => {
    const key = await world.cell({ ...booking, maxTurns: 2 });
    await world.play(key);
    const { played } = await world.played(key);
    expect(played.turns.filter(({ role }) => role === 'caller')).toHaveLength(2);
    expect(played.endedBy).toBe('limit');
  });

  test('is handed over to nobody: the call ends as transferred', async () => {
    const caller = { ...specOf({}).caller, opening: 'Can I speak to a person?' };
    const key = await world.cell({ caller });
    await world.play(key);
    expect((await world.played(key)).played).toMatchObject({ endedBy: 'transfer', noFixture: [] });
  });

  test('breaks an older version where the newer one owns up to a failure', async () => {
    const failing = { ...booked, respond: { status: 'error', message: 'The diary is locked.' } };
    const spec = { ...booking, fixtures: [found, free, failing] };
    const [older, newer] = [await world.cell(spec, { version: 2 }), await world.cell(spec, { version: 3 })];
    await world.play(older);
    await world.play(newer);
    expect(said((await world.played(older)).played.turns).join('\n')).toContain("You're booked");
    expect(said((await world.played(newer)).played.turns).join('\n')).toContain('I could not book it');
  });
});

describe('tools without a fixture', () => {
  test('answer that they are not available, are listed, and never run', async () => {
    const key = await world.cell({ caller: { ...specOf({}).caller, script: BOOKING_LINES } });
    expect(await world.play(key)).toEqual({ trouble: null });
    const { played } = await world.played(key);
    expect(played.noFixture).toEqual(['find_patient', 'request_callback']);
    expect(said(played.turns).join('\n')).toContain("I can't get into the files");
    expect(await world.liveTools()).toEqual({});
  });

  test('and a fixture that is used up leaves the next call to the next fixture', async () => {
    const broken = { ...found, respond: { error: 'Gateway Timeout', status: 504 }, times: 1 };
    const twice = ['Ada Wren, born on March 4th, 1990.', 'No.', 'I want to cancel a visit.', 'Yes, cancel it.'];
    const key = await world.cell(
      { caller: { ...specOf({}).caller, script: twice }, fixtures: [broken, found] },
      { version: 2 },
    );
    await world.play(key);
    const results = (await world.played(key)).played.turns.flatMap(({ toolResult }) =>
      toolResult?.name === 'find_patient' ? [toolResult.ok] : [],
    );
    expect(results).toEqual([false, true]);
    expect(await world.liveTools()).toEqual({});
  });
});

describe('a process that dies in the middle of a call', () => {
  test.each([1, 3, 5])(
    'after %i answers: no stored turn is lost, and one question at most is asked twice',
    async (answers) => {
      const key = await world.cell(booking);
      await expect(world.play(key, dyingAfter(answers))).rejects.toThrow('killed');
      const before = await world.played(key);
      expect(before.state).toBe('playing');
      expect(await world.play(key)).toEqual({ trouble: null });
      const after = await world.played(key);
      expect(after.played.turns.slice(0, before.played.turns.length)).toEqual(before.played.turns);
      expect(after.attemptId).toBe(before.attemptId);
      expect(after.platformNanoUsd).toBe(20_000_000);
      const questions = world.asked().map((body) => canonicalJson(body.messages));
      expect(questions.length - new Set(questions).size).toBe(1);
      const whole = await world.cell(booking);
      await world.play(whole);
      expect(said(after.played.turns)).toEqual(said((await world.played(whole)).played.turns));
    },
  );

  test('and one that is over is not played again', async () => {
    const key = await world.cell(booking);
    await world.play(key);
    const asked = world.asked().length;
    const before = await world.played(key);
    await world.play(key);
    expect(world.asked()).toHaveLength(asked);
    expect(await world.played(key)).toEqual(before);
  });
});

describe('a platform in trouble', () => {
  test('that asks to wait is asked again when it says', async () => {
    world.proxy.interfere((_, number) => (number === 2 ? { status: 429, headers: { 'retry-after': '1' } } : null));
    const key = await world.cell(booking);
    const began = Date.now();
    expect(await world.play(key)).toEqual({ trouble: null });
    expect(Date.now() - began).toBeGreaterThanOrEqual(1000);
  });

  test('that breaks the connection after it answered is asked the same once more', async () => {
    world.proxy.interfere((_, number) => (number === 3 ? 'cut after' : null));
    const key = await world.cell(booking);
    expect(await world.play(key)).toEqual({ trouble: null });
    expect((await world.played(key)).played.endedBy).toBe('agent');
    expect(await world.liveTools()).toEqual({});
  });

  test('that stays away is a trouble of the attempt, after three tries', async () => {
    world.proxy.interfere(() => ({ status: 503 }));
    const key = await world.cell(booking);
    const { trouble } = await world.play(key);
    expect(trouble).toContain('could not answer a simulated call just now (503)');
    expect(world.asked()).toHaveLength(3);
    expect(await world.played(key)).toMatchObject({
      state: 'played',
      played: { endedBy: null, trouble, turns: [] },
      platformNanoUsd: 0,
    });
  });

  test.each([401, 404])('that refuses with %i is not asked again', async (status) => {
    world.proxy.interfere(() => ({ status }));
    const key = await world.cell(booking);
    expect((await world.play(key)).trouble).toContain(String(status));
    expect(world.asked()).toHaveLength(1);
  });
});

describe('what cannot be played', () => {
  test('says that a model is needed, where the caller has no script', async () => {
    const key = await world.cell({ caller: { ...specOf({}).caller, script: null } });
    const { trouble } = await world.play(key);
    expect(trouble).toContain('A model is needed to play this caller');
    expect((await world.played(key)).played.turns.filter(({ role }) => role === 'caller')).toHaveLength(1);
  });

  test('says which version nobody has read', async () => {
    const key = await world.cell(booking, { version: 99 });
    expect((await world.play(key)).trouble).toContain('version 99');
    expect(world.asked()).toHaveLength(0);
  });

  test('says that a run has no such test', async () => {
    const key = await world.cell(booking);
    expect((await world.play({ ...key, testId: newId() })).trouble).toContain('no such test');
  });
});

describe('a caller that a model plays', () => {
  const LINES = [...BOOKING_LINES.slice(0, 3), '(relieved) Great, thank you.'];
  const caller = {
    ...specOf({}).caller,
    script: null,
    facts: { name: 'Ada Wren', 'date of birth': 'March 4th, 1990' },
  };
  const modelled = { ...booking, caller };

  test('says its opening and what the model has it say, hangs up, and is paid for', async () => {
    world.server.answerWith((_, number) => ({
      value: { say: LINES[number - 1] ?? 'Goodbye.', hangUp: number > LINES.length - 1 },
    }));
    const key = await world.cell(modelled);
    expect(await world.play(key, world.withModel)).toEqual({ trouble: null });
    const stored = await world.played(key);
    expect(stored.played.endedBy).toBe('caller');
    expect(stored.played.turns.at(-1)).toMatchObject({ role: 'caller', text: 'Great, thank you.' });
    expect(world.server.asked).toHaveLength(LINES.length);
    expect(stored.serviceNanoUsd).toBe(LINES.length * 1_200_000);
    const [spent] = await world.rows(sql`
      select sum(charged_nano_usd)::float8 as nano, count(*)::int as asks from model_usage
      where purpose = 'caller' and subject like ${`${stored.attemptId}/%`}`);
    expect(spent).toEqual({ nano: stored.serviceNanoUsd, asks: LINES.length });
  });

  test('speaks in the way of a persona, with the facts of the test', async () => {
    world.server.answerWith(() => ({ value: { say: 'Bye.', hangUp: true } }));
    const key = await world.cell(modelled, { persona: 'hurried' });
    await world.play(key, world.withModel);
    const [asked] = world.server.asked;
    expect(asked?.material).toContain('Has little time');
    expect(asked?.material).toContain('Ada Wren');
  });

  test('that gives no usable answer three times is trouble, and what it cost is kept', async () => {
    world.server.answerWith(() => ({ prose: 'I would say hello.' }));
    const key = await world.cell(modelled);
    const { trouble } = await world.play(key, world.withModel);
    expect(trouble).toContain('The model that plays the caller gave no usable answer.');
    expect(world.server.asked).toHaveLength(3);
    expect((await world.played(key)).serviceNanoUsd).toBe(3 * 1_200_000);
  });

  test('waits for no allowance: a workspace without one is told so', async () => {
    await world.rows(sql`
      update workspaces set allowances = '{"aiAllowanceUsd": 0.000001}'::jsonb where id = ${world.agent.workspaceId}
      returning id`);
    const key = await world.cell(modelled);
    const { trouble } = await world.play(key, world.withModel);
    expect(trouble).toContain('AI allowance');
    expect(world.server.asked).toHaveLength(0);
    await world.rows(
      sql`update workspaces set allowances = '{}'::jsonb where id = ${world.agent.workspaceId} returning id`,
    );
  });
});

describe('a script that a persona says', () => {
  const lines = () => world.server.asked.map(({ material }) => /"line":"([^"]+)"/.exec(material)?.[1] ?? '');

  test('is worded line by line in its manner, and is paid for', async () => {
    world.server.answerWith(() => ({ value: { say: `Look, quickly: ${lines().at(-1)}` } }));
    const key = await world.cell(booking, { persona: 'hurried' });
    expect(await world.play(key, world.withModel)).toEqual({ trouble: null });
    const stored = await world.played(key);
    expect(said(stored.played.turns)).toContain('caller: Look, quickly: Ada Wren, born on March 4th, 1990.');
    expect(world.server.asked[0]?.material).toContain('Has little time');
    expect(stored.serviceNanoUsd).toBe(world.server.asked.length * 1_200_000);
  });

  test('keeps its values: another wording is asked for once, told why, and then the line is said as written', async () => {
    world.server.answerWith(() => ({ value: { say: 'Whenever you like, I am Bob.' } }));
    const key = await world.cell(booking, { persona: 'hurried' });
    await world.play(key, world.withModel);
    expect(said((await world.played(key)).played.turns)).toContain('caller: Ada Wren, born on March 4th, 1990.');
    const asked = world.server.asked.filter(({ material }) => material.includes('March 4th'));
    expect(asked[1]?.material).toContain('"because":"It leaves out');
  });

  test('is trouble where no model is configured any more', async () => {
    const key = await world.cell(booking, { persona: 'hurried' });
    expect((await world.play(key)).trouble).toContain('A model is needed to play this caller');
  });
});

describe('a pack of attacks', () => {
  test('is played on the demo agent without a model, and code judges it', async () => {
    const configuration = await configurationOf(world.database.em(), world.agent.agentId, 3);
    const made = testsOfPack(ATTACKS, { configuration, hasSimulator: false, hasJudge: false });
    const broken: string[] = [];
    for (const { id, spec } of made) {
      if (spec === null) throw new Error(`${id} is left out`);
      const key = await world.cell(spec);
      expect([id, await world.play(key)]).toEqual([id, { trouble: null }]);
      const { played } = await world.played(key);
      for (const verdict of checkVerdicts(spec.criteria, played, configuration)) {
        if (verdict.met === false) broken.push(`${id}: ${verdict.because}`);
      }
    }
    expect(broken).toEqual([]);
  });
});

describe('a player that another one took over from', () => {
  /** While the question of the first player is out, another one plays the call to its end. */
  const overtaken = (key: AttemptKey, atAnswer: number, given: { answers: number }): ActivityDeps => {
    const adapter = world.deps.platforms.adapter('demo');
    const { simulation } = adapter;
    if (simulation === null) throw new Error('the demo can be played');
    const slow = {
      ...simulation,
      async answer(...asked: Parameters<typeof simulation.answer>) {
        const answer = await simulation.answer(...asked);
        given.answers += 1;
        if (given.answers === atAnswer) expect(await world.play(key)).toEqual({ trouble: null });
        return answer;
      },
    };
    return { ...world.deps, platforms: { ...world.deps.platforms, adapter: () => ({ ...adapter, simulation: slow }) } };
  };

  test('ends with the step that it did not win, asks nothing more, and says nothing of how the call ended', async () => {
    const alone = await world.cell(booking);
    await world.play(alone);
    const key = await world.cell(booking);
    const given = { answers: 0 };
    await expect(world.play(key, overtaken(key, 3, given))).rejects.toThrow('Another player took this attempt over.');
    expect(given.answers).toBe(3);
    const [left, whole] = [await world.played(key), await world.played(alone)];
    expect(said(left.played.turns)).toEqual(said(whole.played.turns));
    expect([left.state, left.played.endedBy]).toEqual(['played', whole.played.endedBy]);
  });

  test('writes nothing between the steps of the one that plays on', async () => {
    const key = await world.cell(booking);
    const em = world.database.within(key.workspaceId);
    const first = await openAttempt(em, key);
    const second = await openAttempt(em, key);
    const { attemptId = '', player = 0 } = first ?? {};
    const step = { step: 0, by: 'agent', turns: [], messages: [], state: null, flowSteps: [], noFixture: [] } as const;
    const made = { ...step, turns: [], messages: [], flowSteps: [], noFixture: [], ended: null };
    const free = { platformNanoUsd: 0, serviceNanoUsd: 0 };
    const owned = (of: number) => ({ ...key, attemptId, player: of });
    await expect(storeStep(em, owned(player), made, free)).rejects.toThrow(TakenOverError);
    await storeStep(em, owned(second?.player ?? 0), made, { ...free, platformNanoUsd: 5 });
    const end = { endedBy: 'limit', trouble: null, noFixture: [], serviceNanoUsd: 0 } as const;
    await expect(endPlaying(em, owned(player), { ...end, noFixture: [] })).rejects.toThrow(TakenOverError);
    expect(await world.played(key)).toMatchObject({ state: 'playing', platformNanoUsd: 5 });
  });
});
