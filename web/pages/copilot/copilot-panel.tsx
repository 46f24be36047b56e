import { useParams } from '@tanstack/react-router';
import { Plus, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { CHANGES_FROM } from '../../../src/domain/access/roles.ts';
import { useRoleRefusal } from '../../client/admin-only.ts';
import { api, type Schemas } from '../../client/api.ts';
import { count } from '../../format.ts';
import { copilotOpen } from '../../frame/copilot-open.ts';
import { rememberedAgent } from '../../frame/last-agent.ts';
import { Button } from '../../ui/button.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { Loaded, RefusalNote } from '../../ui/states.tsx';
import { Composer } from './composer.tsx';
import { Messages } from './messages.tsx';
import { useConversation } from './use-conversation.ts';

type Standing = Schemas['Copilot'];

/** Questions about the agent beside whatever page is shown; sources open in the page. */
export default function CopilotPanel() {
  const { agentId: shown } = useParams({ strict: false });
  const agentId = shown ?? rememberedAgent();
  return (
    <aside
      aria-label="Copilot"
      className="flex flex-col border-line bg-surface max-xl:fixed max-xl:inset-y-0 max-xl:right-0 max-xl:z-30 max-xl:w-[min(26rem,100vw)] max-xl:shadow-float xl:sticky xl:top-0 xl:h-screen border-l"
      onKeyDown={(event) => event.key === 'Escape' && copilotOpen.set(false)}
    >
      {agentId ? <Asked key={agentId} agentId={agentId} /> : <Head />}
    </aside>
  );
}

function Asked({ agentId }: { agentId: string }) {
  const params = { path: { agentId } };
  const copilot = api.useQuery('get', '/app/agents/{agentId}/copilot', { params });
  if (!copilot.data) {
    return (
      <>
        <Head />
        <div className="p-4">
          <Loaded of={copilot}>{() => null}</Loaded>
        </div>
      </>
    );
  }
  return <Open agentId={agentId} standing={copilot.data} />;
}

function Open({ agentId, standing }: { agentId: string; standing: Standing }) {
  const [chosen, choose] = useState(standing.answering?.conversationId ?? null);
  const [talk, setTalk] = useState(0);
  const begin = (conversationId: string | null) => {
    choose(conversationId);
    setTalk(talk + 1);
  };
  return (
    <>
      <Head>
        <Earlier agentId={agentId} chosen={chosen} onChoose={begin} />
        <Button kind="quiet" label="New conversation" onClick={() => begin(null)}>
          <Plus size={16} aria-hidden />
        </Button>
      </Head>
      <Talk key={talk} agentId={agentId} standing={standing} conversationId={chosen} onBegun={choose} />
    </>
  );
}

function Head({ children }: { children?: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <header className="flex items-center gap-1 border-b border-line px-4 py-2">
      <h2 ref={heading} tabIndex={-1} className="mr-auto text-lg font-semibold outline-none">
        Copilot
      </h2>
      {children}
      <Button kind="quiet" label="Close the copilot" onClick={() => copilotOpen.set(false)}>
        <X size={16} aria-hidden />
      </Button>
    </header>
  );
}

interface EarlierProps {
  agentId: string;
  chosen: string | null;
  onChoose: (conversationId: string) => void;
}

function Earlier({ agentId, chosen, onChoose }: EarlierProps) {
  const conversations = api.useQuery('get', '/app/agents/{agentId}/copilot/conversations', {
    params: { path: { agentId }, query: { limit: 20 } },
  });
  const asked = conversations.data?.data.filter(({ title }) => title !== '') ?? [];
  if (asked.length === 0) return null;
  return (
    <Menu
      trigger={
        <button type="button" className="min-h-8 rounded-control px-2 text-sm text-ink-2 hover:bg-sunken">
          Earlier
        </button>
      }
    >
      {asked.map(({ id, title }) => (
        <MenuItem key={id} chosen={id === chosen} onSelect={() => onChoose(id)}>
          <span className="max-w-80 truncate">{title}</span>
        </MenuItem>
      ))}
    </Menu>
  );
}

const NEAR_END_PX = 160;

/** Whoever reads at the end stays there; whoever scrolled up is left alone. */
function showEnd(mark: HTMLElement | null): void {
  const list = mark?.parentElement;
  if (list && list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_END_PX) list.scrollTop = list.scrollHeight;
}

interface TalkProps {
  agentId: string;
  standing: Standing;
  conversationId: string | null;
  onBegun: (id: string) => void;
}

function Talk({ agentId, standing, conversationId, onBegun }: TalkProps) {
  const mayNotAsk = useRoleRefusal(CHANGES_FROM);
  const { kept, live, ask, stop, error } = useConversation(agentId, conversationId, onBegun);
  const length = `${kept.data?.messages.length} ${live?.answer.text.length} ${live?.answer.reads.length}`;
  const isNew = conversationId === null && live === null;
  return (
    <>
      <div className="min-h-0 flex-1 overflow-y-auto p-4" tabIndex={0} role="group" aria-label="Conversation">
        {isNew ? <Beginning standing={standing} onAsk={(question) => void ask(question)} /> : null}
        <Messages agentId={agentId} kept={kept.data} live={live} />
        <RefusalNote error={error} />
        <div key={length} ref={showEnd} />
      </div>
      <p role="status" className="sr-only">
        {live ? 'The copilot is answering.' : ''}
      </p>
      <Composer
        unless={standing.reason ?? mayNotAsk}
        answering={live !== null}
        onAsk={ask}
        onStop={() => void stop()}
      />
    </>
  );
}

const QUESTIONS = [
  'What should be fixed first, and what shows it?',
  'What became better or worse with the newest version?',
  'Which problems have no test yet?',
];

/** Why it can't be asked, or what may be asked. */
function Beginning({ standing, onAsk }: { standing: Standing; onAsk: (question: string) => void }) {
  const { available, reason, messages } = standing;
  const mayNotAsk = useRoleRefusal(CHANGES_FROM);
  if (!available) return <p className="max-w-[60ch] rounded-panel bg-caution-soft p-3">{reason}</p>;
  return (
    <div className="space-y-3">
      <p className="text-ink-2">
        It reads this agent’s calls, issues, tests, watches and runs as you may, and says what each answer stands on. It
        changes nothing: what it proposes waits for you.
      </p>
      <ul className="space-y-2">
        {QUESTIONS.map((question) => (
          <li key={question}>
            <Button unless={mayNotAsk} onClick={() => onAsk(question)}>
              {question}
            </Button>
          </li>
        ))}
      </ul>
      {messages.limit !== null && (
        <p className="text-sm text-ink-2">
          {count(messages.used)} of {count(messages.limit)} messages of the plan are used.
        </p>
      )}
    </div>
  );
}
