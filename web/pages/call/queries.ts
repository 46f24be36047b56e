import { api } from '../../client/api.ts';

interface CallPath {
  agentId: string;
  callId: string;
}

export const callQuery = (path: CallPath) =>
  api.queryOptions('get', '/v1/agents/{agentId}/calls/{callId}', { params: { path } });

export const callSignalsQuery = (path: CallPath) =>
  api.queryOptions('get', '/v1/agents/{agentId}/calls/{callId}/signals', { params: { path } });
