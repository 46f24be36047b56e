import type { EntityManager } from '../../db/database.ts';
import { storeUploadedLines, type UploadedLine } from '../../db/imports/import-records.ts';
import { uploadedLinePlace } from '../../db/secrets/sealed-places.ts';
import { keepWithinStorage } from '../plan/keep-within-storage.ts';
import type { Services } from '../services.ts';

/** Sealed at once: nobody else is answered meanwhile, and ten MiB take over a tenth of a second on an idle machine. */
const BATCH_BYTES = 256 * 1024;

/** Seals the records of an import and stores them, some after the other. @throws Failure `storage_full` */
export async function storeLines(
  em: EntityManager,
  services: Pick<Services, 'vault' | 'storageMib'>,
  { workspaceId, importId }: { workspaceId: string; importId: string },
  records: AsyncIterable<{ line: number; text: string }> | Iterable<{ line: number; text: string }>,
): Promise<void> {
  let batch: UploadedLine[] = [];
  let batchBytes = 0;
  const flush = async () => {
    await keepWithinStorage(em, services, { workspaceId, bytes: batchBytes });
    await storeUploadedLines(em, importId, batch);
    batch = [];
    batchBytes = 0;
  };
  for await (const { line, text } of records) {
    const sealedPayload = services.vault.seal(text, uploadedLinePlace(workspaceId, importId, line));
    batch.push({ line, sealedPayload });
    batchBytes += sealedPayload.length;
    if (batchBytes > BATCH_BYTES) await flush();
  }
  await flush();
}
