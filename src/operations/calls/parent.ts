import { type CallView, findAnalysedCall, findCallState } from '../../db/calls/read-calls.ts';
import type { CallState } from '../../domain/vocabulary.ts';
import type { Parent } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';

/** A call as a resource: it exists once it is analysed. */
export const callParent: Parent<CallView> = {
  param: 'callId',
  notFound: 'call_not_found',
  format: 'uuid',
  load: async (em, id, { agent }) => (agent ? findAnalysedCall(em, scopeOf(agent), id) : null),
};

/** A call that may still wait for its analysis. */
export const storedCallParent: Parent<{ id: string; state: CallState }> = {
  param: 'callId',
  notFound: 'call_not_found',
  format: 'uuid',
  load: async (em, id, { agent }) => (agent ? findCallState(em, scopeOf(agent), id) : null),
};
