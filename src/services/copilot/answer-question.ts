import type { AnswerKey } from '../../db/copilot/answers.ts';
import type { EntityManager } from '../../db/database.ts';
import { ANSWER_BOUNDS, type AnswerEnd, type Read } from '../../domain/copilot/copilot.ts';
import { firstShown } from '../../domain/copilot/history.ts';
import type { Json } from '../../domain/json.ts';
import type { TokenPrice } from '../../domain/limits/model-cost.ts';
import type { Logger } from '../../logger.ts';
import { COPILOT_INSTRUCTIONS, fencedRecord } from '../../models/copilot.ts';
import { ModelError, type TalkMessage, type TalkModel, type TalkTool, type ToolCall } from '../../models/port.ts';
import { AnswerEnded, failed, stopped } from './answer-ended.ts';
import { type AnswerWriter, createAnswerWriter } from './answer-writer.ts';
import { askModel } from './ask-model.ts';
import { type Cite, type CitedText, createCitedText } from './cited-text.ts';

/** What the model may do for whoever asked: with their rights, and nothing beside it. */
export interface CopilotTools {
  tools: readonly TalkTool[];
  call(name: string, input: Json | undefined): Promise<ToolOutcome>;
  cite: Cite;
  /** Whether whoever asked may still do so. */
  mayGoOn(): Promise<boolean>;
}

export interface ToolOutcome {
  /** HTTP status of the answer. */
  status: number;
  /** A document; data, whatever it says. */
  text: string;
  /** What was proposed by it, as it is shown. */
  card?: object;
}

export interface Question {
  key: AnswerKey;
  agent: { id: string; name: string; provider: string };
  model: TalkModel;
  price: TokenPrice | undefined;
  tools: CopilotTools;
  /** What was said before, then the question. */
  said: readonly { role: 'person' | 'copilot'; text: string }[];
}

interface Answering {
  question: Question;
  em(): EntityManager;
  writer: AnswerWriter;
  said: CitedText;
  reads: Read[];
  signal: AbortSignal;
}

/** Answers a question into the record, whatever comes of it. */
export async function answerQuestion(
  { em, log }: { em(): EntityManager; log: Logger },
  question: Question,
  control: AbortController,
): Promise<void> {
  const { signal } = control;
  const writer = createAnswerWriter(em, question.key, {
    onStop: () => control.abort(stopped()),
    onBroken: (error) => control.abort(error),
  });
  const said = createCitedText(question.tools.cite, writer);
  const answering: Answering = { question, em, writer, said, reads: [], signal };
  let end: AnswerEnd = { state: 'done', problem: null };
  try {
    writer.event('begin', { messageId: question.key.messageId });
    await converse(answering);
  } catch (error) {
    end = endOf(signal.aborted ? signal.reason : error, log);
  }
  await writer.end({ ...end, reads: answering.reads, citations: said.citations });
}

function endOf(error: unknown, log: Logger): AnswerEnd {
  if (error instanceof AnswerEnded) return error.end;
  if (error instanceof ModelError) {
    return failed('model_failed', `The model gave no usable answer. ${error.message}`).end;
  }
  log.error({ error: error instanceof Error ? error.name : 'unknown' }, 'an answer of the copilot broke off');
  return failed('interrupted', 'Something went wrong on our side. Ask again.').end;
}

/** Turns of the model with what it looks up between them, until it has nothing more to look up. */
async function converse(answering: Answering): Promise<void> {
  const { question, said, signal } = answering;
  const messages = messagesOf(question);
  let calls = 0;
  for (let round = 1; round <= ANSWER_BOUNDS.rounds; round += 1) {
    if (!(await question.tools.mayGoOn())) {
      throw failed('session_ended', 'The session of whoever asked has ended.');
    }
    const mayCall = round < ANSWER_BOUNDS.rounds && calls < ANSWER_BOUNDS.calls;
    let beginsParagraph = said.hasText();
    const turn = await askModel({ ...question, agentId: question.agent.id, em: answering.em }, round, {
      instructions: COPILOT_INSTRUCTIONS,
      messages: shown(messages),
      tools: question.tools.tools,
      mayCall,
      maxOutputTokens: ANSWER_BOUNDS.outputTokens,
      signal,
      onText(text) {
        // What is said between two look-ups is a paragraph of its own.
        said.add(beginsParagraph ? `\n\n${text}` : text);
        beginsParagraph = false;
      },
    });
    await said.settle();
    if (turn.calls.length === 0 || !mayCall) return;
    messages.push({ role: 'model', text: turn.text, calls: turn.calls });
    const results: { id: string; text: string }[] = [];
    for (const call of turn.calls) {
      calls += 1;
      results.push({ id: call.id, text: await callTool(answering, call, calls) });
      signal.throwIfAborted();
    }
    messages.push({ role: 'tools', results });
  }
}

/** The agent's name is data: whoever named it may have written anything. */
function messagesOf({ agent, said }: Question): TalkMessage[] {
  const about = fencedRecord(JSON.stringify({ agent: { name: agent.name, provider: agent.provider } }));
  return said.map(({ role, text }, at) => {
    if (role === 'copilot') return { role: 'model', text, calls: [] };
    return { role: 'person', text: at === said.length - 1 ? `${about}\n\n${text}` : text };
  });
}

async function callTool({ question, writer, reads }: Answering, call: ToolCall, nth: number): Promise<string> {
  if (nth > ANSWER_BOUNDS.calls) return fencedRecord('{"error":"Too many look-ups for one answer."}');
  const { status, text, card } = await question.tools.call(call.name, call.input);
  const read: Read = { tool: call.name.slice(0, 100), status };
  reads.push(read);
  writer.event('read', { read });
  if (card) writer.event('card', { card });
  const atMost = ANSWER_BOUNDS.resultCharacters;
  if (text.length <= atMost) return fencedRecord(text);
  return fencedRecord(`${text.slice(0, atMost)}\n... ${text.length - atMost} characters are left out: ask for less.`);
}

/** Of what tools answered, the newest that there is room for. */
function shown(messages: readonly TalkMessage[]): TalkMessage[] {
  const lengths = messages.map((message) =>
    message.role === 'tools' ? message.results.reduce((sum, { text }) => sum + text.length, 0) : 0,
  );
  const first = firstShown(lengths);
  return messages.map((message, at) =>
    message.role === 'tools' && at < first
      ? { role: 'tools', results: message.results.map(({ id }) => ({ id, text: LEFT_OUT })) }
      : message,
  );
}

const LEFT_OUT = fencedRecord('{"leftOut":"This was read before and is no longer shown. Ask again where it matters."}');
