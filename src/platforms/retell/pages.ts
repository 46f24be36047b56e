import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import type { PlatformClient } from '../platform-client.ts';
import type { PlatformConnection } from '../platform-connection.ts';
import { PlatformError } from '../port.ts';
import { retellPage } from './payloads.ts';

const PAGES_AT_MOST = 20;

/** Every item of a list, page by page. @param asked with a body it is a POST. */
export async function pagesOf(
  client: PlatformClient,
  connection: PlatformConnection,
  { path, json, doing }: { path: string; json?: Json; doing: string },
): Promise<JsonObject[]> {
  const items: JsonObject[] = [];
  for (let pages = 0, key: string | null = null; pages < PAGES_AT_MOST; pages += 1) {
    const after: string =
      key === null ? '' : `${path.includes('?') ? '&' : '?'}pagination_key=${encodeURIComponent(key)}`;
    const body = await client.send(connection, {
      method: json === undefined ? 'GET' : 'POST',
      path: `${path}${after}`,
      ...(json === undefined ? {} : { json }),
      doing,
    });
    const page = retellPage.safeParse(body);
    if (!page.success)
      throw new PlatformError('bad_answer', `The answer to ${doing} did not have the documented shape.`);
    items.push(...page.data.items.filter(isJsonObject));
    key = page.data.has_more === false ? null : page.data.pagination_key;
    if (key === null) break;
  }
  return items;
}

/** Voice agents only: chats have no calls. */
export const listVoiceAgents = (client: PlatformClient, connection: PlatformConnection): Promise<JsonObject[]> =>
  pagesOf(client, connection, {
    path: '/v2/list-agents?limit=1000',
    json: { filter_criteria: { channel: { type: 'string', op: 'eq', value: 'voice' } } },
    doing: 'listing agents',
  });
