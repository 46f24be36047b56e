import { type FormEvent, useState } from 'react';
import { api, type Schemas } from '../../client/api.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/field.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Quote } from '../../ui/quote.tsx';
import { RefusalNote } from '../../ui/states.tsx';
import { BriefChanges } from './brief-changes.tsx';

type Answer = Schemas['BriefAnswer'];

interface Asked {
  question: string;
  answer: Answer;
}

interface BriefChatProps {
  brief: Schemas['Brief'];
  unless: string | null;
}

/** Questions about the brief; what an answer would change, a person takes over. */
export function BriefChat({ brief, unless }: BriefChatProps) {
  const agent = useAgent();
  const params = { path: { agentId: agent.id } };
  const copilot = api.useQuery('get', '/app/agents/{agentId}/copilot', { params });
  const chat = api.useMutation('post', '/app/agents/{agentId}/brief/chat');
  const [text, setText] = useState('');
  const [asked, setAsked] = useState<Asked[]>([]);
  const ask = async (event: FormEvent) => {
    event.preventDefault();
    const question = text.trim();
    if (question === '') return;
    const answer = await chat.mutateAsync({ params, body: { message: question } }).catch(() => null);
    if (answer === null) return;
    setAsked([{ question, answer }, ...asked]);
    // What got no answer stays to be asked again, and so does what was typed meanwhile.
    if (answer.reply !== null) setText((since) => (since.trim() === question ? '' : since));
  };
  return (
    <Panel className="p-4">
      <h2 className="mb-3 text-md font-semibold">Ask about it</h2>
      <form className="space-y-3" onSubmit={(event) => void ask(event)}>
        <TextArea
          label="Question about the brief"
          rows={2}
          maxLength={4_000}
          value={text}
          onChange={({ target }) => setText(target.value)}
          hint="Answered from the agent’s own text. Nothing changes before you take it over."
        />
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" busy={chat.isPending} unless={unless ?? copilot.data?.reason}>
            Ask
          </Button>
          <span role="status" className="text-sm text-ink-2">
            {chat.isPending && 'The model is reading…'}
          </span>
        </div>
        <RefusalNote error={chat.error} />
      </form>
      {asked.length > 0 && (
        <ol aria-label="Answers, newest first" className="mt-4 space-y-6 border-t border-line pt-4">
          {asked.map(({ question, answer }, index) => (
            <li key={asked.length - index} className="space-y-3">
              <p className="break-words text-sm text-ink-2">{question}</p>
              <AnswerText answer={answer} />
              {answer.changes && <BriefChanges brief={brief} changes={answer.changes} unless={unless} />}
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}

function AnswerText({ answer: { reply, message, sources } }: { answer: Answer }) {
  return (
    <>
      {reply !== null && <p className="whitespace-pre-wrap break-words">{reply}</p>}
      {message !== null && <p className="break-words text-caution">{message}</p>}
      {sources.map(({ line, quote }) => (
        <Quote key={`${line} ${quote}`} by={`line ${line} of its text`}>
          {quote}
        </Quote>
      ))}
    </>
  );
}
