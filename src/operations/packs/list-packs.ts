import { z } from 'zod';
import { listOf } from '../../contract/common.ts';
import { type TestPackResource, testPack } from '../../contract/pack.ts';
import { TEST_PACKS } from '../../domain/packs/packs.ts';
import { defineOperation } from '../operation.ts';
import { cursorParam, limitParam } from '../params.ts';
import { fitPack, presentPack } from './read-pack.ts';

export const listPacks = defineOperation({
  id: 'listPacks',
  surface: 'v1',
  method: 'GET',
  path: '/v1/agents/{agentId}/packs',
  scope: 'read',
  tag: 'Tests',
  summary: 'List the test packs that an agent can be tested by',
  description:
    'Tests that come with Earshot, such as attacks, fitted to the current version of the agent: what is left out and why, and what a run of the rest may cost.',
  whenToUse: 'Call it to see which ready-made tests, such as attacks, there are and what playing them costs.',
  query: { limit: limitParam(), cursor: cursorParam(z.tuple([z.string()])) },
  response: listOf(testPack),
  async run(context, { query: { limit, cursor } }) {
    const from = cursor === null ? 0 : TEST_PACKS.findIndex(({ id }) => id === cursor[0]) + 1;
    const packs: TestPackResource[] = [];
    for (const pack of TEST_PACKS.slice(from, from + limit + 1)) {
      packs.push(await presentPack(context, pack, await fitPack(context, pack)));
    }
    return context.page(
      packs,
      limit,
      (pack: TestPackResource) => pack,
      ({ id }: TestPackResource) => [id],
    );
  },
});
