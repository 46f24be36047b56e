import { type Analyser, AnalysisFailed } from '../../analyser/analyser.ts';
import type { DraftView } from '../../db/drafts/drafts.ts';
import { sha256Hex } from '../../domain/digest.ts';
import type { LiveWatch } from '../../domain/drafts/check.ts';
import { type ReadDraft, unreadDraft } from '../../domain/drafts/quick-checks.ts';

/** What is kept of readings, in characters of their texts. */
const KEPT_CHARACTERS = 16 * 1024 * 1024;

/** Reads what drafts change and what rules say of it, in a process of the analyser and once for each text and its watches. */
export interface DraftReadings {
  /** A text that can't be read in the time there is comes with its parts as a whole and the reason at each check. */
  read(draft: DraftView, watches: readonly LiveWatch[]): Promise<ReadDraft>;
}

export function createDraftReadings(analyser: Analyser, keptCharacters = KEPT_CHARACTERS): DraftReadings {
  /** Least lately asked for first. */
  const kept = new Map<string, { reading: Promise<ReadDraft>; characters: number }>();
  let characters = 0;

  function drop(key: string): void {
    characters -= kept.get(key)?.characters ?? 0;
    kept.delete(key);
  }

  function keep(key: string, reading: Promise<ReadDraft>, size: number): void {
    kept.set(key, { reading, characters: size });
    characters += size;
    for (const oldest of kept.keys()) {
      if (characters <= keptCharacters) break;
      drop(oldest);
    }
  }

  async function settle(key: string, reading: Promise<ReadDraft>): Promise<void> {
    const read = await reading.catch(() => null);
    if (kept.get(key)?.reading !== reading) return;
    drop(key);
    if (read) keep(key, reading, sizeOf(read));
  }

  return {
    read(draft, watches) {
      const key = sha256Hex(JSON.stringify([draft.agentId, draft.baseHash, draft.draftHash, watches]));
      const known = kept.get(key);
      if (known) {
        drop(key);
        keep(key, known.reading, known.characters);
        return known.reading;
      }
      const reading = readAnew(analyser, draft, watches);
      keep(key, reading, 0);
      void settle(key, reading);
      return reading;
    },
  };
}

async function readAnew(analyser: Analyser, draft: DraftView, watches: readonly LiveWatch[]): Promise<ReadDraft> {
  const { workspaceId, base, texts } = draft;
  try {
    return await analyser.readDraft(workspaceId, base, texts, watches);
  } catch (error) {
    if (error instanceof AnalysisFailed) return unreadDraft(base, texts, error.message);
    throw error;
  }
}

/** Lines hold both texts again; a finding is a sentence. */
function sizeOf({ diff, quickChecks }: ReadDraft): number {
  const texts = diff.reduce((sum, { before, after }) => sum + 2 * (before.length + after.length), 0);
  const findings = quickChecks.flatMap((check) => check.findings);
  return findings.reduce((sum, { message }) => sum + message.length, texts + 1_000);
}
