import type { EntityManager } from '../../db/database.ts';
import { assignIntents } from '../../domain/calls/intents.ts';
import { CATALOGUE } from '../../domain/signals/catalogue.ts';
import { layModelReadings } from './lay-model-readings.ts';
import { type AnalysesToStore, storeBatch } from './store-batch.ts';

/** Stores the readings of a batch of calls under the product's own catalogue: see `storeBatch`. */
export async function storeAnalyses(em: EntityManager, input: AnalysesToStore): Promise<void> {
  await storeBatch(em, { catalogue: CATALOGUE, assignIntents, lay: layModelReadings }, input);
}
