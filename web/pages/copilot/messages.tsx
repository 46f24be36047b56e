import type { ReactNode } from 'react';
import type { Schemas } from '../../client/api.ts';
import { words } from '../../format.ts';
import { Chip } from '../../ui/chip.tsx';
import type { ProposalCard, Read } from './answer.ts';
import { AnswerText } from './answer-text.tsx';
import type { Live } from './line.ts';
import { Proposal } from './proposal.tsx';

type Conversation = Schemas['CopilotConversationDetail'];
type Message = Conversation['messages'][number];

interface MessagesProps {
  agentId: string;
  kept: Conversation | undefined;
  live: Live | null;
}

/** Questions and answers in their order; the one that is being heard stands last. */
export function Messages({ agentId, kept, live }: MessagesProps) {
  const all = kept?.messages ?? [];
  const heard = live ? all.findIndex(({ id }) => id === live.answer.messageId) : -1;
  const before = heard < 0 ? all.filter(({ state }) => !live || state !== 'answering') : all.slice(0, heard);
  return (
    <ol className="space-y-5">
      {before.map((message) => (
        <li key={message.id}>
          {message.role === 'person' ? (
            <Question text={message.text} />
          ) : (
            <Answered agentId={agentId} message={message} cards={cardsOf(kept, message.id)} />
          )}
        </li>
      ))}
      {live && heard < 0 && live.question !== null && (
        <li>
          <Question text={live.question} />
        </li>
      )}
      {live && (
        <li>
          <Hearing agentId={agentId} answer={live.answer} />
        </li>
      )}
    </ol>
  );
}

const cardsOf = (kept: Conversation | undefined, id: string) =>
  kept?.cards.filter(({ messageId }) => messageId === id) ?? [];

const Question = ({ text }: { text: string }) => (
  <div className="ml-8 w-fit max-w-full rounded-panel bg-accent-soft px-3 py-2 break-words whitespace-pre-wrap justify-self-end">
    {text}
  </div>
);

interface SaidProps {
  agentId: string;
  text: string;
  reads: readonly Read[];
  citations: Message['citations'] | Live['answer']['citations'];
  cards: readonly ProposalCard[];
  children?: ReactNode;
}

function Said({ agentId, text, reads, citations, cards, children }: SaidProps) {
  return (
    <div className="space-y-2">
      {reads.length > 0 && <LookedUp reads={reads} />}
      {text && <AnswerText agentId={agentId} text={text} citations={citations} />}
      {cards.map((card) => (
        <Proposal key={card.id} agentId={agentId} card={card} />
      ))}
      {children}
    </div>
  );
}

const Hearing = ({ agentId, answer }: { agentId: string; answer: Live['answer'] }) => (
  <Said agentId={agentId} {...answer}>
    <p className="text-sm text-ink-2">{answer.text ? 'Answering…' : 'Looking things up…'}</p>
  </Said>
);

interface AnsweredProps {
  agentId: string;
  message: Message;
  cards: readonly ProposalCard[];
}

const Answered = ({ agentId, message: { text, reads, citations, state, problem }, cards }: AnsweredProps) => (
  <Said agentId={agentId} text={text} reads={reads} citations={citations} cards={cards}>
    {state === 'stopped' && <Chip>stopped</Chip>}
    {problem && <p className="text-sm text-bad">{problem.message}</p>}
  </Said>
);

function LookedUp({ reads }: { reads: readonly Read[] }) {
  return (
    <details className="text-sm text-ink-2">
      <summary className="flex w-fit items-center gap-1">
        {reads.length} {reads.length === 1 ? 'look-up' : 'look-ups'}
      </summary>
      <ol className="mt-1 list-decimal pl-6">
        {reads.map(({ tool, status }, at) => (
          <li key={`${at} ${tool}`}>
            {words(tool)}
            {status >= 400 && ` (refused, ${status})`}
          </li>
        ))}
      </ol>
    </details>
  );
}
