import { z } from 'zod';
import { ATTACK_KINDS } from '../domain/packs/pack.ts';
import { uuid } from './common.ts';
import { runPriceDocument } from './run-price.ts';

const packId = z.string().describe('What a run of it is started by, such as `attacks`.');

const packTest = z.strictObject({
  id: z.string(),
  kind: z.enum(ATTACK_KINDS),
  title: z.string(),
  leftOut: z
    .string()
    .nullable()
    .describe('Why this agent can not be tested by it now, in a sentence; null where it can.'),
});

export const testPack = z
  .strictObject({
    object: z.literal('test_pack'),
    id: packId,
    name: z.string(),
    description: z.string(),
    tests: z.array(packTest),
    price: runPriceDocument.describe('What one run of it may cost.'),
  })
  .meta({ id: 'TestPack', description: 'Tests that come with Earshot and are fitted to an agent.' });
export type TestPackResource = z.infer<typeof testPack>;

export const packToMake = z.strictObject({ pack: packId });

export const madePack = z
  .strictObject({
    ...testPack.shape,
    object: z.literal('made_test_pack'),
    testSetId: uuid.describe('The set of its tests: what starting a run takes.'),
    testIds: z.array(uuid),
  })
  .meta({ id: 'MadeTestPack', description: "A pack as tests of an agent, in a set of the pack's name." });
