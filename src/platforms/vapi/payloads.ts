import { z } from 'zod';
import { anything, list, number, object, text } from '../lenient.ts';

/**
 * The parts of Vapi's payloads that are read. Unknown fields pass, and a field of another type than documented reads as
 * null: values and fields are added every week, and an import must not stop for them.
 */
export const vapiCall = z.looseObject({
  id: anything,
  type: text,
  status: text,
  createdAt: text,
  updatedAt: text,
  startedAt: text,
  endedAt: text,
  endedReason: text,
  assistantId: text,
  assistantVersion: text,
  squadId: text,
  squad: object,
  customer: object,
  cost: number,
  costBreakdown: object,
  analysis: object,
  artifact: object,
  metadata: object,
  messages: list,
  assistantOverrides: object,
});
export type VapiCall = z.infer<typeof vapiCall>;

export const vapiArtifact = z.looseObject({
  messages: list,
  transcript: text,
  assistantActivations: list,
  performanceMetrics: object,
  variableValues: object,
});
export type VapiArtifact = z.infer<typeof vapiArtifact>;

export const vapiMessage = z.looseObject({
  role: text,
  message: text,
  content: text,
  time: number,
  endTime: number,
  secondsFromStart: number,
  assistantId: text,
  assistantName: text,
  metadata: object,
  toolCalls: list,
  toolCallId: text,
  name: text,
  result: anything,
});
export type VapiMessage = z.infer<typeof vapiMessage>;

export const vapiToolCall = z.looseObject({
  id: text,
  function: z.looseObject({ name: text, arguments: anything }).nullable().catch(null),
});

export const vapiActivation = z.looseObject({ assistantId: text, assistantName: text, assistantVersion: text });

export const vapiAssistant = z.looseObject({
  id: text,
  name: text,
  latestVersion: text,
  updatedAt: text,
  firstMessage: text,
  firstMessageMode: text,
  model: object,
  voice: object,
  transcriber: object,
});

export const vapiModel = z.looseObject({
  provider: text,
  model: text,
  messages: list,
  systemPrompt: text,
  tools: list,
  toolIds: list,
  toolRefs: list,
});

export const vapiTool = z.looseObject({
  id: text,
  type: text,
  name: text,
  function: object,
  server: object,
  timeoutSeconds: number,
  messages: list,
  destinations: list,
});

export const vapiSquad = z.looseObject({ id: text, name: text, updatedAt: text, members: list });

export const vapiMember = z.looseObject({
  assistantId: text,
  assistantVersion: text,
  assistant: object,
  assistantDestinations: list,
});
