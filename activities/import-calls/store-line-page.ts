import { readUploadedLines, replaceUploadedLines } from '../../src/db/imports/import-records.ts';
import { uploadedLinePlace } from '../../src/db/secrets/sealed-places.ts';
import type { Json } from '../../src/domain/json.ts';
import { lineRef } from '../../src/temporal/import-calls.ts';
import type { ActivityDeps } from '../deps.ts';
import { callOrReason, type PayloadReader, type Reading } from './call-or-reason.ts';
import type { PageRequest, PageResult } from './page.ts';
import type { PageTally } from './page-tally.ts';
import { storeReadings } from './store-readings.ts';

/** Parsed, JSON takes up to twenty times its bytes: pages of large records are short. */
const PAGE = { lines: 100, bytes: 2 * 1024 * 1024 };

/**
 * Stores the next uploaded lines. The bookmark is the number of the last line read. One that this worker cannot open
 * fails the page, and the lines stay for one that can.
 */
export async function storeLinePage(deps: ActivityDeps, request: PageRequest, tally: PageTally): Promise<PageResult> {
  const em = deps.database.within(request.workspaceId);
  const afterLine = request.cursor === null ? 0 : Number(request.cursor);
  const asked = Math.min(PAGE.lines, request.take ?? PAGE.lines);
  const { lines, isCut } = await readUploadedLines(em, request.importId, afterLine, { ...PAGE, lines: asked });
  const { workspaceId, importId } = request;
  const by = { analyser: deps.analyser, workspaceId, reader: deps.platforms.reader('file') };
  const readings: Reading[] = [];
  for (const { line, sealedPayload } of lines) {
    const text = deps.vault.open(sealedPayload, uploadedLinePlace(workspaceId, importId, line));
    readings.push(await readLine(by, lineRef(importId, line), text));
  }
  const stored = await storeReadings(deps, em, request, readings);
  if (stored.redacted)
    await replaceUploadedLines(em, request.importId, sealedAnew(deps, request, lines, stored.redacted));
  tally.list(readings.map(({ ref }) => ({ providerCallId: ref, over: true, startedAt: null })));
  tally.add(readings, stored, () => null);
  const last = lines.at(-1)?.line;
  const isLast = !isCut && (lines.length < PAGE.lines || lines.length === request.take);
  return { done: true, totals: tally.totals(), nextCursor: isLast ? null : String(last), stalled: false };
}

/** What was sent stands in its line until it is read, and then only what is stored of it. */
function sealedAnew(
  { vault }: ActivityDeps,
  { workspaceId, importId }: PageRequest,
  lines: readonly { line: number }[],
  readings: readonly Reading[],
) {
  return lines.map(({ line }, at) => {
    const reading = readings[at];
    const payload = reading && 'payload' in reading ? reading.payload : null;
    return { line, sealedPayload: vault.seal(JSON.stringify(payload), uploadedLinePlace(workspaceId, importId, line)) };
  });
}

/** A line is JSON of one record, or it is kept with what is wrong with it. */
export async function readLine(by: PayloadReader, ref: string, text: string): Promise<Reading> {
  let payload: Json;
  try {
    payload = JSON.parse(text);
  } catch {
    return { ref, state: 'failed', reason: 'The line is not JSON.', payload: text };
  }
  return callOrReason(by, ref, payload);
}
