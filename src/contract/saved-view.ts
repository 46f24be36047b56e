import { z } from 'zod';
import { FILTERED_PAGES } from '../domain/vocabulary.ts';
import { timestamp } from './common.ts';
import { plainText } from './text.ts';

const page = z.enum(FILTERED_PAGES);
const QUERY_MAX = 2000;

export const newSavedView = z.strictObject({
  page,
  name: plainText(1, 80),
  query: plainText(1, QUERY_MAX).describe('The query of the page’s address, without its question mark.'),
});

const savedView = z
  .strictObject({
    object: z.literal('saved_view'),
    page,
    name: z.string(),
    query: z.string(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'SavedView', description: 'A page of an agent as you narrowed it, under a name of yours.' });

export const savedViews = z.strictObject({ object: z.literal('saved_views'), data: z.array(savedView) }).meta({
  id: 'SavedViews',
  examples: [
    {
      object: 'saved_views',
      data: [
        {
          object: 'saved_view',
          page: 'calls',
          name: 'Given up on version 7',
          query: 'outcome=abandoned&version=7',
          createdAt: '2026-03-02T09:15:04.120Z',
          updatedAt: '2026-03-02T09:15:04.120Z',
        },
      ],
    },
  ],
});
export type SavedViews = z.infer<typeof savedViews>;
