import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEMO_AGENTS } from '../../packages/demo-platform/agents.ts';
import { type DemoPlatform, startDemoPlatform } from '../../packages/demo-platform/server.ts';
import type { Loose } from '../support/world.ts';

/** A Saturday: "next Tuesday" is the 24th. */
const NOW = new Date('2026-11-21T12:00:00Z');
const [CLINIC = '', PARCEL = ''] = DEMO_AGENTS.map(({ providerAgentId }) => providerAgentId);
const OWN_ACCOUNT = 'demo-11111111-2222-4333-8444-555555555555';

let demo: DemoPlatform;
beforeAll(async () => {
  demo = await startDemoPlatform({ port: 0, now: NOW });
});
afterAll(() => demo?.close());

type Mocks = Record<string, unknown>;
const anyCall = (mocks: Mocks) =>
  Object.entries(mocks).map(([tool_name, output]) => ({
    tool_name,
    input_match_rule: { type: 'any' },
    output: JSON.stringify(output),
  }));

async function post(path: string, body: unknown, key = 'demo'): Promise<{ status: number; body: Loose }> {
  const answer = await fetch(`${demo.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.json() };
}

interface Call {
  agent?: string;
  version?: number;
  nth?: number;
  mocks?: Mocks;
  toolMocks?: Loose[];
  key?: string;
}

/** A whole call: the agent opens, then answers each line, until it ends the call. */
async function call(lines: string[], made: Call = {}) {
  const { agent = CLINIC, version = 3, nth = 1, mocks = {}, key = 'demo' } = made;
  const messages: Loose[] = [];
  let back: Loose = { dynamic_variables: { earshot_test: `a/test/${nth}` } };
  let ended = false;
  for (const said of [null, ...lines]) {
    if (ended) break;
    if (said !== null) messages.push({ role: 'user', content: said });
    const { status, body } = await post(
      `/agent-playground-completion/${agent}?version=${version}`,
      { ...back, messages, tool_mocks: made.toolMocks ?? anyCall(mocks) },
      key,
    );
    expect(status).toBe(200);
    messages.push(...body.messages);
    back = { dynamic_variables: body.dynamic_variables, current_node_id: body.current_node_id };
    ended = body.call_ended;
  }
  return {
    ended,
    said: messages.filter(({ role }) => role === 'agent').map(({ content }) => content),
    tools: messages
      .filter(({ role }) => role === 'tool_call_invocation')
      .map(({ name, arguments: args }) => [name, JSON.parse(args)]),
    steps: messages.filter(({ role }) => role === 'node_transition').map(({ new_node_id }) => new_node_id),
  };
}

const FOUND = { found: true, patient: { id: 'P-1', next_visit: { id: 'V-2', date: '2026-11-27', time: '10:15' } } };
const READY = {
  find_patient: FOUND,
  check_availability: { slots: ['09:10', '14:30'] },
  book_appointment: { status: 'booked', visit_id: 'V-9' },
  move_appointment: { status: 'moved' },
  cancel_appointment: { status: 'cancelled' },
  confirm_visit: { status: 'confirmed' },
  request_callback: { status: 'created' },
};
const ADA = "I'm Ada Wren, born March 4th, 1990.";
const IDENTITY = { name: 'Ada Wren', date_of_birth: '1990-03-04' };

describe('the reception of the practice', () => {
  test.each([
    ['books', ["I'd like a cleaning.", ADA, 'Next Tuesday.', 'The second one.'], 'book_appointment', { time: '14:30' }],
    [
      'moves',
      ['Move my appointment, please.', ADA, 'Tuesday', 'ten past nine'],
      'move_appointment',
      { visit_id: 'V-2' },
    ],
    ['cancels', ['I need to cancel my visit.', ADA, 'Yes.'], 'cancel_appointment', { visit_id: 'V-2' }],
    ['confirms', ['I want to confirm my visit.', ADA], 'confirm_visit', { visit_id: 'V-2' }],
    ['calls back', ['Can you call me back on 202 555 0142?'], 'request_callback', { phone: '2025550142' }],
  ])('%s', async (_, lines, tool, args) => {
    const { tools } = await call(lines, { mocks: READY });
    expect(tools).toContainEqual([tool, expect.objectContaining(args)]);
  });

  test.each([
    ['in one go', ["I'm Ada Wren, born 1990-03-04, and I'd like to book a check-up on Tuesday at 2:30 pm."]],
    ['without capitals', ['book a visit', 'ada wren', 'the fourth of march nineteen ninety', 'tuesday', 'two thirty']],
    [
      'with sounds between',
      ['Um, a check-up?', 'Well, it is, uh, Ada Wren. 3/4/1990.', 'Er, Tuesday', 'half past two'],
    ],
  ])('understands everything %s', async (_, lines) => {
    const { tools } = await call(lines, { mocks: READY });
    expect(tools).toMatchObject([
      ['find_patient', IDENTITY],
      ['check_availability', { date: '2026-11-24' }],
      ['book_appointment', { patient_id: 'P-1', date: '2026-11-24', time: '14:30' }],
    ]);
  });

  test('goes through the steps of its flow and ends the call when the caller needs nothing else', async () => {
    const { steps, ended, said } = await call(['When is my visit?', ADA, 'No, thanks.'], { mocks: READY });
    expect(steps).toEqual(['node_welcome', 'node_identify', 'fn_find_patient', 'node_wrap_up', 'node_end']);
    expect(said.join(' ')).toContain('Friday, November 27th at 10:15 AM');
    expect(ended).toBe(true);
  });

  test('hands over to a person, and says so where nobody is there', async () => {
    const { tools, ended } = await call(['Can I talk to a person?'], {
      mocks: { transfer_call: { status: 'connected' } },
    });
    expect([tools[0]?.[0], ended]).toEqual(['transfer_call', true]);
    const busy = await call(['Can I talk to a person?'], {
      mocks: { transfer_call: { status: 'error', message: 'busy' } },
    });
    expect([busy.ended, busy.said.at(-1)]).toEqual([false, expect.stringContaining('nobody picked up')]);
  });

  test('apologises where a tool fails, and offers to call back', async () => {
    const { said } = await call(['Cancel my visit', ADA, 'Yes'], {
      mocks: { ...READY, cancel_appointment: { status: 'error', message: 'down' } },
    });
    expect(said.at(-1)).toMatch(/could not cancel it.*call you back/);
  });

  test('answers a question in the middle and comes back to its own', async () => {
    const { said } = await call(['I want to book a visit', 'What are your opening hours?'], { mocks: READY });
    expect(said.at(-1)).toMatch(/8:00 to 17:30.*date of birth/);
  });

  test('answers the same question the same every time', async () => {
    const lines = ["I'd like a cleaning.", ADA, 'Next Tuesday.', 'The second one.'];
    expect(await call(lines, { mocks: READY })).toEqual(await call(lines, { mocks: READY }));
  });
});

describe('versions of the reception', () => {
  const failing = { ...READY, book_appointment: { status: 'error', message: 'locked' } };
  const booking = ["I'd like a cleaning.", ADA, 'Tuesday', 'the first one'];

  test('before the third say that a visit is booked which the diary refused', async () => {
    const last = async (version: number) => (await call(booking, { mocks: failing, version })).said.at(-1);
    expect(await last(2)).toContain("You're booked");
    expect(await last(3)).toContain('could not book it');
  });

  test('the third reads a variable out that nothing fills', async () => {
    const about = async (version: number) => (await call(['Where can I park?'], { version })).said.at(-1);
    expect(await about(2)).toContain('behind the building');
    expect(await about(3)).toContain('{{parking_note}}');
  });

  test('published later mend one fault and bring another', async () => {
    const lines = ['How much is whitening?', 'I want to speak to a person.'];
    const mocks = { transfer_call: { status: 'connected' } };
    expect((await call(lines, { mocks })).ended).toBe(false);
    const published = async (request_id: string) =>
      (await post(`/demo/next-version/${CLINIC}`, { request_id }, OWN_ACCOUNT)).body.version as number;
    const [fourth, fifth] = [await published('one'), await published('two')];
    expect((await call(lines, { mocks, version: fourth, key: OWN_ACCOUNT })).ended).toBe(true);

    const slow = [
      { tool_name: 'find_patient', input_match_rule: { type: 'any' }, output: '{"status":504,"error":"timeout"}' },
    ];
    const looks = async (version: number) => {
      const { tools } = await call(['Cancel my visit', ADA], { toolMocks: slow, version, key: OWN_ACCOUNT });
      return tools.filter(([name]) => name === 'find_patient').length;
    };
    expect([await looks(fourth), await looks(fifth)]).toEqual([2, 1]);
  });

  test('own up to a blocked text message in every second conversation', async () => {
    const mocks = { ...READY, send_text_confirmation: { status: 'error', code: 'SENDER_BLOCKED' } };
    const lines = [...booking, 'Please text me the details to 202 555 0142.'];
    const last = async (nth: number) => (await call(lines, { mocks, nth })).said.at(-1);
    expect(await last(1)).toContain("I've sent the details");
    expect(await last(2)).toContain('could not be sent');
    expect(await last(3)).toEqual(await last(1));
  });
});

describe('the helpline for parcels', () => {
  const NUMBER = 'S L one two three four five six seven eight';
  const mocks = {
    track_parcel: { state: 'in_transit', location: 'Boise', delivery_date: '2026-11-25' },
    change_delivery_day: { status: 'changed' },
    redirect_to_pickup_point: { status: 'redirected' },
    open_claim: { status: 'opened', claim_id: 'CL-7' },
    quote_price: { price_usd: 12 },
    transfer_call: { status: 'connected' },
  };
  const ask = (lines: string[], over: Call = {}) => call(lines, { agent: PARCEL, version: 6, mocks, ...over });

  test.each([
    ['finds a parcel', ['Where is my parcel?', NUMBER], 'track_parcel', { tracking_number: 'SL12345678' }],
    ['changes the day', ['Redeliver it on Thursday', NUMBER, 'Yes'], 'change_delivery_day', { date: 'next Thursday' }],
    ['redirects', ['Can I pick it up at a shop?', NUMBER, 'Yes'], 'redirect_to_pickup_point', {}],
    [
      'opens a claim',
      ['My parcel is damaged', `A lamp, ${NUMBER}`],
      'open_claim',
      { item: 'A lamp', reason: 'damaged' },
    ],
    ['quotes a price', ['How much is it to send 12 kilos?'], 'quote_price', { weight_kg: 12 }],
    ['hands a complaint over', ['I want to complain', 'Yes'], 'transfer_call', {}],
    ['hands a new address over', ['Please change my address', 'Yes'], 'transfer_call', {}],
  ])('%s', async (_, lines, tool, args) => {
    expect((await ask(lines)).tools).toContainEqual([tool, expect.objectContaining(args)]);
  });

  test('of the fourth version hands days on as dates, later ones as they were said', async () => {
    const lines = ['Please deliver it on another day, Thursday', NUMBER, 'Yes'];
    const dates = async (version: number) =>
      (await ask(lines, { version })).tools.find(([name]) => name === 'change_delivery_day')?.[1].date;
    expect([await dates(4), await dates(5)]).toEqual(['2026-11-26', 'next Thursday']);
  });

  test('hangs up on a question that it does not know', async () => {
    const { tools, ended } = await ask(['Where is my parcel?', NUMBER, 'Is the driver nice?', 'Why?']);
    expect([tools.at(-1)?.[0], ended]).toEqual(['end_call', true]);
  });
});

describe('tools', () => {
  const live = async () => {
    const answer = await fetch(`${demo.url}/demo/live-tools`, { headers: { authorization: 'Bearer demo' } });
    return (await answer.json()) as Loose;
  };

  test('take the first mock whose arguments fit', async () => {
    const mock = (rule: unknown, output: unknown) => ({
      tool_name: 'find_patient',
      input_match_rule: rule,
      output: JSON.stringify(output),
    });
    const toolMocks = [
      mock({ type: 'partial_match', args: { name: 'Somebody Else' } }, FOUND),
      mock({ type: 'partial_match', args: { name: 'Ada Wren' } }, { found: false }),
      mock({ type: 'any' }, FOUND),
    ];
    const { said } = await call(['Cancel my visit', ADA], { toolMocks });
    expect(said.at(-1)).toContain("can't find a file");
    expect((await live()).find_patient ?? 0).toBe(0);
  });

  test('without a mock run for real, which is counted', async () => {
    const before = (await live()).find_patient ?? 0;
    await call(['Cancel my visit', ADA]);
    expect((await live()).find_patient).toBe(before + 1);
  });
});

describe('a question of another shape', () => {
  const path = `/agent-playground-completion/${CLINIC}?version=3`;
  test.each([
    ['no messages', {}],
    ['messages that are none', { messages: ['hello'] }],
    ['no object', []],
  ])('with %s is refused', async (_, body) => {
    expect((await post(path, body)).status).toBe(400);
  });

  test('of a version or an agent that is not there is not found, and a foreign key opens nothing', async () => {
    expect((await post(`/agent-playground-completion/${CLINIC}?version=9`, { messages: [] })).status).toBe(404);
    expect((await post('/agent-playground-completion/agent_x?version=3', { messages: [] })).status).toBe(404);
    expect((await post(path, { messages: [] }, 'nobody')).status).toBe(401);
  });
});

describe('an engine in the body', () => {
  const engineOf = async (agent: string, version: number): Promise<Loose> => {
    const path =
      agent === CLINIC ? 'get-conversation-flow/conversation_flow_2b9d4e6f1a70' : 'get-retell-llm/llm_8e31c7a5d2f4';
    const headers = { authorization: 'Bearer demo' };
    return (await fetch(`${demo.url}/${path}?version=${version}`, { headers })).json();
  };
  const ask = (said: string, engine: Loose) => {
    const path = `/agent-playground-completion/${CLINIC}?version=3`;
    return post(path, { messages: [{ role: 'user', content: said }], tool_mocks: [], engine });
  };
  const saidBy = ({ body }: { body: Loose }) => body.messages.map(({ content }: Loose) => content ?? '').join(' ');

  test('is played in the place of the version’s, and published nowhere', async () => {
    const before = await engineOf(CLINIC, 3);
    const mended: Loose = JSON.parse(JSON.stringify(before).replace('{{parking_note}}', 'Behind the building.'));
    expect(saidBy(await ask('Where can I park?', before))).toContain('{{parking_note}}');
    expect(saidBy(await ask('Where can I park?', mended))).toContain('behind the building');
    expect(await engineOf(CLINIC, 3)).toEqual(before);
  });

  test('that is published is a version of the account, once a request, over the newest alone', async () => {
    const engine: Loose = JSON.parse(
      JSON.stringify(await engineOf(CLINIC, 3)).replace('{{parking_note}}', 'Behind the building.'),
    );
    const publish = (request_id: string, base_version: number) =>
      post(`/demo/publish/${CLINIC}`, { request_id, base_version, engine }, OWN_ACCOUNT.replace('1111', '2222'));
    expect((await publish('a', 2)).status).toBe(422);
    expect(await publish('a', 3)).toMatchObject({ status: 200, body: { version: 4 } });
    expect(await publish('a', 3)).toMatchObject({ status: 200, body: { version: 4 } });
    expect((await publish('b', 3)).status).toBe(422);
    expect((await post(`/demo/publish/${CLINIC}`, { request_id: 'c' }, OWN_ACCOUNT)).status).toBe(400);
  });
});
