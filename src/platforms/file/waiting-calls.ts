import type { ToolCall, ToolResult, Turn } from '../../domain/calls/call.ts';

interface Queue {
  turns: Turn[];
  next: number;
}

/** Calls of tools that no result has answered so far, oldest first, each looked at a few times however many there are. */
export class WaitingCalls {
  readonly #queues = new Map<string, Queue>();
  readonly #answered = new Set<Turn>();

  add(turn: Turn, { id, name }: Pick<ToolCall, 'id' | 'name'>): void {
    for (const key of ['any', `name ${name}`, ...(id === null ? [] : [`id ${id}`])]) {
      const queue = this.#queues.get(key) ?? { turns: [], next: 0 };
      this.#queues.set(key, queue);
      queue.turns.push(turn);
    }
  }

  /** The call that a result answers: by its id, else by the tool's name, else the oldest. */
  take({ id, name }: Pick<ToolResult, 'id' | 'name'>): Turn | undefined {
    const queue = this.#queues.get(id !== null ? `id ${id}` : name !== null ? `name ${name}` : 'any');
    while (queue !== undefined && queue.next < queue.turns.length) {
      const turn = queue.turns[queue.next];
      queue.next += 1;
      if (turn === undefined || this.#answered.has(turn)) continue;
      this.#answered.add(turn);
      return turn;
    }
    return undefined;
  }
}
