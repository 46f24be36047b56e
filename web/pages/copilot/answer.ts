import type { Schemas } from '../../client/api.ts';

type Message = Schemas['CopilotMessage'];
export type Citation = Message['citations'][number];
export type Read = Message['reads'][number];
export type ProposalCard = Schemas['CopilotCard'];

/** What an answer is told in; the last event carries the whole message. */
export type AnswerEvent =
  | { kind: 'begin'; messageId: string }
  | { kind: 'text'; text: string }
  | { kind: 'read'; read: Read }
  | { kind: 'citation'; citation: Citation }
  | { kind: 'card'; card: ProposalCard }
  | { kind: 'done' | 'error'; message: Message };

/** An answer as far as it was heard. */
export interface Answer {
  messageId: string | null;
  text: string;
  reads: readonly Read[];
  citations: readonly Citation[];
  cards: readonly ProposalCard[];
}

export const UNHEARD: Answer = { messageId: null, text: '', reads: [], citations: [], cards: [] };

export function hear(answer: Answer, event: AnswerEvent): Answer {
  switch (event.kind) {
    case 'begin':
      return { ...UNHEARD, messageId: event.messageId };
    case 'text':
      return { ...answer, text: answer.text + event.text };
    case 'read':
      return { ...answer, reads: [...answer.reads, event.read] };
    case 'citation':
      return { ...answer, citations: [...answer.citations, event.citation] };
    case 'card':
      return { ...answer, cards: [...answer.cards, event.card] };
    case 'done':
    case 'error':
      return answer;
  }
}

export const isEnd = ({ kind }: AnswerEvent) => kind === 'done' || kind === 'error';
