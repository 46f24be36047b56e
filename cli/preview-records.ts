import type { RecordsPreview } from '../src/contract/records-preview.ts';
import { counted } from '../src/domain/counted.ts';
import { EXIT } from './problem.ts';
import { faultsInWords, type RefusedLine, type SourceLine } from './read-records.ts';
import type { Session } from './session.ts';

/** Of the reasons why codes can't be computed, those that hold most of them back. */
const REASONS_TOLD = 5;

/** As many as one import takes: enough to know the rest by. */
const RECORDS_AT_MOST = 1000;

/** Says what would be understood of records, and stores none. @returns the exit code: 1 where some cannot be read. */
export async function previewRecords(
  { client, print, json }: Session,
  records: AsyncGenerator<SourceLine>,
  first: SourceLine,
  unread: RefusedLine[],
): Promise<number> {
  const places: Pick<SourceLine, 'file' | 'line'>[] = [];
  async function* sent(): AsyncGenerator<string> {
    for (let next: SourceLine | undefined = first; next !== undefined && places.length < RECORDS_AT_MOST; ) {
      places.push({ file: next.file, line: next.line });
      yield `${next.text}\n`;
      next = (await records.next()).value as SourceLine | undefined;
    }
  }
  const preview = await client.upload<RecordsPreview>('/app/records/preview', sent());
  const bySchema = preview.refused.map(({ line, ...fault }) => ({
    ...(places[line - 1] ?? { file: '', line }),
    ...fault,
  }));
  const refused = [...unread, ...bySchema];
  if (json) print.json({ ...preview, refused });
  else {
    const { callerTurns, agentTurns, toolCalls, toolResults, failedTools, unclearTools } = preview.understood;
    print.line(`${preview.readable} of ${counted(preview.records, 'record')} can be read. Nothing was stored.`);
    // A server of an earlier release recognizes nothing.
    for (const one of (preview as Partial<RecordsPreview>).formats ?? []) {
      print.line(recognized(one));
      for (const { reason, codes } of one.notComputable.slice(0, REASONS_TOLD)) print.line(`  ${codes}: ${reason}`);
      const rest = one.notComputable.slice(REASONS_TOLD);
      if (rest.length > 0) {
        print.line(
          `  ${rest.reduce((sum, { codes }) => sum + codes, 0)}: for ${rest.length} other reasons; --json lists them`,
        );
      }
    }
    print.line(
      `Understood: ${counted(callerTurns, 'caller turn')}, ${counted(agentTurns, 'agent turn')}, ${counted(toolCalls, 'tool call')}, ${counted(toolResults, 'result')} (${failedTools} failed${unclearTools > 0 ? `, ${unclearTools} say neither success nor failure` : ''}).`,
    );
    for (const { field, records: lacking, costs } of preview.missing) {
      print.line(`Missing from ${lacking}: ${field}; ${costs}.`);
    }
    for (const { warning, records: warned } of preview.warnings) print.line(`Noted in ${warned}: ${warning}`);
    for (const text of faultsInWords(refused)) print.note(text);
  }
  return refused.length > 0 ? EXIT.failed : EXIT.done;
}

function recognized({ format, records, notComputable }: RecordsPreview['formats'][number]): string {
  const calls = `${format}, ${counted(records, 'call')}`;
  const codes = notComputable.reduce((sum, one) => sum + one.codes, 0);
  return codes === 0 ? `${calls}.` : `${calls}; ${counted(codes, 'code')} can't be computed:`;
}
