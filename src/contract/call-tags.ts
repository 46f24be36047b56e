import { z } from 'zod';
import { uuid } from './common.ts';
import { plainText } from './text.ts';

export const TAGS_AT_MOST = 20;

const tags = z.array(plainText(1, 60)).max(TAGS_AT_MOST);

export const newCallTags = z.strictObject({
  tags: tags.describe('All tags that the call is to have, without regard to case; an empty list takes them away.'),
});

export const callTags = z
  .strictObject({ object: z.literal('call_tags'), callId: uuid, tags: z.array(z.string()) })
  .meta({
    id: 'CallTags',
    examples: [{ object: 'call_tags', callId: '019d2a77-40a0-7d55-8c1e-5b8f2a9d3c01', tags: ['refund', 'vip'] }],
  });
