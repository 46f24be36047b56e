import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import { shortText } from '../values.ts';
import type { Given } from './format.ts';

/** The `object` of what holds a call of another format, with what its sender says about it. */
export const HANDED_OVER = 'earshot.call';

/** A call with what is said about it: its file's name, who its speakers are, the zone of its times. */
export function handOver(value: Json, about: Partial<Omit<Given, 'value'>>): JsonObject {
  return {
    object: HANDED_OVER,
    ...(about.name ? { name: about.name } : {}),
    ...(about.roles && Object.keys(about.roles).length > 0 ? { roles: { ...about.roles } } : {}),
    ...(about.timeZone ? { timeZone: about.timeZone } : {}),
    content: value,
  };
}

export const isHandedOver = (value: Json): value is JsonObject =>
  isJsonObject(value) && value.object === HANDED_OVER && 'content' in value;

/** What a record holds: itself, or what was handed over in it. */
export function givenIn(record: Json): Given {
  if (!isHandedOver(record)) return { value: record, name: null, roles: {}, timeZone: null };
  const roles = Object.entries(isJsonObject(record.roles) ? record.roles : {});
  return {
    value: record.content ?? null,
    name: shortText(record.name, 255),
    roles: Object.fromEntries(roles.filter((entry): entry is [string, string] => typeof entry[1] === 'string')),
    timeZone: shortText(record.timeZone, 60),
  };
}
