import { useState } from 'react';
import { api } from '../../client/api.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Loaded } from '../../ui/states.tsx';
import { saidBy } from '../issue/use-evidence.ts';

const TURNS_BEFORE = 3;
const TURNS_AFTER = 3;

/** What was said around a turn, read when somebody asks for it. */
export function Nearby({ callId, turn }: { callId: string; turn: number }) {
  const agent = useAgent();
  const [open, setOpen] = useState(false);
  const params = { path: { agentId: agent.id, callId }, query: { turnsAfter: Math.max(0, turn - TURNS_BEFORE) } };
  const call = api.useQuery('get', '/v1/agents/{agentId}/calls/{callId}', { params }, { enabled: open });
  return (
    <details className="mt-2 text-sm" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="flex min-h-6 w-fit items-center gap-1 text-ink-2 hover:text-ink">
        What was said around it
      </summary>
      {open && (
        <Loaded of={call} rows={3}>
          {({ transcript }) => (
            <ol className="mt-1 space-y-1 border-l border-line pl-3">
              {transcript
                ?.filter(({ index }) => index <= turn + TURNS_AFTER)
                .map((each) => (
                  <li key={each.index} className={each.index === turn ? 'bg-caution-soft' : undefined}>
                    <span className="text-xs text-ink-2">{saidBy(each)}</span>
                    <p className="max-w-[72ch] break-words">{each.text}</p>
                  </li>
                ))}
            </ol>
          )}
        </Loaded>
      )}
    </details>
  );
}
