import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, http } from '../../client/api.ts';
import { useStore } from '../../client/store.ts';
import { createLine } from './line.ts';

/** A conversation about an agent, with the answer that is being heard. */
export function useConversation(agentId: string, conversationId: string | null, onBegun: (id: string) => void) {
  const queries = useQueryClient();
  const [line] = useState(() => createLine(() => queries.invalidateQueries()));
  const live = useStore(line.live);
  const error = useStore(line.error);
  const kept = api.useQuery(
    'get',
    '/app/agents/{agentId}/copilot/conversations/{conversationId}',
    { params: { path: { agentId, conversationId: conversationId ?? '' } } },
    { enabled: conversationId !== null },
  );
  const begin = api.useMutation('post', '/app/agents/{agentId}/copilot/conversations');
  const pathOf = (id: string) => `/app/agents/${agentId}/copilot/conversations/${id}`;

  /** @returns whether it was answered: what was refused can be asked again. */
  const ask = async (question: string): Promise<boolean> => {
    if (conversationId !== null) return line.hearOut(pathOf(conversationId), question);
    const begun = await begin.mutateAsync({ params: { path: { agentId } } }).catch(() => null);
    if (!begun) return false;
    onBegun(begun.id);
    return line.hearOut(pathOf(begun.id), question);
  };

  const stop = async () => {
    if (conversationId === null) return;
    const path = { agentId, conversationId };
    await http.POST('/app/agents/{agentId}/copilot/conversations/{conversationId}/stop', { params: { path } });
  };

  const goingOn = kept.data?.messages.at(-1)?.state === 'answering' ? pathOf(kept.data.id) : null;
  useEffect(() => {
    if (goingOn !== null && line.live.get() === null) void line.hearOut(goingOn, null);
  }, [goingOn, line]);
  useEffect(() => () => line.close(), [line]);

  return { kept, live, ask, stop, error: error ?? begin.error };
}
