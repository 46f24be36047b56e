import { isJsonObject, type Json, type JsonObject } from '../../src/domain/json.ts';
import { idOf, numberOf, textOf } from '../../src/platforms/lenient.ts';
import type { DemoAccounts, WrittenVersion } from './accounts.ts';
import type { DemoAgent } from './agents.ts';
import type { DemoCall } from './calls.ts';
import { complete } from './playground/completion.ts';
import type { LiveTools } from './playground/tools.ts';
import type { DemoStore } from './store.ts';

export interface DemoRequest {
  method: string;
  url: URL;
  authorization: string | undefined;
  body: Json;
}

export interface DemoAnswer {
  status: number;
  body: Json;
}

/**
 * Answers in the shape of Retell's API, as far as imports and simulated calls need it. Beside that,
 * `POST /demo/next-version/<agent id>` with `{request_id}` publishes another version of an agent of the account,
 * `POST /demo/publish/<agent id>` with `{request_id, base_version, engine}` one that says what `engine` says, and
 * `GET /demo/live-tools` counts the tools that ran for real, by name, for want of a mock.
 */
export async function answer(accounts: DemoAccounts, live: LiveTools, request: DemoRequest): Promise<DemoAnswer> {
  const key = request.authorization?.replace(/^Bearer /, '') ?? '';
  const store = accounts.storeOf(key);
  if (store === null) return failure(401, 'The API key is not valid.');
  const { pathname } = request.url;
  if (request.method === 'POST' && /^\/demo\/(next-version|publish)\//.test(pathname)) {
    return publish(accounts, key, request);
  }
  if (request.method === 'POST' && pathname.startsWith('/agent-playground-completion/')) {
    return play(store, live, request);
  }
  if (request.method === 'GET' && pathname === '/demo/live-tools') return ok(live.counts());
  return read(store, request);
}

/** The present of the demo is the end of its calls, so that a test is answered the same on every day. */
function play(store: DemoStore, live: LiveTools, { url, body }: DemoRequest): DemoAnswer {
  const agent = store.agents.get(decodeURIComponent(url.pathname.split('/').at(-1) ?? ''));
  const version = agent === undefined ? null : versionOf(agent, url);
  if (agent === undefined || version === null) return failure(404, 'There is no such agent or version.');
  const completion = isJsonObject(body) ? complete({ agent, version, body, nowMs: store.endMs, live }) : null;
  return completion === null ? failure(400, '`messages` must be a list of messages.') : ok(completion);
}

async function publish(accounts: DemoAccounts, key: string, { url, body }: DemoRequest): Promise<DemoAnswer> {
  const agentId = decodeURIComponent(url.pathname.split('/').at(-1) ?? '');
  const asked = isJsonObject(body) ? body : {};
  const requestId = textOf(asked.request_id);
  if (requestId === null || requestId.length > 100) return failure(400, '`request_id` must be a text.');
  const written = url.pathname.startsWith('/demo/publish/') ? writtenIn(asked) : undefined;
  if (written === null) return failure(400, '`engine` must be an object, and `base_version` a number.');
  const published = await accounts.publish(key, agentId, requestId, written);
  if (published === 'shared') return failure(403, 'The shared demo changes for nobody.');
  if (published === 'no_agent') return failure(404, 'There is no such agent.');
  if (published === 'other_base') return failure(422, 'Another version is the newest by now.');
  if (published === 'too_many') return failure(409, 'This agent has as many versions as the demo keeps.');
  return ok({ agent_id: agentId, version: published.version });
}

function writtenIn({ engine, base_version }: JsonObject): WrittenVersion | null {
  const baseVersion = numberOf(base_version);
  return isJsonObject(engine) && baseVersion !== null ? { engine, baseVersion } : null;
}

function read(store: DemoStore, request: DemoRequest): DemoAnswer {
  const path = request.url.pathname;
  const id = decodeURIComponent(path.split('/').at(-1) ?? '');
  if (request.method === 'POST') {
    if (path === '/v3/list-calls') return listCalls(store, isJsonObject(request.body) ? request.body : {});
    if (path === '/v2/list-agents') return listAgents(store);
    return failure(404, 'There is no such route.');
  }
  if (request.method !== 'GET') return failure(404, 'There is no such route.');
  if (path === '/get-api-key-info') return ok({ api_key_name: 'demo', org_name: 'Earshot demo' });
  if (path === '/v2/list-phone-numbers') return ok({ items: phoneNumbers(store), has_more: false });
  if (path.startsWith('/v2/get-call/')) return getCall(store, id);
  if (path.startsWith('/list-agent-versions/')) return listVersions(store, id);
  if (path.startsWith('/get-agent/')) return getAgent(store, id, request.url);
  if (path.startsWith('/get-conversation-flow/') || path.startsWith('/get-retell-llm/')) {
    return getEngine(store, id, request.url);
  }
  return failure(404, 'There is no such route.');
}

const ok = (body: Json): DemoAnswer => ({ status: 200, body });
const failure = (status: number, message: string): DemoAnswer => ({ status, body: { status: 'error', message } });

function listCalls(store: DemoStore, body: JsonObject): DemoAnswer {
  const limit = numberOf(body.limit) ?? 50;
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000) return failure(400, '`limit` must be from 1 to 1000.');
  const filter = isJsonObject(body.filter_criteria) ? body.filter_criteria : {};
  const matching = agentsOf(store, filter)
    .flatMap((agentId) => store.calls.get(agentId) ?? [])
    .filter((call) => inRange(call, filter.start_timestamp) && hasStatus(call, filter.call_status))
    .toSorted((a, b) => (b.startMs ?? 0) - (a.startMs ?? 0));
  const ordered = body.sort_order === 'ascending' ? matching.toReversed() : matching;
  const after = textOf(body.pagination_key);
  const from = after === null ? 0 : ordered.findIndex((call) => call.callId === after) + 1;
  if (after !== null && from === 0) return failure(400, 'The pagination key is not known.');
  const page = ordered.slice(from, from + limit);
  const hasMore = from + limit < ordered.length;
  const last = page.at(-1)?.callId;
  return ok({
    items: page.map(listItem),
    has_more: hasMore,
    ...(hasMore && last !== undefined ? { pagination_key: last } : {}),
  });
}

function agentsOf(store: DemoStore, filter: JsonObject): string[] {
  const wanted = Array.isArray(filter.agent) ? filter.agent.filter(isJsonObject) : [];
  if (wanted.length === 0) return [...store.agents.keys()];
  return wanted.map((entry) => idOf(entry.agent_id) ?? '').filter((id) => store.agents.has(id));
}

/** A filter on the start never finds a call without one. */
function inRange(call: DemoCall, range: Json | undefined): boolean {
  if (!isJsonObject(range) || !Array.isArray(range.value)) return true;
  const low = numberOf(range.value[0]) ?? 0;
  const high = numberOf(range.value[1]) ?? Number.MAX_SAFE_INTEGER;
  return call.startMs !== null && call.startMs >= low && call.startMs <= high;
}

function hasStatus(call: DemoCall, status: Json | undefined): boolean {
  if (!isJsonObject(status) || !Array.isArray(status.value)) return true;
  return status.value.includes(call.payload.call_status ?? null);
}

/** Lists carry no transcript: each call has to be read. */
function listItem({ payload }: DemoCall): JsonObject {
  const { transcript, transcript_object, transcript_with_tool_calls, ...rest } = payload;
  void [transcript, transcript_object, transcript_with_tool_calls];
  return rest;
}

function getCall(store: DemoStore, id: string): DemoAnswer {
  const call = store.callById.get(id);
  return call === undefined || call.state === 'deleted' ? failure(404, 'There is no such call.') : ok(call.payload);
}

function listAgents(store: DemoStore): DemoAnswer {
  const items = [...store.agents.values()].map((agent) => ({
    agent_id: agent.plan.providerAgentId,
    agent_name: agent.name,
    channel: 'voice',
    user_modified_timestamp: store.endMs,
    tags: { newest: { version: agent.versions.at(-1) ?? 0 } },
  }));
  return ok({ items, has_more: false });
}

function listVersions(store: DemoStore, id: string): DemoAnswer {
  const agent = store.agents.get(id);
  if (agent === undefined) return failure(404, 'There is no such agent.');
  const items = agent.versions.map((version) => {
    const { is_published, version_title, last_modification_timestamp } = agent.settings(version, store.endMs);
    return { version, is_published, version_title, last_modification_timestamp } as JsonObject;
  });
  return ok({ items: items.toReversed(), has_more: false });
}

function getAgent(store: DemoStore, id: string, url: URL): DemoAnswer {
  const agent = store.agents.get(id);
  const version = agent === undefined ? null : versionOf(agent, url);
  return agent === undefined || version === null
    ? failure(404, 'There is no such agent or version.')
    : ok(agent.settings(version, store.endMs));
}

function getEngine(store: DemoStore, id: string, url: URL): DemoAnswer {
  const agent = [...store.agents.values()].find((one) => one.engineId === id);
  const version = agent === undefined ? null : versionOf(agent, url);
  return agent === undefined || version === null
    ? failure(404, 'There is no such engine or version.')
    : ok(agent.engine(version));
}

function versionOf(agent: DemoAgent, url: URL): number | null {
  const asked = url.searchParams.get('version');
  const version = asked === null ? agent.versions.at(-1) : Number(asked);
  return version !== undefined && agent.versions.includes(version) ? version : null;
}

function phoneNumbers(store: DemoStore): Json[] {
  return [...store.agents.values()].flatMap(({ plan }) => {
    const line = (number: string, version: number | string): Json => ({
      phone_number: number,
      inbound_agents: [{ agent_id: plan.providerAgentId, weight: 1, agent_version: version }],
      outbound_agents: [],
    });
    const older = plan.olderLine ? [line(plan.olderLine.number, plan.olderLine.version)] : [];
    return [line(plan.lineNumber, 'latest_published'), ...older];
  });
}
