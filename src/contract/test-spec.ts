import { z } from 'zod';
import type { CallerSpec, Criterion } from '../domain/tests/spec.ts';
import { plainText, prose } from './text.ts';

const DEFAULT_MAX_TURNS = 12;

/** Words are compared, so there must be one. */
const wording = prose(1, 500).refine((text) => /[\p{L}\p{N}]/u.test(text), 'must hold a word');
const name = plainText(1, 200);
const saidBy = z.enum(['agent', 'caller']).optional().describe('Whose words; left out: the agent’s.');
const line = prose(1, 2000);
const jsonObject = z.record(z.string().max(200), z.json());

export const check = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('tool_called'),
      tool: name,
      times: z.int().min(1).max(50).optional().describe('Exactly so often; left out: at least once.'),
    }),
    z.strictObject({ kind: z.literal('tool_not_called'), tool: name }),
    z.strictObject({
      kind: z.literal('tool_called_with'),
      tool: name,
      args: jsonObject
        .refine((args) => Object.keys(args).length > 0, 'must name at least one argument')
        .describe('Arguments that one of its calls has, at least.'),
    }),
    z.strictObject({ kind: z.literal('said'), text: wording, by: saidBy }),
    z.strictObject({
      kind: z.literal('not_said'),
      text: wording,
      by: saidBy,
      after: z
        .literal('tool_result')
        .optional()
        .describe('Only once a tool has answered, which may hold the words; undecided where none did.'),
    }),
    z.strictObject({ kind: z.literal('ended_by'), by: z.enum(['agent', 'caller', 'transfer']) }),
    z.strictObject({ kind: z.literal('reached'), step: name.describe('Id or label of a step of the agent’s flow.') }),
    z.strictObject({
      kind: z.literal('order'),
      steps: z
        .array(name)
        .min(2)
        .max(20)
        .describe('Names of tools, or ids or labels of steps, in this order; others may come between.'),
    }),
    z.strictObject({
      kind: z.literal('turns_at_most'),
      turns: z.int().min(1).max(200).describe('Turns in which caller or agent spoke.'),
    }),
    z.strictObject({
      kind: z.literal('no_finding'),
      code: name.describe(
        'A code of the catalogue, such as `human_request_ignored`, that a call played as text can show.',
      ),
    }),
  ])
  .meta({
    id: 'TestCheck',
    description: 'What code decides about a simulated call, without a model.',
    examples: [
      { kind: 'tool_called_with', tool: 'book_appointment', args: { time: '09:30' } },
      { kind: 'not_said', text: 'It is booked', by: 'agent' },
      { kind: 'order', steps: ['find_patient', 'check_availability'] },
      { kind: 'no_finding', code: 'human_request_ignored' },
    ],
  });

/** Ids are compared over revisions; what has none is numbered by its place. */
function withIds(criteria: (Omit<Criterion, 'id'> & { id?: string | undefined })[]): Criterion[] {
  const taken = new Set(criteria.flatMap(({ id }) => (id === undefined ? [] : [id])));
  return criteria.map(({ id, ...rest }, at) => {
    let made = id ?? `c${at + 1}`;
    while (id === undefined && taken.has(made)) made = `${made}_`;
    taken.add(made);
    return { id: made, ...rest };
  });
}

const factValue = prose(1, 1000);
const FACTS_MAX = 50;

/** `date of birth: 12 May` names its fact; a text without a name is numbered. */
function namedFacts(texts: string[]): CallerSpec['facts'] {
  const facts: CallerSpec['facts'] = {};
  for (const [at, text] of texts.entries()) {
    const [, key = '', value = ''] = /^([^:\n]{1,100}):\s+(\S[\s\S]*)$/.exec(text) ?? [];
    if (key !== '' && key !== '__proto__' && !Object.hasOwn(facts, key)) facts[key] = value;
    else facts[`fact ${at + 1}`] = text;
  }
  return facts;
}

const callerInput = z.strictObject({
  goal: prose(1, 2000).describe('What the caller wants, in words.'),
  opening: line.describe('What the caller says first.'),
  facts: z
    .union(
      [
        z
          .record(plainText(1, 100), factValue)
          .refine((facts) => Object.keys(facts).length <= FACTS_MAX, `must hold at most ${FACTS_MAX} facts`),
        z.array(factValue).max(FACTS_MAX).transform(namedFacts),
      ],
      {
        error: `must be an object of texts by name, or an array of texts such as "name: Ada Brook", at most ${FACTS_MAX}`,
      },
    )
    .default({})
    .describe(
      'What the caller knows, by name. An array of texts such as `name: Ada Brook` is stored as such an object.',
    ),
  style: prose(0, 1000).default('').describe('How the caller speaks, for the model that plays it; empty: plainly.'),
  script: z
    .array(line)
    .max(50)
    .nullable()
    .default(null)
    .describe('The caller’s further lines, word for word and in order. Null: a model plays the caller.'),
});

const criterionInput = z.strictObject({
  id: plainText(1, 64).optional().describe('Unique in the test; `c1`, `c2`, … by place where left out.'),
  text: prose(1, 1000).describe('What must hold, observable in the conversation.'),
  required: z.boolean().default(true).describe('False: reported, and decides nothing.'),
  check: check.nullable().default(null).describe('Decided by code; null: by the judge model.'),
});

const fixtureInput = z.strictObject({
  tool: name,
  match: jsonObject.nullable().default(null).describe('Arguments that a call must have, at least; null: any call.'),
  respond: z.json().describe('What the tool answers.'),
  times: z.int().min(1).max(100).nullable().default(null).describe('For so many calls of a conversation; null: all.'),
});

/** A sound spec, for the documents. */
export const exampleSpec = {
  caller: {
    goal: 'Move the check-up to another day.',
    opening: 'Hi, I need to move my check-up.',
    facts: { name: 'Ada Brook', 'new day': 'Thursday' },
    style: '',
    script: ['My name is Ada Brook.', 'Thursday morning, please.', 'Yes, that is right.'],
  },
  fixtures: [{ tool: 'find_times', match: null, respond: { times: ['09:30'] }, times: null }],
  criteria: [
    {
      id: 'looks_up',
      text: 'Looks up free times before it offers any.',
      required: true,
      check: { kind: 'tool_called', tool: 'find_times' },
    },
    { id: 'reads_back', text: 'Repeats day and time before it books.', required: true, check: null },
  ],
  maxTurns: 12,
  tier: 'text',
};

const about = {
  maxTurns: 'Turns of the caller, at most.',
  tier: 'Played as text: hearing, latency and interruptions can not be tested so.',
};

export const testSpecInput = z
  .strictObject({
    caller: callerInput,
    fixtures: z.array(fixtureInput).max(100).default([]),
    criteria: z.array(criterionInput).min(1).max(50).transform(withIds),
    maxTurns: z.int().min(1).max(50).default(DEFAULT_MAX_TURNS).describe(about.maxTurns),
    tier: z.literal('text').default('text').describe(about.tier),
  })
  .meta({ id: 'TestSpecInput', description: 'What a test plays and what it asks for.', examples: [exampleSpec] });

/** As it is stored. It can be sent back as it is. */
export const testSpec = z
  .strictObject({
    caller: z.strictObject({
      goal: z.string(),
      opening: z.string(),
      facts: z.record(z.string(), z.string()),
      style: z.string(),
      script: z.array(z.string()).nullable(),
    }),
    fixtures: z.array(
      z.strictObject({
        tool: z.string(),
        match: z.record(z.string(), z.json()).nullable(),
        respond: z.json(),
        times: z.int().nullable(),
      }),
    ),
    criteria: z.array(
      z.strictObject({ id: z.string(), text: z.string(), required: z.boolean(), check: check.nullable() }),
    ),
    maxTurns: z.int().describe(about.maxTurns),
    tier: z.literal('text').describe(about.tier),
  })
  .meta({ id: 'TestSpec', description: 'What a test plays and what it asks for.', examples: [exampleSpec] });
