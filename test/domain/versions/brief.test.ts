import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readBrief } from '../../../src/domain/versions/brief.ts';
import type { AgentConfiguration } from '../../../src/domain/versions/configuration.ts';

const EMPTY: AgentConfiguration = {
  name: 'Agent',
  language: null,
  prompt: null,
  firstMessage: null,
  model: null,
  voice: null,
  tools: [],
  nodes: [],
  startNodeId: null,
  variables: {},
};

const tool = (name: string, kind: 'transfer' | 'end_call' | 'other' = 'other') => ({
  id: name,
  name,
  description: `Does ${name}.`,
  kind,
  parameters: null,
  timeoutMs: null,
  speaksDuring: null,
});

describe('the brief of an agent', () => {
  it('reads a single prompt: purpose, numbered steps, what it helps with, rules word for word', () => {
    const brief = readBrief({
      ...EMPTY,
      prompt: [
        '# Role',
        'You are the parcel helpline of Swiftlane. You help callers with tracking a parcel, changing an address, and booking a pick-up.',
        '',
        '## Steps',
        '1. Ask for the tracking number.',
        '2. Look it up.',
        '- Never promise a delivery time.',
        '- Always confirm the address before you change it.',
        'The call is done when the caller has heard where the parcel is.',
      ].join('\n'),
      tools: [tool('track_parcel'), tool('change_address'), tool('to_person', 'transfer')],
    });
    expect(brief.purpose).toContain('parcel helpline of Swiftlane');
    expect(brief.steps.map(({ label }) => label)).toEqual(['Ask for the tracking number.', 'Look it up.']);
    expect(brief.intents).toEqual(['tracking a parcel', 'changing an address', 'booking a pick-up']);
    expect(brief.done).toEqual([
      'The call is done when the caller has heard where the parcel is.',
      'change_address succeeded',
    ]);
    expect(brief.rules).toEqual([
      { line: 7, text: 'Never promise a delivery time.', polarity: 'must_not' },
      { line: 8, text: 'Always confirm the address before you change it.', polarity: 'must' },
    ]);
  });

  it('reads a flow in the order in which a call meets its steps', () => {
    const node = (id: string, to: [string, string][]) => ({
      id,
      label: id,
      kind: 'conversation',
      text: null,
      toolName: null,
      edges: to.map(([target, condition]) => ({ to: target, condition })),
    });
    const brief = readBrief({
      ...EMPTY,
      startNodeId: 'greet',
      nodes: [
        node('confirm', []),
        node('greet', [
          ['book', 'The caller wants to book a visit'],
          ['hours', 'Caller asks about opening hours or parking'],
        ]),
        node('book', [['confirm', 'slot chosen']]),
        node('hours', []),
        node('nowhere', []),
      ],
    });
    expect(brief.steps.map(({ id }) => id)).toEqual(['greet', 'book', 'hours', 'confirm', 'nowhere']);
    expect(brief.intents).toEqual(['book a visit', 'opening hours', 'parking']);
  });

  it('says nothing where the configuration says nothing', () => {
    expect(readBrief(EMPTY)).toEqual({ purpose: null, steps: [], tools: [], intents: [], done: [], rules: [] });
  });

  it('quotes rules that are in the prompt, whatever the prompt is', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 400 }), (prompt) => {
        for (const { text } of readBrief({ ...EMPTY, prompt }).rules) {
          expect(prompt.replaceAll(/\*\*|__/g, '')).toContain(text.replace(/…$/, ''));
        }
      }),
    );
  });

  const AGENT = new URL('../../../../shared/eval/agents/tau_airline.json', import.meta.url);
  it.skipIf(!existsSync(AGENT))('finds purpose, tools and rules of a real agent’s policy', () => {
    const { prompt, tools } = JSON.parse(readFileSync(AGENT, 'utf8')) as {
      prompt: string;
      tools: { name?: string; function?: { name: string } }[];
    };
    const names = tools.map((one) => one.name ?? one.function?.name ?? '');
    const brief = readBrief({ ...EMPTY, prompt, tools: names.map((name) => tool(name)) });
    expect(brief.tools.length).toBe(tools.length);
    expect(brief.rules.length).toBeGreaterThan(3);
    expect(brief.done).toContain('cancel_reservation succeeded');
  });
});
