import { z } from 'zod';
import { PLANS } from '../domain/vocabulary.ts';

/** Every code that an error can carry, with its HTTP status. Codes are stable within v1. */
export const ERROR_CODES = {
  invalid_parameter: 400,
  invalid_body: 400,
  invalid_cursor: 400,
  sample_not_flagged: 400,
  missing_authorization: 401,
  invalid_api_key: 401,
  invalid_token: 401,
  invalid_credentials: 401,
  invalid_signature: 401,
  invalid_ingest_token: 401,
  quota_exceeded: 402,
  budget_exceeded: 402,
  testing_not_configured: 402,
  key_read_only: 403,
  people_only: 403,
  demo_read_only: 403,
  admin_only: 403,
  origin_refused: 403,
  route_not_found: 404,
  agent_not_found: 404,
  call_not_found: 404,
  issue_not_found: 404,
  intent_not_found: 404,
  test_not_found: 404,
  run_not_found: 404,
  attempt_not_found: 404,
  watch_not_found: 404,
  goal_not_found: 404,
  draft_not_found: 404,
  comparison_not_found: 404,
  conversation_not_found: 404,
  card_not_found: 404,
  connection_not_found: 404,
  import_not_found: 404,
  reanalysis_not_found: 404,
  erasure_not_found: 404,
  test_set_not_found: 404,
  persona_not_found: 404,
  webhook_not_found: 404,
  channel_not_found: 404,
  delivery_not_found: 404,
  key_not_found: 404,
  token_not_found: 404,
  link_not_found: 404,
  workspace_not_found: 404,
  member_not_found: 404,
  rescore_in_progress: 409,
  run_not_finished: 409,
  run_decided: 409,
  draft_published: 409,
  draft_discarded: 409,
  draft_stale: 409,
  draft_base_missing: 409,
  draft_blocked: 409,
  revision_conflict: 409,
  idempotency_conflict: 409,
  agent_exists: 409,
  brief_decided: 409,
  member_exists: 409,
  last_admin: 409,
  workspace_needed: 409,
  too_many_workspaces: 409,
  import_finished: 409,
  import_not_finished: 409,
  reanalysis_in_progress: 409,
  reanalysis_not_reported: 409,
  issue_status_refused: 409,
  goal_closed: 409,
  plan_not_approved: 409,
  watch_bar_not_met: 409,
  watch_state_refused: 409,
  intent_merged: 409,
  answer_in_progress: 409,
  copilot_not_configured: 409,
  card_decided: 409,
  card_changed: 409,
  delivery_refused: 409,
  rate_limited: 429,
  too_many_failed_authentications: 429,
  internal_error: 500,
} as const satisfies Record<string, number>;
export type ErrorCode = keyof typeof ERROR_CODES;

export const ERROR_TYPES = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'budget_error',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'conflict_error',
  429: 'rate_limit_error',
  500: 'api_error',
} as const;
export type ErrorStatus = keyof typeof ERROR_TYPES;

export const quota = z
  .strictObject({
    metric: z.enum(['analysed_calls', 'agents', 'copilot_messages', 'test_calls']),
    limit: z.int(),
    used: z.int(),
    plan: z.enum(PLANS),
    upgradePath: z.literal('/billing'),
  })
  .meta({ id: 'Quota' });
export type Quota = z.infer<typeof quota>;

export const errorEnvelope = z
  .strictObject({
    error: z.strictObject({
      type: z.enum(Object.values(ERROR_TYPES)),
      code: z.string().describe('The specific reason; stable within v1.'),
      message: z.string(),
      param: z.string().nullable().describe('The field at fault of a request that failed validation.'),
      requestId: z.string().nullable().describe('Equals the `Request-Id` header.'),
      quota: quota.optional().describe('Present only with `quota_exceeded`.'),
    }),
  })
  .meta({ id: 'Error', description: 'The body of every error.' });
export type ErrorEnvelope = z.infer<typeof errorEnvelope>;
