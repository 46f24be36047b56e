import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import { asObject, numberOf, objectsIn, textOf } from '../values.ts';

/** Events that make a conversation, of both directions; the other ones tell of sound, limits and pieces. */
const TYPES = /^(session\.(created|updated)|conversation\.(created|item\.)|response\.|input_audio_buffer\.)/;

export const isRealtimeEvent = (event: Json): boolean =>
  isJsonObject(event) && TYPES.test(textOf(event.type ?? null) ?? '');

interface Items {
  sessionId: string | null;
  items: JsonObject[];
  /** The event that each item first came by. */
  places: number[];
}

interface Kept {
  item: JsonObject;
  event: number;
}

/** The items that the events of a Realtime session tell of, in the order of the conversation. */
export function itemsOfEvents(events: readonly Json[]): Items {
  const log = new Log();
  for (const [at, event] of events.entries()) if (isJsonObject(event)) log.read(event, at);
  const kept = log.inOrder();
  return {
    sessionId: log.sessionId,
    items: kept.map(({ item }) => item),
    places: kept.map(({ event }) => event),
  };
}

class Log {
  sessionId: string | null = null;
  readonly #kept = new Map<string, Kept>();
  readonly #after = new Map<string, string>();
  #calls = 0;

  read(event: JsonObject, at: number): void {
    const type = textOf(event.type ?? null) ?? '';
    const id = textOf(event.item_id ?? null);
    if (type === 'session.created' || type === 'session.updated')
      this.sessionId ??= textOf(asObject(event.session).id ?? null);
    else if (/^conversation\.item\.(created?|added|done|retrieved)$/.test(type)) this.#take(event, at);
    else if (/^response\.output_item\.(added|done)$/.test(type)) this.#take(event, at);
    else if (type === 'response.done') this.#finish(asObject(event.response), at);
    else if (type === 'response.function_call_arguments.done') this.#call(event, at);
    else if (id === null) return;
    else if (/^response\.(output_)?audio_transcript\.done$/.test(type))
      this.#say(id, 'assistant', event.transcript, at);
    else if (/^response\.(output_)?text\.done$/.test(type)) this.#say(id, 'assistant', event.text, at);
    else if (type === 'conversation.item.input_audio_transcription.completed')
      this.#say(id, 'user', event.transcript, at);
    else if (type === 'conversation.item.input_audio_transcription.failed') this.#say(id, 'user', null, at);
    else if (type === 'conversation.item.truncated') this.#mark(id, { interrupted: true });
    else if (type === 'conversation.item.deleted') this.#kept.delete(id);
    else if (type === 'input_audio_buffer.speech_started') this.#time(id, 'startMs', event.audio_start_ms, at);
    else if (type === 'input_audio_buffer.speech_stopped') this.#time(id, 'endMs', event.audio_end_ms, at);
  }

  /** An item stands behind the one that it names, else where it came. */
  inOrder(): Kept[] {
    const order = [...this.#kept.keys()];
    for (const [id, before] of this.#after) {
      const from = order.indexOf(id);
      const to = order.indexOf(before);
      if (from < 0 || to < 0 || from === to + 1) continue;
      order.splice(from, 1);
      order.splice(order.indexOf(before) + 1, 0, id);
    }
    return order.flatMap((id) => {
      const kept = this.#kept.get(id);
      return kept === undefined || kept.item.type === undefined ? [] : [kept];
    });
  }

  #take({ item, previous_item_id: before }: JsonObject, at: number): void {
    if (!isJsonObject(item)) return;
    const id = this.#idOf(item);
    const known = this.#kept.get(id);
    this.#kept.set(id, { item: { ...known?.item, ...this.#withWords(item, known?.item) }, event: known?.event ?? at });
    const previous = textOf(before ?? null);
    if (previous !== null) this.#after.set(id, previous);
  }

  /** Calls and results have one id of their call; what the client made may have no id at all. */
  #idOf(item: JsonObject): string {
    const id = textOf(item.id ?? null);
    const call = textOf(item.call_id ?? null);
    if (call !== null) return `${textOf(item.type ?? null) ?? ''} ${call}`;
    if (id !== null) return id;
    this.#calls += 1;
    return `item ${this.#calls}`;
  }

  /** Words that came before the item itself, or that a later state of it lacks, are kept. */
  #withWords(item: JsonObject, known: JsonObject | undefined): JsonObject {
    const has = objectsIn(item.content).some((part) => textOf(part.transcript ?? part.text ?? null) !== null);
    return has || known?.content === undefined ? item : { ...item, content: known.content };
  }

  #finish(response: JsonObject, at: number): void {
    const cut = response.status === 'cancelled' || response.status === 'incomplete';
    for (const item of objectsIn(response.output))
      this.#take({ item: cut ? { ...item, status: 'incomplete' } : item }, at);
  }

  #call({ call_id: call, name, arguments: args }: JsonObject, at: number): void {
    const item = {
      type: 'function_call',
      call_id: call ?? null,
      ...(name === undefined ? {} : { name }),
      arguments: args ?? null,
    };
    this.#take({ item }, at);
  }

  #say(id: string, role: string, words: Json | undefined, at: number): void {
    const known = this.#kept.get(id);
    const content = [{ type: role === 'user' ? 'input_audio' : 'output_audio', transcript: words ?? null }];
    this.#kept.set(id, { item: { type: 'message', role, ...known?.item, content }, event: known?.event ?? at });
  }

  #mark(id: string, fields: JsonObject): void {
    const known = this.#kept.get(id);
    if (known) this.#kept.set(id, { ...known, item: { ...known.item, ...fields } });
  }

  #time(id: string, field: 'startMs' | 'endMs', value: Json | undefined, at: number): void {
    const ms = numberOf(value);
    const known = this.#kept.get(id);
    if (ms !== null) this.#kept.set(id, { item: { ...known?.item, [field]: ms }, event: known?.event ?? at });
  }
}
