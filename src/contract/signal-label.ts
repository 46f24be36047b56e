import { z } from 'zod';
import { ISSUE_CLASSES, LANES, SEVERITIES, SIGNAL_LABELS } from '../domain/vocabulary.ts';
import { phraseRules } from './agent-settings.ts';
import { count, share, timestamp, uuid } from './common.ts';
import { plainText } from './text.ts';

const code = z.string().min(1).max(200);
const turnIndex = z.int().min(0).max(2_147_483_647);

export const labelInput = z.strictObject({
  code,
  turnIndex,
  label: z.enum(SIGNAL_LABELS),
  note: plainText(1, 2000).nullable().optional(),
});

export const signalLabel = z
  .strictObject({
    object: z.literal('signal_label'),
    callId: uuid,
    code,
    turnIndex,
    label: z.enum(SIGNAL_LABELS),
    note: z.string().nullable(),
    personId: uuid,
    detected: z.boolean().describe('False where the present analysis no longer notices this signal.'),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({
    id: 'SignalLabel',
    description: 'What a person said about one signal of one call. It changes no count and no rank.',
    examples: [
      {
        object: 'signal_label',
        callId: '019d2a77-40a0-7d55-8c1e-5b8f2a9d3c01',
        code: 'tool_failed',
        turnIndex: 7,
        label: 'wrong',
        note: 'The tool answered that nothing is free.',
        personId: '019d2a01-0000-7000-8000-000000000001',
        detected: true,
        createdAt: '2026-03-02T09:15:04.120Z',
        updatedAt: '2026-03-02T09:15:04.120Z',
      },
    ],
  });
export type SignalLabelResource = z.infer<typeof signalLabel>;

export const signalLabels = z
  .strictObject({ object: z.literal('signal_labels'), data: z.array(signalLabel) })
  .meta({ id: 'SignalLabels' });

/** How often people who labelled a code found it right; null until somebody labelled one that still stands. */
export const precision = z.strictObject({ value: share, lower: share, upper: share, right: count, wrong: count }).meta({
  id: 'Precision',
  description: 'Share of labelled signals that people found right, with its 95 % interval and counts.',
  examples: [{ value: 0.9, lower: 0.596, upper: 0.982, right: 9, wrong: 1 }],
});

export const agentSignals = z
  .strictObject({
    object: z.literal('agent_signals'),
    phraseRules: phraseRules.describe('Wordings of the settings; those of the prompt are not among them.'),
    signals: z.array(
      z.strictObject({
        code,
        title: z.string(),
        klass: z.enum(ISSUE_CLASSES),
        lane: z.enum(LANES).nullable(),
        severity: z.enum(SEVERITIES),
        isNot: z.string(),
        needs: z.array(z.string()),
        thresholds: z.array(
          z.strictObject({ name: z.string(), value: z.number(), usual: z.number(), changed: z.boolean() }),
        ),
        causes: z.array(z.strictObject({ code: z.string(), label: z.string() })),
        precision: precision.nullable(),
      }),
    ),
  })
  .meta({
    id: 'AgentSignals',
    examples: [
      {
        object: 'agent_signals',
        phraseRules: { required: ['this call is recorded'], forbidden: [] },
        signals: [
          {
            code: 'tool_slow',
            title: 'A tool answered slowly',
            klass: 'technical',
            lane: 'integrations',
            severity: 'medium',
            isNot: 'A tool that failed.',
            needs: ['tool_times'],
            thresholds: [{ name: 'slowMs', value: 3000, usual: 5000, changed: true }],
            causes: [],
            precision: null,
          },
        ],
      },
    ],
  });
export type AgentSignals = z.infer<typeof agentSignals>;
