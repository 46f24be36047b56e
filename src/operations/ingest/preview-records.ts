import { type RecordsPreview, recordsPreview } from '../../contract/records-preview.ts';
import type { NormalisedCall } from '../../domain/calls/call.ts';
import { tallyMissing } from '../../domain/calls/missing-fields.ts';
import type { ToolResultReading } from '../../domain/calls/tool-uses.ts';
import { Failure } from '../failure.ts';
import { readLines } from '../imports/read-lines.ts';
import { defineOperation } from '../operation.ts';
import { GapsTally } from './gaps-tally.ts';
import type { RefusedRecord } from './take-records.ts';

export const previewRecords = defineOperation({
  id: 'previewRecords',
  surface: 'app',
  method: 'POST',
  path: '/app/records/preview',
  scope: 'person',
  audits: false,
  tag: 'Imports',
  summary: 'Say what would be understood of records',
  description:
    'The body is records as an import takes them, one JSON object a line. Stores nothing: says what they were recognized as, which could not be read and why, and what the others lack.',
  takesLines: true,
  transaction: false,
  response: recordsPreview,
  async run({ services, person }, { lines }): Promise<RecordsPreview> {
    if (!lines)
      throw new Failure('invalid_body', 'Send records, one per line, with content-type application/x-ndjson.');
    const tally = new PreviewTally();
    const gaps = new GapsTally();
    const reader = { analyser: services.analyser, workspaceId: person().workspaceId };
    const reading = { nowMs: services.now().getTime(), calls: true, gapsTo: GAPS_OF_LINES };
    for await (const record of readLines(reader, lines, reading)) {
      if (record.state === 'bad') tally.refuse(record);
      else if (record.call) {
        const { readToolUses, resultsOf } = await toolReader();
        tally.add(record.call.call, resultsOf(readToolUses(record.call.call, [])));
        gaps.add(record.call);
      }
    }
    return { ...tally.preview(), formats: gaps.formats() };
  },
});

/** Of so many records it is looked at which codes can be computed: enough to know what their format lacks. */
const GAPS_OF_LINES = 50;

/** Loaded where somebody sends a record: it needs the words of all languages. */
const toolReader = () => import('../../domain/calls/tool-uses.ts');

class PreviewTally {
  readonly refused: RefusedRecord[] = [];
  readonly #missing = tallyMissing();
  readonly #warnings = new Map<string, number>();
  readonly #understood = {
    callerTurns: 0,
    agentTurns: 0,
    toolCalls: 0,
    toolResults: 0,
    failedTools: 0,
    unclearTools: 0,
  };
  #readable = 0;

  refuse({ line, field, reason }: RefusedRecord): void {
    this.refused.push({ line, field, reason });
  }

  add(call: NormalisedCall, results: readonly ToolResultReading[]): void {
    this.#readable += 1;
    this.#missing.add(call);
    for (const warning of call.warnings) this.#warnings.set(warning, (this.#warnings.get(warning) ?? 0) + 1);
    const sums = this.#understood;
    for (const { role, text, wordsMissing, toolCall } of call.turns) {
      if (role === 'caller') sums.callerTurns += 1;
      if (role === 'agent' && (text !== '' || wordsMissing)) sums.agentTurns += 1;
      if (toolCall) sums.toolCalls += 1;
    }
    for (const { ok } of results) {
      sums.toolResults += 1;
      if (ok === false) sums.failedTools += 1;
      if (ok === null) sums.unclearTools += 1;
    }
  }

  preview(): Omit<RecordsPreview, 'formats'> {
    return {
      object: 'records_preview',
      records: this.#readable + this.refused.length,
      readable: this.#readable,
      understood: this.#understood,
      refused: this.refused,
      missing: this.#missing.fields(),
      warnings: [...this.#warnings].map(([warning, records]) => ({ warning, records })),
    };
  }
}
