import { api, type Schemas } from '../../client/api.ts';

export type Reading = Schemas['ModelReading'];

const LOOK_AGAIN_MS = 3_000;

/** How the reading of an agent's calls by a model stands, looked at again while it goes on. */
export const useReading = (agentId: string) =>
  api.useQuery(
    'get',
    '/app/agents/{agentId}/model-reading',
    { params: { path: { agentId } } },
    { refetchInterval: ({ state }) => (isGoingOn(state.data) ? LOOK_AGAIN_MS : false) },
  );

const isGoingOn = (reading: Reading | undefined) =>
  reading !== undefined && reading.calls.waiting > 0 && reading.pause === null;
