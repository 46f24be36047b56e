import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import { parseJson } from '../../domain/parse-json.ts';
import { asObject } from '../values.ts';

/** What stands beside the body where a whole HTTP request was kept: n8n's webhooks, gateways of functions. */
const OF_REQUESTS = [
  'query',
  'params',
  'webhookUrl',
  'executionMode',
  'method',
  'httpMethod',
  'path',
  'url',
  'requestContext',
  'isBase64Encoded',
];

/** What a webhook sent, out of the request, the notification or the queue's message in which somebody kept it. */
export function unwrapped(value: Json): Json {
  if (!isJsonObject(value)) return value;
  const inner = requestBody(value) ?? notification(value) ?? pushed(value) ?? busEvent(value);
  return inner === null ? value : inner;
}

function requestBody(value: JsonObject): Json {
  if (!isJsonObject(value.headers) || !OF_REQUESTS.some((name) => name in value)) return null;
  return documentIn(value.isBase64Encoded === true ? decoded(value.body ?? null) : (value.body ?? null));
}

/** Amazon SNS, also inside a message of SQS. */
const notification = (value: JsonObject): Json =>
  value.Type === 'Notification' && 'TopicArn' in value ? documentIn(value.Message ?? null) : null;

/** Google Pub/Sub, as it pushes a message. */
function pushed({ message, subscription }: JsonObject): Json {
  if (typeof subscription !== 'string') return null;
  return documentIn(decoded(asObject(message).data ?? null));
}

/** Amazon EventBridge; what Amazon's own services say there is read as it is. */
function busEvent(value: JsonObject): Json {
  const source = value.source;
  if (!('detail-type' in value) || typeof source !== 'string' || source.startsWith('aws.')) return null;
  return documentIn(value.detail ?? null);
}

/** An object or a list, also as text; null for anything else. */
function documentIn(body: Json): Json {
  const document = typeof body === 'string' ? parseJson(body) : body;
  return typeof document === 'object' && document !== null ? document : null;
}

function decoded(text: Json): Json {
  if (typeof text !== 'string') return null;
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(text), (char) => char.codePointAt(0) ?? 0));
  } catch {
    return null;
  }
}
